// Known secrets and personal data go through whole life cycles, refusals and faults, and are then searched for
// everywhere.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { DATA_CONVERTER } from '../../../platform/temporal/connection.js';
import { eventually } from '../../harness/eventually.js';
import { startCollector } from '../../harness/otlp-collector.js';
import { startReceiver } from '../../harness/receiver.js';
import type { Environment } from '../environment/environment.js';
import type { Operator } from '../environment/operator.js';
import type { Answer } from '../environment/requests.js';
import { type Place, placesOf, STORE } from '../environment/search/places.js';
import { foundIn, type Spelling, spellingsOf } from '../environment/search/spellings.js';
import type { Scenario } from '../scenario.js';
import { type PlantedData, plantPerson, secretsOf } from './planted.js';

/** With so much load a payment may be slow; its speed is not tested here. */
const PATIENCE_MS = 180_000;
const HOLDS =
  'found nowhere in any spelling: logs of all processes, refusals, Temporal (histories and its database), ' +
  'metrics, rows that are not sealed, CLI output';

export const canary: readonly Scenario[] = [
  {
    name: 'a person and all secrets go through whole life cycles, refusals and faults',
    holds: HOLDS,
    beforeRelease: true,
    play: (environment) => playSearch(environment, [settle, refuse, fault, operate]),
  },
  {
    name: 'the same with every process at log level trace and traced, and a worker killed while it sends',
    holds: `${HOLDS}, and in no span`,
    play: playTalkative,
  },
];

/** All answers to people and programs. */
interface Walk {
  readonly environment: Environment;
  readonly operator: Operator;
  readonly planted: PlantedData;
  readonly said: Place[];
}
type Act = (walk: Walk) => Promise<void>;

