// The simulator itself: its memory over restarts, its callbacks' perseverance, and its control interface.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { fromKnownNetworks } from '../../../sandbox/simulator/control.js';
import { openJournal } from '../../../sandbox/simulator/journal.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { aCharge, ANA, aPayout, environmentFor, newReference, openBench, type Bench } from './harness.js';

describe('simulator over restarts', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());

  it('knows charges, payments, returns, payouts, sends, keys and outages as before', async () => {
    const provider = bench.providers('simulator');
    const charge = aCharge();
    const payout = aPayout();
    const key = { type: 'email', value: `${newReference()}@player.test` } as const;
    await provider.createCharge(charge);
    await bench.steering.payCharge('simulator', charge.reference, { amountMinor: 4_999n, payerDocument: null });
    await bench.steering.reverseCharge('simulator', charge.reference, { kind: 'chargeback', amountMinor: null });
    await provider.sendPayout(payout);
    await bench.steering.settlePayout('simulator', payout.reference, 'failed', 'AC06');
    await bench.control('PUT', `/simulator/keys/${key.value}`, {
      key_type: 'email',
      owner: { type: 'CPF', number: '11144477735' },
    });
    await bench.control('PUT', '/b/outage', { mode: 'error' });
    const chargeBefore = await provider.lookUpCharge(charge.reference);
    const payoutBefore = await provider.lookUpPayout(payout);
    const booksBefore = await bench.books(charge.reference);

    await bench.restart();

    assert.deepEqual(await provider.lookUpCharge(charge.reference), chargeBefore);
    assert.deepEqual(await provider.lookUpPayout(payout), payoutBefore);
    assert.deepEqual(await bench.books(charge.reference), booksBefore);
    assert.equal((await bench.books(payout.reference)).payouts[0]?.['sends'], 1);
    assert.deepEqual(await provider.lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA }), { kind: 'mismatch' });
    // Not even a token is to be had.
    assert.deepEqual(await bench.providers('b').lookUpCharge(newReference()), {
      kind: 'unknown',
      reason: 'token_http_500',
    });
    await bench.control('PUT', '/b/outage', { mode: 'none' });
  });

  it('a bearer token outlives it, so the first payout after it is no doubt', async () => {
    const before = await bench.providers('a').sendPayout(aPayout());
    await bench.restart();
    const after = await bench.providers('a').sendPayout(aPayout());
    assert.deepEqual([before.kind, after.kind], ['reply', 'reply']);
  });

  it('continues with what it had still to do by itself', async () => {
    const payout = aPayout({ amountMinor: 66622n });
    const charge = aCharge({ amountMinor: 66611n });
    await bench.providers('simulator').sendPayout(payout);
    await bench.providers('simulator').createCharge(charge);
    await bench.restart();
    await eventually(() => bench.noticesOf(payout.reference).length >= 1, 'the payout settles');
    await eventually(() => bench.noticesOf(charge.reference).length >= 1, 'the charge is paid');
  });

  it('delivers callbacks that were not answered yet', async () => {
    const charge = aCharge();
    await bench.providers('simulator').createCharge(charge);
    bench.answerWith = 500;
    await bench.steering.payCharge('simulator', charge.reference, { amountMinor: null, payerDocument: null });
    await eventually(() => bench.noticesOf(charge.reference).length >= 1, 'a failed attempt');
    await bench.simulator.close();
    const attempts = bench.noticesOf(charge.reference).length;
    bench.answerWith = 200;
    await bench.restart();
    await eventually(() => bench.noticesOf(charge.reference).length > attempts, 'a delivery after the restart');
    await eventually(
      async () =>
        (await bench.control('GET', '/books')).body !== null &&
        ((await bench.control('GET', '/books')).body as { waiting_callbacks: number }).waiting_callbacks === 0,
      'nothing left to deliver',
    );
  });
});

