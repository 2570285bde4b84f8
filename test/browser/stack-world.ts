// The whole gateway with its panel as a separate process, and two people of the sandbox in real Chromium.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../lab/harness/payments.js';
import { type Stack, startStack, testServers } from '../../lab/harness/stack.js';
import { findFreePort } from '../../tools/processes/ports.js';
import { ProcessRegistry } from '../../tools/processes/registry.js';
import type { Node } from '../../lab/harness/node.js';
import type { Service } from '../../tools/processes/service.js';
import { prepareTemporal } from '../../tools/servers/temporal.js';
import { startBrowser, type Visitor } from './chromium.js';

/** More than this takes two people, in centavos. */
const TWO_PEOPLE_ABOVE = '30000';

export interface StackWorld {
  readonly stack: Stack;
  readonly panel: Node;
  readonly panelPort: number;
  /** Temporal's server, of this world alone and with its workflows on disk: it can be stopped and started again. */
  readonly temporal: Service;
  readonly rita: Visitor;
  readonly paulo: Visitor;
  rows(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** Under review: the first withdrawal of a player with money. */
  withdrawal(amount?: string): Promise<string>;
  close(): Promise<void>;
}

export async function createStackWorld(): Promise<StackWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'panel-rules-'));
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, JSON.stringify({ currencies: { BRL: { dual_approval_above: TWO_PEOPLE_ABOVE } } }));
  const registry = new ProcessRegistry(join(folder, 'processes.json'));
  const temporal = await startTemporal(folder, registry);
  const stack = await startStack({ rules, servers: { ...testServers(), temporalAddress: temporal.address } });
  const sql = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
  const panel = await stack.another('panel');
  await stack.gateway('staff', 'demo');
  const link = async (handle: string) =>
    String((await stack.gateway('staff', 'link', handle))['link']).split('#')[1] ?? '';
  const browser = await startBrowser({ port: panel.spec.port, link });
  return {
    stack,
    panel,
    panelPort: panel.spec.port,
    temporal: temporal.service,
    rita: await browser.signedIn('rita.demo', { language: 'en' }),
    paulo: await browser.signedIn('paulo.demo', { language: 'en' }),
    rows: async (text, ...values) => (await sql.query<Record<string, unknown>>(text, values)).rows,
    async withdrawal(amount = '1000') {
      const player = newPlayer();
      const { id: funding } = (await stack.client.createDeposit(newDeposit('100000', player), once())).body;
      await stack.client.sandbox.payDeposit(funding, once());
      await stack.receiver.waitFor(funding, 'deposit.paid');
      const { id } = (await stack.client.createWithdrawal(newWithdrawal(player, amount), once())).body;
      await stack.receiver.waitFor(id, 'withdrawal.under_review');
      return id;
    },
    async close() {
      await browser.close();
      await sql.end();
      await stack.close();
      await temporal.service.kill();
      registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startTemporal(folder: string, registry: ProcessRegistry) {
  const server = await prepareTemporal(
    {
      environment: process.env,
      port: await findFreePort(),
      uiPort: undefined,
      databaseFile: join(folder, 'temporal.db'),
      logFile: join(folder, 'temporal.log'),
    },
    registry,
  );
  await server.service.start();
  return server;
}