async function playTalkative(environment: Environment): Promise<void> {
  const { apis, ingresses, allWorkers, simulator, demoOperator } = environment;
  const collector = await startCollector();
  const talkative = { LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  try {
    const all = [...apis, ...ingresses, ...allWorkers, simulator, demoOperator];
    await Promise.all(all.map((node) => node.restart(talkative)));
    // The killed one is asked for its metrics too.
    const startAgain: Act = async () => void (await Promise.all(allWorkers.map((node) => node.restart(talkative))));
    const readSpans: Act = async ({ said }) => {
      assert.ok(collector.spans.length > 0, 'nobody sent a span');
      said.push({ name: 'the spans', bytes: Buffer.from(collector.text(), 'utf8') });
    };
    await playSearch(environment, [settle, refuse, fault, killWhileSending, startAgain, operate, readSpans]);
  } finally {
    await collector.close();
  }
}

async function playSearch(environment: Environment, acts: readonly Act[]): Promise<void> {
  const { rows } = await environment.database.query<{ now: Date }>('SELECT now() AS now');
  const since = rows[0]?.now ?? new Date();
  const walk: Walk = { environment, operator: environment.operator, planted: plantPerson(), said: [] };
  for (const act of acts) await act(walk);
  const finds = await plantFinds(environment);
  try {
    const spellings = [...walk.planted.canaries, ...secretsOf(environment)].flatMap(spellingsOf);
    const places = [...(await placesOf(environment, since)), ...walk.said, ...refusalsOf(environment)];
    finds.assertFound(places);
    assert.deepEqual(
      places.flatMap(({ name, bytes }) => foundIn(bytes, spellings).map((found) => `${found} in ${name}`)),
      [],
    );
  } finally {
    await finds.remove();
  }
}

/** Every answer that was no success; `existing` is the operator's own object as it is served. */
function refusalsOf({ operators }: Environment): Place[] {
  const answers = operators.flatMap(({ journal }) =>
    journal.flatMap((entry) => entry.answers.map((answer) => ({ target: entry.target, answer }))),
  );
  return answers
    .filter(({ answer }) => answer.status >= 400 && !answer.text.includes('"duplicate_external_id"'))
    .map(({ target, answer }) => placeOf(`the ${answer.status} to ${target}`, answer));
}

function placeOf(name: string, { text, headers }: Answer): Place {
  return { name, bytes: Buffer.from(`${JSON.stringify(headers)}\n${text}`, 'utf8') };
}

/**
 * A deposit that somebody else pays and people approve, one that is refunded, and withdrawals to keys of every type.
 */
async function settle({ environment, operator, planted }: Walk): Promise<void> {
  const { player, payerNumber, keys, metadata, reason } = planted;
  const fields = { metadata, locale: 'pt-BR' };
  const [own, others] = await Promise.all([
    operator.deposit({ player, amountMinor: '90000', fields }),
    operator.deposit({ player, fields }),
  ]);
  await Promise.all([
    operator.pay(own.id),
    operator.pay(others.id, { payer_document: { type: 'CPF', number: payerNumber, country: 'BR' } }),
  ]);
  await Promise.all([
    operator.reaches(`/v1/deposits/${own.id}`, ['paid'], PATIENCE_MS),
    operator.reaches(`/v1/deposits/${others.id}`, ['under_review'], PATIENCE_MS),
  ]);
  await environment.gateway('review', 'approve', others.id, '--as', 'ana', '--reason', 'looked at by hand');
  await Promise.all(Object.entries(keys).map(([type, key]) => registerKey(environment, type, key, planted)));
  for (const [type, key] of Object.entries(keys)) {
    const destination = { pix: { key_type: type, key } };
    const { id } = await operator.withdrawal({
      player,
      fields: { destination, metadata, review_requested: true, review_reasons: [reason] },
    });
    await operator.reaches(`/v1/withdrawals/${id}`, ['under_review'], PATIENCE_MS);
    await operator.steer(id, type === 'random' ? 'reject' : 'approve');
    if (type === 'phone') await operator.reaches(`/v1/withdrawals/${id}`, ['processing'], PATIENCE_MS);
    if (type === 'phone') await operator.steer(id, 'fail');
  }
  const refunded = await operator.deposit({ player, fields });
  await operator.pay(refunded.id);
  await operator.reaches(`/v1/deposits/${refunded.id}`, ['paid'], PATIENCE_MS);
  await operator.post(`/v1/sandbox/deposits/${refunded.id}/refund`, undefined);
}

async function registerKey(
  { simulator }: Environment,
  type: string,
  key: string,
  { player }: PlantedData,
): Promise<void> {
  const answer = await fetch(`${simulator.url}/control/simulator/keys/${encodeURIComponent(key)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key_type: type, owner: { type: 'CPF', number: player.document.number, name: player.name } }),
  });
  assert.equal(answer.status, 204, `the key was not registered: ${await answer.text()}`);
}

/** Everything that is wrong, with personal data in the wrong places. */
async function refuse({ environment, operator, planted, said }: Walk): Promise<void> {
  const { payerNumber, keys, metadata } = planted;
  // A separate player: three withdrawals an hour are allowed.
  const player = { ...planted.player, external_ref: `player-${randomUUID()}` };
  const right = {
    external_id: randomUUID(),
    player,
    amount: { amount: '5000', currency: 'BRL' },
    method: 'pix',
    metadata,
  };
  const wrongBodies: readonly unknown[] = [
    { ...right, player: { ...player, document: { ...player.document, number: `${player.document.number}0` } } },
    { ...right, player: { ...player, email: player.name } },
    { ...right, player: { ...player, external_ref: player.email } },
    { ...right, amount: { amount: player.document.number, currency: player.name } },
    { ...right, method: player.email },
    { ...right, metadata: { note: { nested: player.name } } },
    { ...right, locale: [player.name] },
    [player],
    player.name,
  ];
  for (const body of wrongBodies) await operator.post('/v1/deposits', body);
  const destination = { pix: { key_type: 'email', key: keys.phone } };
  await operator.post('/v1/withdrawals', { ...right, destination });
  await operator.post('/v1/withdrawals', { ...right, destination: { pix: { key_type: 'cpf', key: payerNumber } } });
  const raw = JSON.stringify(right);
  const broken = [
    raw.slice(0, -10),
    `${raw}${player.name}`,
    raw.replace('"pix"', player.name),
    raw.replace('{"external_id"', `{"external_id":"${player.document.number}","external_id"`),
  ];
  const { secret, key_id: keyId } = operator.operation;
  const calls: readonly Parameters<Operator['once']>[0][] = [
    ...broken.map((body) => ({ method: 'POST', target: '/v1/deposits', body, idempotencyKey: randomUUID() }) as const),
    {
      method: 'GET',
      target: `/v1/deposits?external_id=${encodeURIComponent(player.name)}&cursor=${encodeURIComponent(player.email)}`,
    },
    { method: 'GET', target: `/v1/deposits/${encodeURIComponent(player.email)}` },
    { method: 'GET', target: `/v1/events?after=${player.document.number}` },
    { method: 'GET', target: '/v1/ping', headers: { 'Svc-Key-Id': secret } },
    { method: 'GET', target: '/v1/ping', headers: { 'Svc-Signature': secret, 'Svc-Key-Id': keyId } },
    {
      method: 'GET',
      target: `/v1/ping?secret=${encodeURIComponent(secret)}&name=${encodeURIComponent(player.name)}`,
      headers: { 'Svc-Nonce': player.name.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, '') },
    },
  ];
  for (const call of calls) {
    const answer = await operator.once(call);
    assert.ok(answer !== null && answer.status < 500, `${call.target} was answered ${answer?.status}`);
    said.push(placeOf(`the ${answer.status} to a wrong ${call.method}`, answer));
  }
  await forge(environment, planted);
}

/** Forged callbacks with personal data in them. */
async function forge({ links, commonVariables }: Environment, { player }: PlantedData): Promise<void> {
  const secret = commonVariables['PROVIDER_SIMULATOR_CALLBACK_SECRET'] ?? '';
  for (const given of [player.name.slice(0, 7), `${secret}x`, '']) {
    const body = JSON.stringify({
      pix: [{ endToEndId: player.document.number, valor: player.name, infoPagador: player.email }],
    });
    const answer = await fetch(`http://127.0.0.1:${links.callbacks.port}/callbacks/simulator/pix`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: given, 'x-callback-secret': given },
      body,
    });
    assert.equal(answer.status, 401);
  }
}

