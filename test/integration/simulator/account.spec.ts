// `gateway provider`: an account at each dialect of a bank, set up and checked against the simulator, with everything
// wrong that people get wrong.
import assert from 'node:assert/strict';
import { checksOf } from '../../../cli/commands/provider/checks.js';
import { withSlot } from '../../../cli/commands/provider/slot.js';
import { createContext } from '../../../cli/context.js';
import { ownContext } from '../../../cli/own-context.js';
import { aCharge, type Bench, type Changed, environmentFor, openBench } from './harness.js';
import { type Run, runWith } from '../cli/support.js';
import type { TlsSettings } from '../../../providers/settings.js';
import { TEST_CERTIFICATE, TEST_PKCS12, TEST_PKCS12_PASSWORD } from '../../unit/providers/test-certificate.js';

const WOOVI = {
  PROVIDER_A_DIALECT: 'woovi',
  PROVIDER_A_CLIENT_ID: undefined,
  PROVIDER_A_CALLBACK_KEYS_URL: 'URL/a/api/v1/webhook/public-keys',
};

interface Checked {
  readonly wrong: number;
  readonly checks: { check: string; result: string; found: string; advice: string | null }[];
}

describe('gateway provider', () => {
  let bench: Bench;
  let environment: NodeJS.ProcessEnv;
  let output = '';
  afterEach(async () => {
    await bench.close();
    assert.doesNotMatch(output, /callback-secret|secret of|hmac=/, 'no secret is printed');
    output = '';
  });
  const open = async (changed: Changed) => {
    bench = await openBench({}, changed);
    environment = environmentFor(bench.simulator.url, changed);
  };
  const run = async (more: NodeJS.ProcessEnv, ...argv: string[]): Promise<Run> => {
    const ran = await runWith({ ...environment, ...more }, ['provider', ...argv]);
    output += ran.stdout + ran.stderr;
    return ran;
  };
  const json = async <Value>(...argv: string[]): Promise<Value> => {
    const { stdout, stderr } = await run({}, ...argv);
    assert.ok(stdout !== '', stderr);
    return JSON.parse(stdout) as Value;
  };
  const check = async (more: NodeJS.ProcessEnv = {}, ...options: string[]) => {
    const { stdout, stderr, exitCode } = await run(more, 'check', 'a', ...options);
    assert.ok(stdout !== '', stderr);
    const { wrong, checks } = JSON.parse(stdout) as Checked;
    assert.equal(exitCode, wrong === 0 ? 0 : 1);
    return Object.fromEntries(checks.map((one) => [one.check, one]));
  };
  const results = (checks: Awaited<ReturnType<typeof check>>) =>
    Object.fromEntries(Object.entries(checks).map(([name, { result }]) => [name, result]));
  const edge = () => bench.receiverUrl;

  it('efi: from nothing registered to all well', async () => {
    await open({ PROVIDER_A_DIALECT: 'efi' });
    const before = await check({}, '--charge');
    assert.deepEqual(results(before), {
      environment: 'unclear',
      certificate: 'not_reported',
      credentials: 'ok',
      scopes: 'ok',
      clock: 'ok',
      webhook: 'wrong',
      'received list': 'ok',
      'sent list': 'ok',
      'disputed payments': 'ok',
      balance: 'ok',
      payouts: 'ok',
      charge: 'ok',
    });
    assert.match(before['webhook']?.advice ?? '', /register-webhook a/);
    const address = `${edge()}/callbacks/a`;
    const order = ['register-webhook', 'a', '--edge', edge(), '--without-certificate'] as const;
    const dry = await json<{ registered: unknown[]; dry_run: boolean }>(...order, '--dry-run');
    assert.deepEqual([dry.dry_run, dry.registered], [true, [{ event: null, url: address }]]);
    assert.equal((await check())['webhook']?.found, 'none is registered');
    assert.deepEqual((await json<{ registered: unknown[] }>(...order)).registered, [{ event: null, url: address }]);
    // Efí's trial reached the ingress, and proved itself.
    assert.equal(bench.received.at(-1)?.verdict.kind, 'accepted');
    assert.equal((await check({}, '--edge', edge()))['webhook']?.result, 'ok');
    assert.equal((await json<{ kept: number }>(...order)).kept, 1);
    const elsewhere = (await check({}, '--edge', 'https://other.example'))['webhook'];
    assert.deepEqual([elsewhere?.result, elsewhere?.found], ['wrong', `another is registered: ${address}`]);
  });

  it("an operation's own account is set up under its name, and its callbacks prove themselves there", async () => {
    await open({
      PROVIDER_A_ACCOUNT_ACME_DIALECT: 'efi',
      PROVIDER_A_ACCOUNT_ACME_URL: 'URL/a.acme',
      PROVIDER_A_ACCOUNT_ACME_CLIENT_ID: 'acme',
      PROVIDER_A_ACCOUNT_ACME_CLIENT_SECRET: 'the secret of its client',
      PROVIDER_A_ACCOUNT_ACME_PIX_KEY: 'acme@bank.test',
      PROVIDER_A_ACCOUNT_ACME_CALLBACK_SECRET: 'the secret of its callbacks',
    });
    const address = `${edge()}/callbacks/a.acme`;
    const { registered } = await json<{ registered: unknown[] }>(
      'register-webhook',
      'a.acme',
      '--edge',
      edge(),
      '--without-certificate',
    );
    assert.deepEqual(registered, [{ event: null, url: address }]);
    const trial = bench.received.at(-1);
    assert.deepEqual([trial?.path, trial?.verdict.kind], ['/callbacks/a.acme', 'accepted']);
    const { stdout } = await run({}, 'check', 'a.acme', '--edge', edge());
    const { wrong, checks } = JSON.parse(stdout) as Checked;
    assert.deepEqual([wrong, checks.find((one) => one.check === 'webhook')?.result], [0, 'ok']);
    // The account that all others share has none.
    assert.equal((await check())['webhook']?.result, 'not_reported');
    const { stderr } = await run({}, 'check', 'a.other');
    assert.match(stderr, /PROVIDER_A_ACCOUNT_OTHER_URL: is missing/);
  });

  it('an edge that does not answer Efí’s trial is not registered', async () => {
    await open({ PROVIDER_A_DIALECT: 'efi' });
    bench.answerWith = 401;
    const { exitCode, stderr } = await run({}, 'register-webhook', 'a', '--edge', edge());
    assert.deepEqual([exitCode, /not registered \(http_400\)/.test(stderr)], [1, true]);
  });

  it('woovi: an AppID, and a webhook for each event', async () => {
    await open(WOOVI);
    const before = results(await check({}, '--charge'));
    assert.deepEqual(
      [before['credentials'], before['scopes'], before['webhook'], before['balance'], before['charge']],
      ['ok', 'not_reported', 'wrong', 'ok', 'ok'],
    );
    const order = ['register-webhook', 'a', '--edge', edge()] as const;
    const { registered } = await json<{ registered: { event: string; url: string }[] }>(...order);
    assert.equal(registered.length, 13);
    assert.ok(registered.every(({ url }) => url === `${edge()}/callbacks/a/events`));
    // Woovi's test of each address reached the ingress, which needs no proof for it.
    const tests = bench.received.map(({ body, verdict }) => [JSON.parse(body.toString()).event, verdict.kind]);
    assert.deepEqual(
      tests,
      registered.map(({ event }) => [event, 'trial']),
    );
    const again = await json<{ registered: unknown[]; kept: number }>(...order);
    assert.deepEqual([again.registered, again.kept], [[], 13]);
    assert.equal((await check({}, '--edge', edge()))['webhook']?.result, 'ok');
  });

  it('api-pix: receives only, and reports no balance', async () => {
    await open({ PROVIDER_A_DIALECT: 'api-pix' });
    const checks = results(await check());
    assert.deepEqual(
      [checks['scopes'], checks['webhook'], checks['received list'], checks['balance'], checks['payouts']],
      ['ok', 'wrong', 'ok', 'not_reported', 'not_reported'],
    );
    const { exitCode, stderr } = await run({}, 'balance', 'a');
    assert.deepEqual([exitCode, stderr], [1, 'gateway: api-pix: this dialect reports no balance\n']);
  });

  it('balance and what was received, as the provider reports them; no payer', async () => {
    await open({ PROVIDER_A_DIALECT: 'efi' });
    const charge = aCharge();
    await bench.providers('a').createCharge(charge);
    await bench.control('PUT', '/a/balance', { amount_minor: '1000' });
    const paid = await bench.steering.payCharge('a', charge.reference, { amountMinor: null, payerDocument: null });
    assert.ok(paid.kind === 'done');
    const balance = await json<object>('balance', 'a');
    assert.deepEqual(balance, {
      slot: 'a',
      available: { amount: String(999n + charge.amountMinor), currency: 'BRL' },
      blocked: { amount: '0', currency: 'BRL' },
    });
    const from = new Date(Date.now() - 60_000).toISOString();
    const { payments } = await json<{ payments: Record<string, unknown>[] }>('statement', 'a', '--from', from);
    assert.deepEqual(
      payments.map(({ end_to_end_id, reference, returns }) => [end_to_end_id, reference, returns]),
      [[paid.endToEndId, charge.reference, '']],
    );
    assert.ok(!JSON.stringify(payments).includes(charge.payer.document.number));
  });

  for (const dialect of ['api-pix', 'woovi'] as const)
    it(`${dialect}: what was received is listed over several pages, each payment once`, async () => {
      await open(dialect === 'woovi' ? WOOVI : { PROVIDER_A_DIALECT: dialect });
      const atMs = Date.now() - 60_000;
      for (let index = 0; index < 250; index += 1)
        await bench.control('POST', '/a/received', {
          amount_minor: String(index + 1),
          paid_at: new Date(atMs + index * 20).toISOString(),
        });
      const from = new Date(atMs).toISOString();
      const answered = await json<{ payments: { amount: { amount: string } }[] }>(
        ...(['statement', 'a', '--from', from, '--limit', '1000'] as const),
      );
      const amounts = answered.payments.map(({ amount: { amount } }) => Number(amount)).sort((a, b) => a - b);
      assert.deepEqual(
        amounts,
        Array.from({ length: 250 }, (_, index) => index + 1),
      );
    });

  describe('what is wrong is said, with what to do', () => {
    beforeEach(() => open({ PROVIDER_A_DIALECT: 'efi' }));

    it('a wrong secret; nothing more is asked', async () => {
      const checks = await check({ PROVIDER_A_CLIENT_SECRET: 'another secret of the client' });
      assert.deepEqual(results(checks), { environment: 'unclear', certificate: 'not_reported', credentials: 'wrong' });
      assert.match(checks['credentials']?.advice ?? '', /CLIENT_SECRET/);
    });

    it('a scope that was not granted', async () => {
      const { scopes } = await check({ PROVIDER_A_SCOPES: 'cob.write cob.read pix.write pix.read webhook.write' });
      assert.equal(
        scopes?.found,
        'missing: webhook.read pix.send gn.pix.send.read gn.balance.read gn.infractions.read',
      );
    });

    it('an address that nobody answers', async () => {
      const { credentials } = await check({ PROVIDER_A_URL: 'http://127.0.0.1:1/a' });
      assert.equal(credentials?.found, 'not reached (connection_refused)');
    });

    it('a slot that is no slot, or is not configured; an edge with a path', async () => {
      assert.match((await run({}, 'check', 'c')).stderr, /SLOT: must be one of simulator, a, b/);
      const none = Object.fromEntries(
        Object.keys(environment)
          .filter((name) => /^PROVIDER_B/.test(name))
          .map((name) => [name, undefined]),
      );
      assert.match((await run(none, 'check', 'b')).stderr, /PROVIDER_B_URL: is missing/);
      assert.match((await run({}, 'check', 'a', '--edge', 'https://e.example/x')).stderr, /--edge: must be an address/);
    });

    const stepsAt = (nowMs: number, tls?: TlsSettings) =>
      withSlot(
        createContext(environment, ownContext({ environment, writeError: () => undefined })),
        'a',
        async (slot) => {
          const settings = { ...slot.settings, ...(tls === undefined ? {} : { tls }) };
          const steps: Record<string, string> = {};
          for await (const { check: step, result, found } of checksOf(
            { ...slot, settings },
            { webhooks: null, withCharge: false, nowMs },
          ))
            steps[step] = `${result}: ${found}`;
          return steps;
        },
      );

    it('a clock that is off', async () => {
      assert.match((await stepsAt(Date.now() + 90_000))['clock'] ?? '', /^wrong: (89|90|91) s ahead of the provider’s/);
      assert.match((await stepsAt(Date.now() - 90_000))['clock'] ?? '', /^wrong: (89|90|91) s behind/);
    });

    const pkcs12 = { pfx: TEST_PKCS12, passphrase: TEST_PKCS12_PASSWORD };
    it('a certificate that has ended, or ends soon', async () => {
      const endMs = Date.parse('2120-01-01T00:00:00Z');
      const at = async (days: number, tls: TlsSettings) =>
        (await stepsAt(endMs - days * 86_400_000, tls))['certificate'] ?? '';
      const pem = { cert: TEST_CERTIFICATE };
      assert.match(await at(40, pem), /^ok: CN=localhost: good for 40 days/);
      assert.match(await at(20, pem), /^unclear: CN=localhost: ends in 20 days/);
      assert.match(await at(-2, pkcs12), /^wrong: CN=localhost: ended 2 days ago/);
    });

    it('a PKCS#12 file that does not open with its password', async () => {
      const steps = await stepsAt(Date.now(), { ...pkcs12, passphrase: 'another' });
      assert.equal(steps['certificate'], 'wrong: cannot be opened');
    });
  });
});
