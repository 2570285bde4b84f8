// The operator's client as a package: packed, installed alone, and used against the whole gateway by its types, its
// functions and its tool.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifyWebhook } from '../../client/index.js';
import { TRIGGERS } from '../../client/tool/trigger.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { eventually } from '../../lab/harness/eventually.js';
import { type Receiver, startReceiver } from '../../lab/harness/receiver.js';
import { type Stack, startStack } from '../../lab/harness/stack.js';

const run = promisify(execFile);
const TIMEOUT_MS = 5 * 60_000;
const PACKED_LIMIT_BYTES = 60_000;
const BRUNO = '@usebruno/cli@4.1.0';

const USE = `
import { createGatewayClient, ProblemError, type Deposit } from 'operator-payments';
const gateway = createGatewayClient({
  baseUrl: process.env['OPERATOR_PAYMENTS_BASE_URL']!,
  keyId: process.env['OPERATOR_PAYMENTS_KEY_ID']!,
  secret: process.env['OPERATOR_PAYMENTS_SECRET']!,
});
const player = {
  external_ref: 'package-1',
  document: { type: 'CPF', number: '52998224725', country: 'BR' },
} as const;
const order = { external_id: 'package-1', player, amount: { amount: '5000', currency: 'BRL' }, method: 'pix' } as const;
const deposit: Deposit = (await gateway.createDeposit(order, { idempotencyKey: 'deposit-create:package-1' })).body;
const refusal: unknown = await gateway
  .createDeposit(order, { idempotencyKey: 'deposit-create:package-2' })
  .catch((error: unknown) => error);
if (!(refusal instanceof ProblemError)) throw new Error('no refusal');
console.log(deposit.status, refusal.code, refusal.verdict, refusal.existing?.id === deposit.id);
await gateway.close();
`;

describe('the client as a package', function () {
  this.timeout(TIMEOUT_MS);
  let folder: string;
  let stack: Stack;
  let receiver: Receiver;
  let listener: ChildProcess | undefined;
  let environment: NodeJS.ProcessEnv;
  const bin = () => join(folder, 'node_modules', '.bin', 'operator-payments');

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'client-package-'));
    await run(process.execPath, [join(projectRoot(), 'tools', 'client-package.mjs'), folder]);
    const [packed] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    const { size } = statSync(join(folder, String(packed)));
    assert.ok(size <= PACKED_LIMIT_BYTES, `${size} bytes`);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`], { cwd: folder });
    stack = await startStack();
    receiver = await startReceiver();
    const { key_id: keyId, secret } = stack.operation;
    environment = {
      PATH: process.env['PATH'],
      OPERATOR_PAYMENTS_BASE_URL: stack.baseUrl,
      OPERATOR_PAYMENTS_KEY_ID: keyId,
      OPERATOR_PAYMENTS_SECRET: secret,
    };
  });
  after(async () => {
    listener?.kill();
    await receiver?.close();
    await stack?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('brings nothing else', () =>
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['operator-payments'],
    ));

  it('compiles under strict rules, and pays', async () => {
    writeFileSync(join(folder, 'use.ts'), USE);
    const typeRoots = join(projectRoot(), 'node_modules', '@types');
    const options = ['--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2022'];
    const compiler = join(projectRoot(), 'node_modules', 'typescript-7', 'bin', 'tsc');
    await run(process.execPath, [compiler, ...options, '--types', 'node', '--typeRoots', typeRoots, 'use.ts'], {
      cwd: folder,
    });
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder, env: environment });
    assert.equal(stdout.trim(), 'pending duplicate_external_id payment_exists true');
  });

  it('triggers every event, and listens to each with its signature', async () => {
    listener = spawn(bin(), ['listen', '--forward-to', receiver.url], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    listener.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await eventually(() => printed.startsWith('listening'), 'the tool listens');
    for (const event of Object.keys(TRIGGERS)) {
      const { stdout } = await run(bin(), ['trigger', event, '--json'], { env: environment });
      const made = JSON.parse(stdout) as { event_id: string; type: string; object_id: string };
      assert.equal(made.type, event);
      await receiver.waitFor(made.object_id, event, 30_000);
    }
    const nowSeconds = Math.floor(Date.now() / 1_000);
    for (const [index, headers] of receiver.headers.entries()) {
      const verified = verifyWebhook(
        { headers, rawBody: Buffer.from(receiver.bodies[index]!) },
        { secrets: [stack.operation.webhook_secret], nowSeconds, toleranceSeconds: 600 },
      );
      assert.ok(verified.ok, JSON.stringify(verified));
    }
  });

  it('has beside it a Bruno collection that signs', async function () {
    const tool = join(folder, 'bruno-cli');
    try {
      await run('npm', ['install', '--prefix', tool, '--no-audit', '--no-fund', '--ignore-scripts', BRUNO]);
    } catch {
      process.stderr.write('skipped: the command line of Bruno cannot be installed here\n');
      this.skip();
    }
    const { key_id: keyId, secret } = stack.operation;
    const values = [`base_url=${environment['OPERATOR_PAYMENTS_BASE_URL']}`, `key_id=${keyId}`, `secret=${secret}`];
    // It fails if a request of the collection is not answered as it says.
    await run(
      join(tool, 'node_modules', '.bin', 'bru'),
      ['run', '--env', 'sandbox', '--sandbox=safe', ...values.flatMap((value) => ['--env-var', value])],
      { cwd: join(projectRoot(), 'client', 'bruno') },
    );
  });
});
