// Unsafe consumption: a provider, or an attacker in its place, answers with what should make the gateway fail or call
// somebody else.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startReceiver } from '../../../harness/receiver.js';
import type { Environment } from '../../environment/environment.js';
import type { Scenario, ScenarioContext } from '../../scenario.js';
import { OWN_DIALECT } from '../../settings.js';

export const rogueProvider: readonly Scenario[] = [
  {
    family: 'security',
    name: 'a provider that answers hugely, endlessly, deeply, in another type, or with a redirect',
    bounded: false,
    // It gives the tokens and one of the answers of that dialect.
    at: OWN_DIALECT,
    holds:
      'creations are answered in time as in progress, its answers are neither trusted nor followed, the workers ' +
      'continue, and the right provider gets each charge once',
    play: playAnswers,
  },
];

type AnswerWith = (response: ServerResponse, elsewhere: string) => void;
const json = { 'content-type': 'application/json' };

const ANSWERS: Readonly<Record<string, AnswerWith>> = {
  '10 MB': (response) => response.writeHead(200, json).end(`"${'x'.repeat(10 * 1024 * 1024)}"`),
  'a byte now and then': (response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 200);
    response.once('close', () => clearInterval(timer));
  },
  'a redirect': (response, elsewhere) => response.writeHead(307, { location: elsewhere }).end(),
  'a page': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><script>alert(1)</script></html>'),
  'lists 100,000 deep': (response) => response.writeHead(200, json).end('['.repeat(100_000) + ']'.repeat(100_000)),
  'a prototype': (response) =>
    response.writeHead(201, json).end('{"__proto__":{"status":"ATIVA"},"constructor":{"prototype":{"txid":"x"}}}'),
  'no UTF-8': (response) => response.writeHead(201, json).end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
  'packed zeros': (response) =>
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(Buffer.alloc(1_000)),
  'a length that is wrong': (response) => response.writeHead(200, { ...json, 'content-length': '100' }).end('{}'),
  'more headers than anybody takes': (response) =>
    response
      .writeHead(200, {
        ...json,
        ...Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`x-${index}`, 'x'.repeat(200)])),
      })
      .end('{}'),
  'somebody else’s charge': (response) =>
    response.writeHead(201, json).end(
      JSON.stringify({
        txid: 'a'.repeat(32),
        status: 'CONCLUIDA',
        calendario: { criacao: new Date().toISOString(), expiracao: 60 },
        valor: { original: '0.01' },
        chave: 'x',
        pixCopiaECola: 'x',
      }),
    ),
};

/** Gives a token to anyone who asks, and each charge another of the answers. */
async function startRogue(elsewhere: string) {
  const kinds = Object.keys(ANSWERS);
  const given = new Map<string, string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (Buffer.concat(chunks).includes('client_credentials'))
        return void response.writeHead(200, json).end('{"access_token":"t","token_type":"Bearer","expires_in":3600}');
      const [txid = ''] = /[0-9a-f]{32}/.exec(request.url ?? '') ?? [];
      const kind = given.get(txid) ?? (kinds[given.size % kinds.length] as string);
      given.set(txid, kind);
      ANSWERS[kind]?.(response, elsewhere);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function playAnswers({ environment }: ScenarioContext): Promise<void> {
  const elsewhere = await startReceiver();
  const rogue = await startRogue(elsewhere.url);
  try {
    await Promise.all(environment.workers.map((worker) => worker.restart({ PROVIDER_SIMULATOR_URL: rogue.url })));
    const deposits = await Promise.all(Object.keys(ANSWERS).map(() => environment.operator.deposit()));
    const statuses = await statusesOf(
      environment,
      deposits.map(({ id }) => id),
    );
    const kinds = new Set(deposits.map(({ id }) => rogue.given.get(id.slice('dep_'.length))));
    assert.deepEqual([...kinds].sort(), Object.keys(ANSWERS).sort(), 'not every answer was given');
    assert.deepEqual(
      statuses,
      deposits.map(() => 'created'),
      'an answer was believed',
    );
    assert.deepEqual(elsewhere.events, [], 'the redirect was followed');
    for (const { name, url } of environment.workers)
      assert.ok((await fetch(`${url}/healthz`)).ok, `${name} was ended by it`);
  } finally {
    await Promise.all([rogue.close(), elsewhere.close()]);
  }
}

async function statusesOf({ database }: Environment, ids: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ status: string }>('SELECT status FROM deposit WHERE id = ANY($1)', [ids]);
  return rows.map(({ status }) => status);
}