describe('simulator callbacks', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());

  it('come again until they are answered 2xx, then no more', async () => {
    const charge = aCharge();
    await bench.providers('a').createCharge(charge);
    bench.answerWith = 503;
    await bench.steering.payCharge('a', charge.reference, { amountMinor: null, payerDocument: null });
    await eventually(() => bench.noticesOf(charge.reference).length >= 2, 'a second attempt');
    bench.answerWith = 200;
    const refused = bench.noticesOf(charge.reference).length;
    await eventually(() => bench.noticesOf(charge.reference).length === refused + 1, 'the accepted attempt');
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(bench.noticesOf(charge.reference).length, refused + 1);
  });

  it('carry no payer: who paid is reported by the look-up only', async () => {
    const charge = aCharge();
    await bench.providers('simulator').createCharge(charge);
    await bench.steering.payCharge('simulator', charge.reference, { amountMinor: null, payerDocument: null });
    await eventually(() => bench.noticesOf(charge.reference).length === 1, 'the callback');
    assert.ok(bench.received.every(({ body }) => !body.includes(ANA.number)));
  });

  it('prove their sender as each dialect does', () => {
    const ofA = bench.received.find(({ provider }) => provider === 'a');
    assert.ok(ofA);
    assert.equal(
      ofA.headers['x-assinatura'],
      `sha256=${createHmac('sha256', 'callback secret of A').update(ofA.body).digest('hex')}`,
    );
    assert.ok(bench.received.some(({ provider }) => provider === 'simulator'));
    assert.deepEqual([...new Set(bench.received.map(({ verdict }) => verdict.kind))], ['accepted']);
  });
});

describe('simulator control interface: from where', () => {
  const networks = new BlockList();
  networks.addSubnet('172.30.8.0', 24, 'ipv4');
  /** The status for a caller; 200 where it is let through. */
  async function statusFor(remoteAddress: string, origin = ''): Promise<number> {
    const ctx = { req: { socket: { remoteAddress } }, get: () => origin, status: 200 };
    await fromKnownNetworks(networks)(ctx as never, () => Promise.resolve());
    return ctx.status;
  }
  it('this machine and the networks that are named → answered; others → 403', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '172.30.8.9', '::ffff:172.30.8.9'])
      assert.equal(await statusFor(address), 200, address);
    for (const address of ['172.30.9.9', '::ffff:10.0.0.1', 'fd00::1', ''])
      assert.equal(await statusFor(address), 403, address);
  });

  it('a page in a browser → 403, also from a network that is named', async () =>
    assert.equal(await statusFor('172.30.8.9', 'https://somewhere.test'), 403));
});

