// The demo operator's adapter for the conformance kit: the five calls by which the kit drives it.
import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { z } from 'zod';
import { createGatewayClient, ProblemError } from '../../../client/index.js';
import type { GatewayClient, NewDeposit, NewWithdrawal } from '../../../client/index.js';
import { demoOperatorControl } from '../control-client.js';
import type { DemoOperatorControl } from '../control-client.js';
import { describe } from '../fetch-back.js';
import { readBody } from '../read-body.js';
import { reconcileDay } from '../reconcile.js';

export interface AdapterOptions {
  readonly port: number;
  /** Where the demo operator listens. */
  readonly operatorUrl: string;
  /** The file from which the demo operator reads its credentials. */
  readonly sandboxFile: string;
  readonly log: Logger;
}

export interface RunningAdapter {
  readonly url: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16 * 1024;

const credentialsSchema = z.object({
  base_url: z.url(),
  key_id: z.string().min(1),
  secret: z.string().min(1),
  webhook_secret: z.string().min(1),
});
const orderSchema = z.object({
  player: z.looseObject({ external_ref: z.string().min(1) }),
  amount: z.object({ amount: z.string(), currency: z.string() }),
  destination: z.unknown().optional(),
});
const daySchema = z.object({ date: z.iso.date(), currency: z.string() });

type Credentials = z.output<typeof credentialsSchema>;
type Order = z.output<typeof orderSchema>;

/** Starts it. Rejects if the port is taken. */
export async function startAdapter({ port, operatorUrl, sandboxFile, log }: AdapterOptions): Promise<RunningAdapter> {
  const operator = demoOperatorControl(operatorUrl);
  let current: { readonly gateway: GatewayClient; readonly credentials: Credentials } | null = null;

  function use(credentials: Credentials): void {
    const { base_url: baseUrl, webhook_secret, ...key } = credentials;
    const former = current?.gateway;
    current = { credentials, gateway: createGatewayClient({ baseUrl, keyId: key.key_id, secret: key.secret }) };
    // Renamed into place: the demo operator never reads half of it.
    const content = JSON.stringify({ base_url: baseUrl, operation: { ...key, webhook_secret } });
    writeFileSync(`${sandboxFile}.new`, content, { mode: 0o600 });
    renameSync(`${sandboxFile}.new`, sandboxFile);
    void former?.close();
  }

  async function reconcile(day: z.output<typeof daySchema>): Promise<boolean> {
    if (current === null) return false;
    try {
      const state = await operator.state();
      const { isProven, differences } = await reconcileDay(
        current.gateway,
        [current.credentials.webhook_secret],
        state,
        day,
      );
      return isProven && differences.length === 0;
    } catch (error) {
      log.warn({ problem: describe(error) }, 'the day could not be reconciled');
      return false;
    }
  }

  const router = new Router({ sensitive: true, strict: true });
  router.put('/credentials', async (ctx) => {
    use(credentialsSchema.parse(await jsonOf(ctx.req)));
    ctx.status = 204;
  });
  for (const kind of ['deposit', 'withdrawal'] as const) {
    router.post(`/${kind}s`, async (ctx) => {
      const order = orderSchema.parse(await jsonOf(ctx.req));
      if (current === null) throw new Error('no credentials yet');
      const begun =
        kind === 'deposit' ? deposit(current.gateway, operator, order) : withdrawal(current.gateway, operator, order);
      begun.catch((error: unknown) => log.warn({ kind, problem: describe(error) }, 'the payment was not created'));
      ctx.status = 202;
    });
  }
  router.get('/players/:external_ref', async (ctx) => {
    const { players } = await operator.state();
    const player = players.find(({ player_ref: reference }) => reference === ctx.params['external_ref']);
    ctx.body = { available: player?.available.amount ?? '0' };
  });
  router.post('/reconciliations', async (ctx) => {
    ctx.body = { agrees: await reconcile(daySchema.parse(await jsonOf(ctx.req))) };
  });

  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      log.warn({ path: ctx.path, problem: describe(error) }, 'the adapter could not do its part');
      ctx.status = error instanceof z.ZodError ? 400 : 500;
    }
  });
  app.use(router.routes());
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      void current?.gateway.close();
    },
  };
}

/** Written down first, then asked for. */
async function deposit(gateway: GatewayClient, operator: DemoOperatorControl, order: Order): Promise<void> {
  const body: NewDeposit = { external_id: `deposit-${randomUUID()}`, method: 'pix', ...paymentOf(order) };
  await operator.expectDeposit({
    external_id: body.external_id,
    amount: order.amount,
    player_ref: order.player.external_ref,
  });
  await gateway.createDeposit(body, { idempotencyKey: `deposit-create:${body.external_id}` });
}

/** Reserved first; given back only if the refusal decides the payment. */
async function withdrawal(gateway: GatewayClient, operator: DemoOperatorControl, order: Order): Promise<void> {
  const destination = order.destination as NewWithdrawal['destination'];
  const body: NewWithdrawal = {
    ...{ external_id: `withdrawal-${randomUUID()}`, method: 'pix', ...paymentOf(order) },
    destination,
  };
  await operator.expectWithdrawal({
    external_id: body.external_id,
    amount: order.amount,
    player_ref: order.player.external_ref,
  });
  try {
    await gateway.createWithdrawal(body, { idempotencyKey: `withdrawal-create:${body.external_id}` });
  } catch (error) {
    if (error instanceof ProblemError && error.conclusive) await operator.releaseWithdrawal(body.external_id);
    throw error;
  }
}

function paymentOf({ player, amount }: Order): Pick<NewDeposit, 'player' | 'amount'> {
  return { player: player as unknown as NewDeposit['player'], amount };
}

async function jsonOf(request: Parameters<typeof readBody>[0]): Promise<unknown> {
  const bytes = await readBody(request, MAX_BODY_BYTES);
  return bytes === null ? null : JSON.parse(bytes.toString('utf8'));
}