/**
 * Statements that PostgreSQL refuses with the row in its message, a table that is gone, lost links, a receiver that
 * throws it all back.
 */
async function fault({ environment, operator, planted }: Walk): Promise<void> {
  const { database, links } = environment;
  const { player, metadata } = planted;
  const deposit = () => operator.deposit({ player, fields: { metadata } });
  await during(
    () => database.query('ALTER TABLE deposit ADD CONSTRAINT planted_refusal CHECK (version < 0) NOT VALID'),
    () => database.query('ALTER TABLE deposit DROP CONSTRAINT IF EXISTS planted_refusal'),
    deposit,
  );
  await during(
    () => database.query('ALTER TABLE deposit RENAME TO deposit_away'),
    () => database.query('ALTER TABLE deposit_away RENAME TO deposit'),
    deposit,
  );
  for (const link of [links['postgres-worker'], links['postgres-api'], links['temporal-api'], links.provider]) {
    await during(
      async () => link.cut(),
      async () => link.heal(),
      deposit,
    );
  }
  await throwBack(environment, planted);
}

/** The act begins while the trouble lasts, and is waited for after it. */
async function during(
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
  act: () => Promise<unknown>,
): Promise<void> {
  await begin();
  const acted = act();
  acted.catch(() => undefined);
  await sleep(1_500);
  await end();
  await acted;
}

/** An operator's receiver that answers 401 and 500 with what it was sent. */
async function throwBack(environment: Environment, { player, metadata }: PlantedData): Promise<void> {
  const receiver = await startReceiver();
  try {
    receiver.answerWith(500);
    const unlucky = await environment.newOperator(`receiver-${randomBytes(4).toString('hex')}`, receiver.url);
    const { id } = await unlucky.deposit({
      player: { ...player, external_ref: `player-${randomUUID()}` },
      fields: { metadata },
    });
    await receiver.waitFor(id, 'deposit.pending');
    receiver.answerWith(401);
    await unlucky.pay(id);
    await receiver.waitFor(id, 'deposit.paid');
  } finally {
    await receiver.close();
  }
}