describe('simulator control interface', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());

  const refusals: readonly (readonly [
    title: string,
    method: 'POST' | 'PUT' | 'GET',
    path: string,
    body: object,
    status: number,
    reason: RegExp,
  ])[] = [
    ['an amount that is a number', 'POST', '/simulator/charges/x/pay', { amount_minor: 5000 }, 400, /^amount_minor: /],
    [
      'a document of the wrong length',
      'POST',
      '/simulator/charges/x/pay',
      { payer_document: { type: 'CNPJ', number: '123' } },
      400,
      /^payer_document\.number: /,
    ],
    ['an unknown field', 'POST', '/simulator/charges/x/pay', { amount: '1' }, 400, /amount/],
    ['a charge that does not exist', 'POST', '/simulator/charges/x/pay', {}, 404, /not_found/],
    ['a return of an unpaid charge', 'POST', '/simulator/charges/x/reverse', { kind: 'refund' }, 404, /not_found/],
    [
      'a code for a paid payout',
      'POST',
      '/simulator/payouts/x/settle',
      { result: 'paid', code: 'AC03' },
      400,
      /^code: /,
    ],
    ['an unknown provider', 'PUT', '/c/outage', { mode: 'none' }, 400, /^provider: /],
    [
      'a key of the wrong format',
      'PUT',
      '/simulator/keys/123',
      { key_type: 'phone', owner: { type: 'CPF', number: ANA.number } },
      400,
      /^key: /,
    ],
  ];
  for (const [title, method, path, body, status, reason] of refusals) {
    it(`refuses ${title}, naming the field`, async () => {
      const answer = await bench.control(method, path, body);
      assert.equal(answer.status, status);
      assert.match((answer.body as { reason: string }).reason, reason);
    });
  }

  it('pays a charge once, once more where it is told to, and returns the payment that is named', async () => {
    const charge = aCharge();
    await bench.providers('simulator').createCharge(charge);
    const path = `/simulator/charges/${charge.reference}`;
    await bench.control('POST', `${path}/pay`, {});
    assert.deepEqual(
      await bench.steering.payCharge('simulator', charge.reference, { amountMinor: null, payerDocument: null }),
      { kind: 'refused', reason: 'already_paid' },
    );
    await bench.control('POST', `${path}/pay`, { again: true, amount_minor: '4200' });
    const payments = async () =>
      (await bench.books(charge.reference)).charges[0]?.['payments'] as {
        end_to_end_id: string;
        amount_minor: string;
        reversals: { amount_minor: string }[];
      }[];
    const [first, second] = await payments();
    assert.equal(second?.amount_minor, '4200');
    await bench.control('POST', `${path}/reverse`, { kind: 'chargeback', end_to_end_id: first?.end_to_end_id });
    const [own, extra] = await payments();
    assert.equal(own?.reversals.length, 1);
    assert.deepEqual(extra?.reversals, []);
  });

  it('pays with a given time, also after expiry: payers can be late', async () => {
    const charge = aCharge({ expiresInSeconds: 1 });
    await bench.providers('simulator').createCharge(charge);
    await bench.control('POST', `/simulator/charges/${charge.reference}/pay`, { paid_at: '2030-01-02T03:04:05-03:00' });
    const found = await bench.providers('simulator').lookUpCharge(charge.reference);
    assert.ok(found.kind === 'found');
    assert.equal(found.payments[0]?.paidAt, '2030-01-02T06:04:05.000Z');
  });

  it('steering of what does not exist → not_found; of a simulator that is gone → unavailable', async () => {
    assert.deepEqual(
      await bench.steering.payCharge('simulator', newReference(), { amountMinor: null, payerDocument: null }),
      { kind: 'not_found' },
    );
    assert.deepEqual(await bench.steering.reverseCharge('a', newReference(), { kind: 'refund', amountMinor: null }), {
      kind: 'not_found',
    });
    await bench.simulator.close();
    assert.equal((await bench.steering.settlePayout('b', newReference(), 'paid')).kind, 'unavailable');
    await bench.restart();
  });
});

