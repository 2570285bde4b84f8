// Provider callbacks over HTTP: verified, kept once, passed on as signals; repeated by the provider when we could not.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, BlockList, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { CALLBACK_LIMIT_BYTES, createIngress } from '../../../ingress/app.js';
import { DEFAULT_DEADLINES } from '../../../platform/temporal/calls.js';
import type { CallerOperation } from '../../../contract/http/route.js';
import { chargeReferenceOf, payoutReferenceOf } from '../../../domain/identifiers.js';
import type { CallbackReaders, CallbackVerdict } from '../../../providers/port.js';
import { DIALECT_NAMES } from '../../../providers/settings.js';
import { DIALECTS } from '../../../providers/index.js';
import { type IngressDependencies, PassedOn } from '../../../ingress/notices.js';
import { createDatabase } from '../../../store/database.js';
import { Harness } from './support/harness.js';
import { placeOf } from '../../../store/sealing/places.js';

describe('provider ingress', () => {
  let harness: Harness;
  let operation: CallerOperation;
  let server: Server;
  let verdict: CallbackVerdict;
  let isReady = true;
  let passedOn: PassedOn;

  const readers: CallbackReaders = (name) =>
    name === 'b' ? undefined : { name, reusesCallbackBodies: name === 'a', parseCallback: () => verdict };
  const quiet = pino({ level: 'silent' });
  const listen = async (
    database = harness.ofIngress,
    noted = passedOn,
    more: Partial<Pick<IngressDependencies, 'readers' | 'trustedProxies' | 'logger'>> = {},
  ) => {
    const listening = createIngress({
      database,
      sealer: harness.sealer,
      temporal: harness.temporal.client(),
      readers,
      trustedProxies: new BlockList(),
      deadlines: DEFAULT_DEADLINES,
      clock: () => new Date('2026-11-21T12:00:00Z'),
      logger: quiet,
      isReady: () => Promise.resolve(isReady),
      passedOn: noted,
      ...more,
    }).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return listening;
  };
  const nowhere = () =>
    createDatabase({
      url: 'postgres://postgres@127.0.0.1:1/none',
      poolSize: 1,
      connectTimeoutMs: 500,
      statementTimeoutMs: 500,
    });
  const portOf = (one: Server) => (one.address() as AddressInfo).port;
  const post = async (path: string, body: string | Buffer = '{"pix":[]}', target = server, method = 'POST') => {
    const response = await fetch(`http://127.0.0.1:${portOf(target)}${path}`, {
      method,
      ...(method === 'GET' ? {} : { body: new Uint8Array(Buffer.from(body)) }),
      headers: { connection: 'close' },
    });
    return {
      status: response.status,
      body: (await response.json().catch(() => null)) as Record<string, unknown> | null,
      headers: response.headers,
    };
  };
  const accepted = (
    ...notices: Extract<CallbackVerdict, { kind: 'accepted' }>['notices'][number][]
  ): CallbackVerdict => ({ kind: 'accepted', notices });
  const alerts = (kind: string) => harness.database.alert.findMany({ where: { kind } });

  before(async () => {
    harness = await Harness.create();
    passedOn = new PassedOn(harness.database, quiet);
    server = await listen();
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await harness.close();
  });
  beforeEach(async () => {
    harness.temporal.reset();
    await passedOn.flush();
    await harness.database.alert.deleteMany();
    await harness.database.providerCallback.deleteMany();
    operation = await harness.operation();
  });

  it('says on /healthz whether it is ready, and nothing more', async () => {
    for (const [ready, status] of [
      [true, 200],
      [false, 503],
    ] as const) {
      isReady = ready;
      const answer = await post('/healthz', '', server, 'GET');
      assert.deepEqual([answer.status, answer.body], [status, { ready }]);
    }
  });

  it('an encoded body is 415 with what is read instead, whatever is in it', async () => {
    verdict = accepted();
    const url = `http://127.0.0.1:${portOf(server)}/callbacks/simulator/pix`;
    const send = (encoding: string) =>
      fetch(url, {
        method: 'POST',
        body: new Uint8Array(gzipSync('{"pix":[]}')),
        headers: { connection: 'close', 'content-encoding': encoding },
      });
    for (const encoding of ['gzip', 'br', 'gzip, gzip']) {
      const refused = await send(encoding);
      assert.deepEqual([refused.status, refused.headers.get('accept-encoding')], [415, 'identity']);
    }
    assert.equal((await send('Identity')).status, 200);
  });

  it('a payment on a charge: the deposit is signalled, reopened if it has ended', async () => {
    const deposit = await harness.insertDeposit(operation, { status: 'expired' });
    verdict = accepted({ kind: 'charge', reference: chargeReferenceOf(deposit.id), endToEndId: 'E1' });
    assert.equal((await post('/callbacks/simulator/pix')).status, 200);
    const [signal] = harness.temporal.signals;
    assert.deepEqual([signal?.name, signal?.workflowId, signal?.args], ['chargeNotice', deposit.id, []]);
    assert.deepEqual(
      [signal?.start.input, signal?.start.reusePolicy, signal?.start.staticSummary],
      [{ kind: 'reopen', id: deposit.id, operationId: operation.id }, 'ALLOW_DUPLICATE', 'deposit R$ 50,00 · op acme'],
    );
  });

  it('a notice of a payout: the withdrawal is signalled', async () => {
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'processing' });
    verdict = accepted({ kind: 'payout', reference: payoutReferenceOf(withdrawal.id), endToEndId: null });
    assert.equal((await post('/callbacks/simulator/payouts')).status, 200);
    const [signal] = harness.temporal.signals;
    assert.deepEqual(
      [signal?.name, signal?.start.workflowType, signal?.start.input],
      ['payoutNotice', 'withdrawal', { kind: 'reopen', id: withdrawal.id, operationId: operation.id }],
    );
  });

  it('a notice by end-to-end id: its deposit or withdrawal is signalled, any other raises an alert', async () => {
    const ids = [`E${'1'.repeat(31)}`, `E${'2'.repeat(31)}`, `E${'3'.repeat(31)}`] as const;
    const deposit = await harness.insertDeposit(operation, { status: 'paid', endToEndId: ids[0] });
    const withdrawal = await harness.insertWithdrawal(operation, { status: 'paid', pspReference: ids[1] });
    const notice = (endToEndId: string) => ({ kind: 'return', endToEndId }) as const;
    verdict = accepted(...ids.map(notice));
    assert.equal((await post('/callbacks/simulator/events')).status, 200);
    assert.deepEqual(
      harness.temporal.signals.map(({ name, workflowId, args }) => [name, workflowId, args]),
      [
        ['chargeNotice', deposit.id, []],
        ['payoutNotice', withdrawal.id, []],
      ],
    );
    assert.equal((await alerts('CALLBACK_UNKNOWN_OBJECT'))[0]?.objectId, `simulator:${ids[2]}`);
  });

  it('cannot verify now → 503 so that the provider repeats; nothing kept, no alert', async () => {
    verdict = { kind: 'unverifiable', reason: 'the public keys cannot be fetched' };
    assert.equal((await post('/callbacks/simulator/events')).status, 503);
    assert.equal(await harness.database.providerCallback.count(), 0);
    assert.equal((await alerts('CALLBACK_FORGED')).length, 0);
  });

  it('kept once, sealed; what was passed on is counted and starts nothing again', async () => {
    const deposit = await harness.insertDeposit(operation, {});
    verdict = accepted({ kind: 'charge', reference: chargeReferenceOf(deposit.id), endToEndId: 'E1' });
    for (let round = 0; round < 3; round += 1) await post('/callbacks/simulator/pix', '{"secret":"52998224725"}');
    await post('/callbacks/a/pix', '{"secret":"52998224725"}');
    const rows = await harness.database.providerCallback.findMany({ orderBy: { id: 'asc' } });
    assert.deepEqual(
      rows.map(({ provider: name, repetitions }) => [name, repetitions]),
      [
        ['simulator', 2],
        ['a', 0],
      ],
    );
    assert.ok(!Buffer.from(rows[0]?.bodySealed ?? []).includes('52998224725'));
    const kept = rows[0] ?? assert.fail();
    const place = placeOf('provider_callback.body_sealed', null, { digest: kept.digest });
    assert.equal(harness.sealer.openBytes(place, kept.bodySealed).toString(), '{"secret":"52998224725"}');
    assert.equal(harness.temporal.signals.length, 1, 'repeats, and a provider that does not own the deposit');
  });

  it('passed on by one process, once noted it starts nothing in another one or after a restart', async () => {
    const deposit = await harness.insertDeposit(operation, {});
    verdict = accepted({ kind: 'charge', reference: chargeReferenceOf(deposit.id), endToEndId: 'E1' });
    await post('/callbacks/simulator/pix');
    await passedOn.flush();
    const other = await listen(harness.database, new PassedOn(harness.database, quiet));
    assert.equal((await post('/callbacks/simulator/pix', '{"pix":[]}', other)).status, 200);
    other.close();
    assert.equal(harness.temporal.signals.length, 1);
  });

  for (const { title, account, oldSeconds, newSeconds } of [
    { title: 'if a new event may have the same bytes: after a minute', account: 'a', oldSeconds: 55, newSeconds: 61 },
    { title: 'elsewhere: after a day', account: 'simulator', oldSeconds: 86_100, newSeconds: 86_401 },
  ] as const)
    it(`the same words are passed on again, once, ${title}`, async () => {
      const deposit = await harness.insertDeposit(await harness.operation({ provider: account }), {});
      verdict = accepted({ kind: 'charge', reference: chargeReferenceOf(deposit.id), endToEndId: 'E1' });
      const postLater = async (seconds: number) => {
        await passedOn.flush();
        await harness.database.$executeRaw`
          UPDATE provider_callback SET passed_on_at = now() - make_interval(secs => ${seconds}::int)`;
        await post(`/callbacks/${account}/pix`);
        return harness.temporal.signals.length;
      };
      await post(`/callbacks/${account}/pix`);
      assert.equal(await postLater(oldSeconds), 1);
      assert.equal(await postLater(newSeconds), 2);
      await passedOn.flush();
      await post(`/callbacks/${account}/pix`);
      assert.equal(harness.temporal.signals.length, 2);
    });

  it('a callback that could not be noted may start one more look-up', async () => {
    const noted = new PassedOn(nowhere(), quiet);
    noted.note(new Uint8Array(32));
    assert.equal(noted.has(new Uint8Array(32)), true);
    await noted.flush();
    assert.equal(noted.has(new Uint8Array(32)), false);
  });

  it('several notices in one call: each once', async () => {
    const first = await harness.insertDeposit(operation, {});
    const second = await harness.insertDeposit(operation, {});
    const notice = (id: string, endToEndId: string) =>
      ({ kind: 'charge', reference: chargeReferenceOf(id), endToEndId }) as const;
    verdict = accepted(notice(first.id, 'E1'), notice(second.id, 'E2'), notice(first.id, 'E1'));
    await post('/callbacks/simulator/pix');
    assert.deepEqual(
      harness.temporal.signals.map(({ workflowId }) => workflowId),
      [first.id, second.id],
    );
  });

  it('unknown or strange references: 200 and one alert each', async () => {
    const foreign = await harness.insertDeposit(await harness.operation({ provider: 'a' }), {});
    for (const reference of ['f'.repeat(32), chargeReferenceOf(foreign.id), 'a/../b\u0000', 'x'.repeat(500)]) {
      verdict = accepted(
        { kind: 'charge', reference, endToEndId: 'E1' },
        { kind: 'payout', reference, endToEndId: null },
      );
      for (const body of [reference, reference, `${reference} again`])
        assert.equal((await post('/callbacks/simulator/pix', JSON.stringify({ body }))).status, 200);
    }
    assert.equal((await alerts('CALLBACK_UNKNOWN_OBJECT')).length, 4);
    assert.deepEqual(harness.temporal.signals, []);
  });

  it('a send that Efí reports and that is not ours: 200 each time, and one alert', async () => {
    const settings = {
      dialect: 'efi',
      pixKey: 'key',
      callbackSecret: 'x',
      callbackCertificate: null,
      keysUrl: null,
    } as const;
    const efi = DIALECTS.efi.openCallbacks('a', settings, {});
    const sent = { tipo: 'SOLICITACAO', endToEndId: 'E090893562021030PIf25a7868', gnExtras: { idEnvio: '123ABC' } };
    const body = Buffer.from(JSON.stringify({ pix: [sent] }));
    verdict = await efi.parseCallback({ path: '/callbacks/a', query: 'hmac=x', headers: {}, body });
    for (let round = 0; round < 2; round += 1) assert.equal((await post('/callbacks/a', body)).status, 200);
    assert.deepEqual(
      (await alerts('CALLBACK_UNKNOWN_OBJECT')).map(({ objectId }) => objectId),
      ['a:123ABC'],
    );
  });

  it('forged: 401, one alert per provider, nothing kept', async () => {
    verdict = { kind: 'forged', reason: 'chave is not our key' };
    for (let round = 0; round < 3; round += 1) assert.equal((await post('/callbacks/simulator/pix')).status, 401);
    assert.equal((await alerts('CALLBACK_FORGED')).length, 1);
    assert.equal(await harness.database.providerCallback.count(), 0);
  });

  it('bodies without proof, of every dialect: answered, never stored, at most one alert, no log line each', async () => {
    const settings = {
      pixKey: 'key',
      callbackSecret: 'the secret',
      callbackCertificate: 'CN=bank',
      keysUrl: 'http://127.0.0.1:1/keys',
    };
    const trial = { data_criacao: '2026-01-01', evento: 'teste_webhook', event: 'OPENPIX:CHARGE_COMPLETED' };
    const deposit = await harness.insertDeposit(operation, {});
    const paid = { endToEndId: `E${'1'.repeat(31)}`, txid: chargeReferenceOf(deposit.id), valor: '1.00', horario: '' };
    const bodies = [
      ...['', '{}', 'x', JSON.stringify({ pix: [] }), JSON.stringify({ pix: [paid] }), JSON.stringify(trial)],
      JSON.stringify({ ...trial, data_criacao: 'x'.repeat(190_000) }),
      `${JSON.stringify(trial)}${' '.repeat(190_000)}`,
    ];
    const paths = ['/pix', '/events', `/${'x'.repeat(2_000)}`];
    for (const dialect of DIALECT_NAMES) {
      await harness.database.alert.deleteMany();
      const lines: string[] = [];
      const reader = DIALECTS[dialect].openCallbacks('simulator', { ...settings, dialect }, {});
      const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
      const target = await listen(harness.ofIngress, passedOn, { readers: () => reader, logger });
      try {
        const asked = paths.flatMap((path) => bodies.map((body) => post(`/callbacks/simulator${path}`, body, target)));
        for (const { status } of await Promise.all(asked))
          assert.ok(status === 401 || (dialect === 'woovi' && status === 200), `${dialect} ${status}`);
      } finally {
        target.close();
      }
      assert.deepEqual((await alerts('CALLBACK_FORGED')).length, await harness.database.alert.count(), dialect);
      assert.equal(await harness.database.providerCallback.count(), 0, dialect);
      assert.deepEqual(harness.temporal.signals, [], dialect);
      assert.equal(lines.length, 1, `${dialect} ${lines.join('')}`);
    }
  });

  it('a provider’s certificate: believed from the edge’s address, dropped from any other', async () => {
    const reader = DIALECTS.efi.openCallbacks(
      'simulator',
      { dialect: 'efi', pixKey: null, callbackSecret: null, callbackCertificate: 'CN=bank', keysUrl: null },
      {},
    );
    const statusFrom = async (edge: string, certificate = 'SUCCESS CN=bank') => {
      const trustedProxies = new BlockList();
      if (edge !== '') trustedProxies.addAddress(edge);
      const target = await listen(harness.ofIngress, passedOn, { readers: () => reader, trustedProxies });
      try {
        const headers = { connection: 'close', 'X-Provider-Certificate': certificate };
        const path = `http://127.0.0.1:${portOf(target)}/callbacks/simulator`;
        return (await fetch(path, { method: 'POST', body: '{"pix":[]}', headers })).status;
      } finally {
        target.close();
      }
    };
    assert.equal(await statusFrom('127.0.0.1'), 200);
    assert.equal(await statusFrom('127.0.0.1', 'SUCCESS CN=other'), 401);
    for (const edge of ['', '127.0.0.2']) assert.equal(await statusFrom(edge), 401, edge);
  });

  it('malformed: 400 that names the field', async () => {
    verdict = { kind: 'malformed', reason: 'pix.0.endToEndId: required' };
    const answer = await post('/callbacks/simulator/pix');
    assert.deepEqual([answer.status, answer.body?.['detail']], [400, 'pix.0.endToEndId: required']);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  });

  it('Temporal down: kept, and 503 so that the provider repeats', async () => {
    const deposit = await harness.insertDeposit(operation, {});
    verdict = accepted({ kind: 'charge', reference: chargeReferenceOf(deposit.id), endToEndId: 'E1' });
    harness.temporal.isDown = true;
    const answer = await post('/callbacks/simulator/pix');
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2']);
    harness.temporal.isDown = false;
    assert.equal((await post('/callbacks/simulator/pix')).status, 200);
    assert.equal(harness.temporal.signals.length, 1);
  });

  it('Postgres down: 503', async () => {
    const unreachable = nowhere();
    const broken = await listen(unreachable);
    try {
      for (const next of [accepted(), { kind: 'forged', reason: 'chave is not our key' } as const]) {
        verdict = next;
        assert.equal((await post('/callbacks/simulator/pix', '{}', broken)).status, 503);
      }
    } finally {
      broken.closeAllConnections();
      broken.close();
      await unreachable.$disconnect();
    }
  });

  it('anything else is 404: other paths, other methods, providers without a configuration', async () => {
    verdict = accepted();
    for (const path of [
      '/',
      '/callbacks',
      '/callbacks/nobody/pix',
      '/callbacks/b/pix',
      '/v1/ping',
      '//callbacks/simulator/pix',
    ])
      assert.equal((await post(path)).status, 404, path);
    assert.equal((await post('/callbacks/simulator/pix', '', server, 'GET')).status, 404);
  });

  it('a body over 256 KiB: 413, also when it does not say so beforehand', async () => {
    verdict = accepted();
    assert.equal((await post('/callbacks/simulator/pix', 'x'.repeat(CALLBACK_LIMIT_BYTES))).status, 200);
    assert.equal(
      await statusOf(
        `POST /callbacks/simulator/pix HTTP/1.1\r\nHost: x\r\nContent-Length: ${CALLBACK_LIMIT_BYTES + 1}\r\n\r\n`,
      ),
      413,
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    assert.equal(
      await statusOf(
        `POST /callbacks/simulator/pix HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`,
      ),
      413,
    );
  });

  /** The status line that the raw bytes are answered with. */
  function statusOf(request: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const socket = connect(portOf(server), '127.0.0.1', () => socket.write(request));
      socket.setTimeout(5_000, () => reject(new Error('no answer')));
      socket.once('data', (data) => {
        socket.destroy();
        resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString())?.[1]));
      });
      socket.once('error', reject);
    });
  }
});
