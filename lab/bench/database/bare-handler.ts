// What a read would cost without a gateway: a Koa server that checks nothing, sends the same statements and answers
// their rows as JSON.
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type pg from 'pg';
import { Agent } from 'undici';
import type { Statement } from './observed.js';

export interface BareHandler {
  /** Asks it once over HTTP and reads the answer. */
  ask(): Promise<void>;
  close(): Promise<void>;
}

/** Serves these statements on a free port of loopback. */
export async function startBareHandler(pool: pg.Pool, statements: readonly Statement[]): Promise<BareHandler> {
  const app = new Koa();
  app.use(async (context) => {
    context.body = (await sendAgain(pool, statements)).map((rows) => rows.map((row) => row.map(asJson)));
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent();
  return {
    ask: async () => {
      const { body } = await agent.request({ origin, path: '/', method: 'GET' });
      await body.json();
    },
    close: async () => {
      await agent.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * The statements as the driver alone sends them, without what the gateway makes of their rows. @returns the rows of
 * each
 */
export async function sendAgain(pool: pg.Pool, statements: readonly Statement[]): Promise<unknown[][][]> {
  const all: unknown[][][] = [];
  for (const [index, { text, values }] of statements.entries())
    all.push(
      (await pool.query<unknown[]>({ name: `bare-${index}`, text, values: [...values], rowMode: 'array' })).rows,
    );
  return all;
}

/** JSON would list every byte. */
const asJson = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString('base64') : value);