describe('simulator: one spelling of a key', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());

  /** A request past the adapter, which would not send such keys. Returns the status and the words of the answer. */
  async function call(method: 'PUT' | 'POST', path: string, body: object): Promise<{ status: number; text: string }> {
    const credentials = Buffer.from(
      ['client:SIMULATOR', 'client secret of SIMULATOR %+'].map(encodeURIComponent).join(':'),
    ).toString('base64');
    const token = await request(`${bench.simulator.url}/simulator/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    const { access_token } = (await token.body.json()) as { access_token: string };
    const answer = await request(`${bench.simulator.url}/simulator${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  for (const [tipoChave, raw, spelled] of [
    ['cpf', '529.982.247-25', '52998224725'],
    ['email', 'Ana@Player.TEST', 'ana@player.test'],
    ['phone', '11988887777', '+5511988887777'],
  ] as const) {
    it(`knows the ${tipoChave} key ${spelled}, and neither finds nor pays ${raw}`, async () => {
      const lookUp = (chave: string) =>
        call('POST', '/dict/consulta', { chave, tipoChave, esperado: { cpf: ANA.number } });
      const pay = (chave: string, reference: string) =>
        call('PUT', `/pix-out/${reference}`, {
          valor: '75.00',
          pagador: { chave: 'gateway@bank.test' },
          favorecido: { chave, tipoChave, cpf: ANA.number },
        });
      assert.equal((await lookUp(spelled)).status, 200);
      assert.equal((await pay(spelled, newReference())).status, 201);
      const unknown = await lookUp(raw);
      assert.deepEqual([unknown.status, /ChaveNaoEncontrada/.test(unknown.text)], [404, true]);
      const reference = newReference();
      const refused = await pay(raw, reference);
      assert.deepEqual([refused.status, /PixOutChaveNaoEncontrada/.test(refused.text)], [422, true]);
      assert.equal((await bench.books(reference)).payouts[0]?.['status'], 'not_accepted');
    });
  }
});

describe('look-up budget', () => {
  let bench: Bench;
  let nowMs = Date.now();
  before(async () => {
    bench = await openBench({ now: () => nowMs });
  });
  after(() => bench.close());

  for (const name of ['simulator', 'a', 'b'] as const) {
    it(`${name}: asks nothing more once a miss could empty it, and asks again when some has come back`, async () => {
      const provider = bench.providers(name);
      const ask = () =>
        provider.lookUpKeyOwner({
          operationId: 'op_1',
          key: { type: 'email', value: `${newReference()}@player.test` },
          expected: ANA,
        });
      await bench.control('PUT', `/${name}/key-budget`, { tokens: 20, refill_per_minute: 20 });
      assert.equal((await ask()).kind, 'match');
      await bench.control('PUT', `/${name}/key-budget`, { tokens: 1_000, refill_per_minute: 20 });
      const refused = await ask();
      assert.ok(refused.kind === 'unavailable');
      assert.equal(refused.reason, 'key_budget_spent');
      assert.ok(
        refused.retryAfterSeconds !== null && refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 60,
        String(refused.retryAfterSeconds),
      );
      nowMs += refused.retryAfterSeconds * 1_000;
      assert.equal((await ask()).kind, 'match');
    });
  }
});

describe('journal', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = () => {
    const entries: unknown[] = [];
    openJournal(folder, (entry) => entries.push(entry)).close();
    return entries;
  };

  it('replays in order what was appended, in a private file', async () => {
    const journal = openJournal<{ n: number }>(folder, () => undefined);
    for (const n of [1, 2, 3]) journal.append({ n });
    journal.close();
    assert.deepEqual(read(), [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const [file] = await readdir(folder);
    assert.equal((await stat(join(folder, file ?? ''))).mode & 0o077, 0);
  });

  it('drops a torn last line and continues behind it', async () => {
    const journal = openJournal<{ n: number }>(folder, () => undefined);
    journal.append({ n: 1 });
    journal.close();
    await appendFile(join(folder, 'simulator.jsonl'), '{"n":');
    const again = openJournal<{ n: number }>(folder, () => undefined);
    again.append({ n: 2 });
    again.close();
    assert.deepEqual(read(), [{ n: 1 }, { n: 2 }]);
  });

  it('refuses to guess at a broken line in the middle', async () => {
    await appendFile(join(folder, 'simulator.jsonl'), 'nonsense\n{"n":1}\n');
    assert.throws(() => read(), /line 1 is no JSON/);
  });
});

describe('simulator process', () => {
  const program = import.meta.url.endsWith('.js')
    ? [join(import.meta.dirname, '..', '..', '..', 'sandbox', 'simulator', 'main.js')]
    : ['--import', 'tsx', join(import.meta.dirname, '..', '..', '..', 'sandbox', 'simulator', 'main.ts')];
  const folder = mkdtempSync(join(tmpdir(), 'simulator-process-'));
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  after(() => rmSync(folder, { recursive: true }));

  for (const [variable, value] of [
    ['SIMULATOR_HOST', '192.0.2.1'],
    ['SIMULATOR_STATE_DIR', file],
  ] as const) {
    it(`${variable} that cannot be used ends it with one line that names it`, () => {
      const environment = {
        PATH: process.env['PATH'],
        ...environmentFor('http://127.0.0.1:1'),
        SIMULATOR_PORT: '0',
        SIMULATOR_STATE_DIR: join(folder, 'state'),
        [variable]: value,
      };
      const { status, stderr } = spawnSync(process.execPath, [...program], {
        env: environment,
        encoding: 'utf8',
        timeout: 15_000,
      });
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`^simulator: ${variable}: [^\\n]+\\n$`));
    });
  }
});