async function killWhileSending({ environment, operator, planted }: Walk): Promise<void> {
  const player = { ...planted.player, external_ref: `player-${randomUUID()}` };
  const { id: depositId } = await operator.deposit({ player, amountMinor: '90000' });
  await operator.pay(depositId);
  await operator.reaches(`/v1/deposits/${depositId}`, ['paid'], PATIENCE_MS);
  const { id } = await operator.withdrawal({ player });
  // A player's first one waits for people.
  await operator.reaches(`/v1/withdrawals/${id}`, ['under_review'], PATIENCE_MS);
  const { provider } = environment.links;
  provider.hold('down');
  await operator.steer(id, 'approve');
  await eventually(() => provider.held().length > 0, 'a call to the provider whose answer is held', PATIENCE_MS);
  await Promise.all(environment.allWorkers.map((worker) => worker.kill()));
  provider.heal();
}

/** What people of the gateway read and do; nothing of it asks for personal data. */
async function operate({ environment, operator, planted, said }: Walk): Promise<void> {
  const { operation_id: operation } = operator.operation;
  const { rows } = await environment.database.query<{ id: string; kind: string }>(
    `(SELECT id, 'deposit' AS kind FROM deposit WHERE player_ref = $1 AND status = 'paid' LIMIT 1)
      UNION ALL (SELECT id, 'withdrawal' FROM withdrawal WHERE player_ref = $1 LIMIT 1)`,
    [planted.player.external_ref],
  );
  const commands: string[][] = [
    ...rows.map(({ id, kind }) => [kind, 'show', id]),
    ...rows.filter(({ kind }) => kind === 'withdrawal').map(({ id }) => ['decision', 'show', id, '--json']),
    [
      ...'list add --kind document --operation'.split(' '),
      operation,
      '--list',
      'review',
      planted.payerNumber,
      '--as',
      'ana',
    ],
    ['alerts', '--all'],
    ['audit', 'list'],
    ['operation', 'list'],
    ['review', 'list'],
    ['key', 'list', '--operation', operation],
  ];
  for (const command of commands)
    said.push({
      name: `gateway ${command.slice(0, 2).join(' ')}`,
      bytes: Buffer.from(JSON.stringify(await environment.gateway(...command)), 'utf8'),
    });
}

/**
 * Plants a separate text in one place of every sort, so that a search that finds nothing is known to work.
 */
async function plantFinds({ servers, database }: Environment) {
  const text = `find-me-${randomUUID()}`;
  const spellings: Spelling[] = spellingsOf({ name: 'what was planted to be found', text });
  const file = join(servers.run.folder, 'planted-finds.log');
  writeFileSync(file, `{"msg":"x${Buffer.from(`:${text}:`).toString('base64')}"}\n`);
  await database.query(`INSERT INTO provider_callback (provider, digest, body_sealed) VALUES ('simulator', $1, $2)`, [
    randomBytes(32),
    Buffer.from(`{"name":"${text}"}`),
  ]);
  const connection = await Connection.connect({ address: servers.temporal.address });
  const { workflow } = new Client({ dataConverter: DATA_CONVERTER, connection });
  const handle = await workflow.start('nobodysWorkflow', {
    taskQueue: `nobodys-${text.slice(0, 12)}`,
    workflowId: `planted-${randomUUID()}`,
    args: [{ deep: [Buffer.from(text).toString('base64')] }],
    memo: { note: text },
  });
  await handle.terminate('only to be found');
  return {
    assertFound: (places: readonly Place[]) => {
      const where = places.filter(({ bytes }) => foundIn(bytes, spellings).length > 0).map(({ name }) => name);
      for (const expected of [
        'planted-finds.log',
        STORE,
        `history of ${handle.workflowId}`,
        'table provider_callback',
      ]) {
        assert.ok(
          where.some((name) => name.includes(expected)),
          `the search does not find what was planted in the ${expected}; it found it in ` +
            `${where.join(', ') || 'no place'}`,
        );
      }
    },
    remove: async () => {
      rmSync(file, { force: true });
      await database.query(`DELETE FROM provider_callback WHERE body_sealed = $1`, [Buffer.from(`{"name":"${text}"}`)]);
      await connection.close();
    },
  };
}
