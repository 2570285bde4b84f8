// `gateway operation …`: what onboarding stores, whole or not at all.
import assert from 'node:assert/strict';
import { createTestGateway, type TestGateway, openedKey, openedWebhookSecret } from './support.js';

const SCOPES = ['read', 'deposits:write', 'withdrawals:write', 'rules:propose'];
const BASICS = ['operation', 'create', '--name', 'Acme', '--environment', 'sandbox', '--provider', 'simulator'];

describe('gateway operation', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await createTestGateway();
  });
  after(() => gateway.close());

  it('create in the sandbox prints exactly the documented object', async () => {
    const created = await gateway.operation();
    assert.deepEqual(Object.keys(created), ['operation_id', 'key_id', 'secret', 'scopes', 'webhook_secret']);
    assert.match(created['operation_id'], /^op_[0-9a-f]{32}$/);
    assert.match(created['key_id'], /^key_test_[A-Za-z0-9]{24}$/);
    assert.match(created['secret'], /^[A-Za-z0-9]{48}$/);
    assert.match(created['webhook_secret'], /^whsec_[A-Za-z0-9]{48}$/);
    assert.deepEqual(created['scopes'], SCOPES);
  });

  it('create stores counter, ledger accounts, rule set 1, networks, and the secrets sealed', async () => {
    const rules = gateway.file('{"currencies":{"BRL":{"deposit_min":"100"}}}');
    const created = await gateway.operation(
      '--webhook-url',
      'http://127.0.0.1:9/hooks',
      '--rules',
      rules,
      '--allow',
      '10.0.0.0/24',
      '10.0.0.0/24',
      '--allow',
      '2001:DB8::1',
    );
    const id = created['operation_id'];
    const [operation] = await gateway.rows('SELECT * FROM operation WHERE id = $1', id);
    assert.deepEqual(
      [
        operation?.['name'],
        operation?.['environment'],
        operation?.['provider'],
        operation?.['status'],
        operation?.['webhook_url'],
      ],
      ['Acme', 'sandbox', 'simulator', 'active', 'http://127.0.0.1:9/hooks'],
    );
    assert.equal(
      (await gateway.rows('SELECT 1 FROM operation_counter WHERE operation_id = $1 AND event_sequence = 0', id)).length,
      1,
    );
    const accounts = await gateway.rows(
      `SELECT account FROM ledger_account WHERE operation_id = $1 AND currency = 'BRL' AND balance_minor = 0 ORDER BY 1`,
      id,
    );
    assert.deepEqual(
      accounts.map((row) => row['account']),
      ['available', 'pending_in', 'pending_out', 'provider_clearing', 'suspense'],
    );
    const [ruleSet] = await gateway.rows('SELECT version, rules FROM rule_set_version WHERE operation_id = $1', id);
    assert.equal(ruleSet?.['version'], 1);
    assert.equal(ruleSet?.['rules'].currencies.BRL.deposit_min, '100');
    const networks = await gateway.rows('SELECT cidr FROM allowed_network WHERE operation_id = $1 ORDER BY 1', id);
    assert.deepEqual(
      networks.map((row) => row['cidr']),
      ['10.0.0.0/24', '2001:db8::1/128'],
    );
    const [key] = await gateway.rows('SELECT * FROM api_key WHERE operation_id = $1', id);
    assert.equal(openedKey(key), created['secret']);
    assert.ok(
      !key?.['secret_sealed'].toString('latin1').includes(created['secret']),
      'the secret is not stored in the clear',
    );
    const [secret] = await gateway.rows('SELECT * FROM webhook_secret WHERE operation_id = $1', id);
    assert.equal(openedWebhookSecret(secret), created['webhook_secret']);
  });

  it('create in production grants nothing: key and allowlist are requests', async () => {
    const created = await gateway.json(
      'operation create --name Acme --environment production --provider a --as ana',
      ...['--webhook-url', 'https://acme.example/h', '--allow', '10.0.0.0/24'],
    );
    assert.deepEqual([created['key_id'], created['secret']], [null, null]);
    assert.deepEqual(
      created['requests'].map((request: { kind: string }) => request.kind),
      ['key', 'webhook_secret', 'allowlist'],
    );
    assert.equal(created['webhook_secret'], null);
    const id = created['operation_id'];
    assert.deepEqual(await gateway.rows('SELECT key_id FROM api_key WHERE operation_id = $1', id), []);
    assert.deepEqual(await gateway.rows('SELECT cidr FROM allowed_network WHERE operation_id = $1', id), []);
    assert.equal(
      (
        await gateway.rows(
          `SELECT 1 FROM approval_request WHERE operation_id = $1 AND status = 'pending' AND requested_by = 'ana'`,
          id,
        )
      ).length,
      3,
    );
  });

  it('create refuses by one line that names the option, and stores nothing', async () => {
    const stored = () => gateway.rows('SELECT count(*) AS operations FROM operation');
    const before = await stored();
    const live = 'operation create --name A --environment production --provider';
    const local = /--webhook-url: leads to a private, loopback or link-local address/;
    await gateway.fails(2, /'--name <name>'/, 'operation create --environment sandbox --provider simulator');
    await gateway.fails(
      2,
      /--provider.*simulator, a, b/,
      'operation create --name A --environment sandbox --provider c',
    );
    await gateway.fails(2, /--provider: must not be the simulator/, `${live} simulator`);
    await gateway.fails(2, /--webhook-url: must be https/, `${live} a --webhook-url http://x.test/`);
    await gateway.fails(2, local, `${live} a --webhook-url https://169.254.169.254/latest`);
    await gateway.fails(2, local, `${live} a --webhook-url https://localhost:8443/h`);
    const refused = (line: RegExp, ...more: string[]) => gateway.fails(2, line, ...BASICS, ...more);
    await refused(/--allow: .*wider than \/24/, '--allow', '10.0.0.0/16');
    await refused(
      /--webhook-url: leads to a private or link-local address/,
      ...['--webhook-url', 'http://169.254.169.254/latest'],
    );
    await refused(/--rules: .*ENOENT/, '--rules', '/nonexistent/rules.json');
    await refused(/--rules: .*larger than/, '--rules', gateway.file(' '.repeat(70_000)));
    await refused(/--rules: is not valid JSON/, '--rules', gateway.file('currencies: BRL'));
    await refused(
      /--rules: currencies\.USD: is not an enabled currency/,
      ...['--rules', gateway.file('{"currencies":{"BRL":{},"USD":{}}}')],
    );
    await refused(
      /--rules: currencies\.BRL\.deposit_min: is given twice/,
      ...['--rules', gateway.file('{"currencies":{"BRL":{"deposit_min":"1","deposit_min":"1"}}}')],
    );
    assert.deepEqual(await stored(), before);
  });

  it('create stores nothing at all when a later step fails', async () => {
    await gateway.rows(`ALTER TABLE api_key ADD CONSTRAINT no_more_keys CHECK (false) NOT VALID`);
    try {
      const stored = () =>
        gateway.rows(
          `SELECT (SELECT count(*) FROM operation) AS o, (SELECT count(*) FROM ledger_account) AS l,
             (SELECT count(*) FROM rule_set_version) AS r, (SELECT count(*) FROM webhook_secret) AS w`,
        );
      const before = await stored();
      await gateway.fails(1, /PostgreSQL refused or failed/, ...BASICS);
      assert.deepEqual(await stored(), before);
    } finally {
      await gateway.rows('ALTER TABLE api_key DROP CONSTRAINT no_more_keys');
    }
  });

  it('suspend and resume change the status, also twice', async () => {
    const { operation_id: id } = await gateway.operation();
    for (const [command, status] of [
      ['suspend', 'suspended'],
      ['suspend', 'suspended'],
      ['resume', 'active'],
    ] as const) {
      assert.deepEqual(await gateway.json('operation', command, id), { operation_id: id, status });
      assert.equal((await gateway.rows('SELECT status FROM operation WHERE id = $1', id))[0]?.['status'], status);
    }
    await gateway.fails(1, /no such operation/, 'operation', 'suspend', 'op_0');
    await gateway.fails(2, /ID: must be the id of an operation/, 'operation', 'suspend', 'dep_0');
    await gateway.fails(2, /missing required argument 'id'/, 'operation', 'suspend');
  });

  it('list shows operations with their active keys and no secret', async () => {
    const created = await gateway.operation();
    const { stdout } = await gateway.run('operation', 'list');
    const listed = (JSON.parse(stdout) as { operations: Record<string, unknown>[] }).operations;
    assert.equal(listed[0]?.['operation_id'], created['operation_id']);
    assert.deepEqual(
      (listed[0]?.['active_keys'] as { key_id: string }[]).map((key) => key.key_id),
      [created['key_id']],
    );
    assert.ok(!stdout.includes(created['secret']) && !stdout.includes(created['webhook_secret']));
    assert.equal((await gateway.json('operation', 'list', '--limit', '1'))['operations'].length, 1);
    await gateway.fails(2, /--limit/, 'operation', 'list', '--limit', '0');
  });

  it('set-webhook follows the environment of the operation', async () => {
    const { operation_id: sandbox } = await gateway.operation();
    const url = 'http://127.0.0.1:1234/hooks?x=1';
    assert.deepEqual(await gateway.json('operation', 'set-webhook', '--operation', sandbox, url), {
      operation_id: sandbox,
      webhook_url: url,
    });
    assert.equal(
      (await gateway.rows('SELECT webhook_url FROM operation WHERE id = $1', sandbox))[0]?.['webhook_url'],
      url,
    );
    const production = await gateway.json('operation create --name P --environment production --provider b');
    await gateway.fails(2, /URL: must be https/, 'operation set-webhook --operation', production['operation_id'], url);
    await gateway.fails(
      2,
      /URL: leads to a private/,
      'operation set-webhook --operation',
      production['operation_id'],
      'https://192.168.1.1/hooks',
    );
    await gateway.fails(1, /no such operation/, 'operation', 'set-webhook', '--operation', 'op_0', url);
  });
});
