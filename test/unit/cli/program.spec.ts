// The tree of commands: helpful everywhere, one line for every wrong call, and documented.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command } from 'commander';
import { createProgram, runGateway } from '../../../cli/program.js';
import { projectRoot } from '../../../platform/config/project-root.js';

async function run(...argv: string[]) {
  let [stdout, stderr] = ['', ''];
  const exitCode = await runGateway(argv, {
    environment: {},
    writeOut: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  });
  return { exitCode, stdout, stderr };
}

/** Every command that does something, as typed. */
function leaves(command: Command, path: readonly string[] = []): { path: readonly string[]; command: Command }[] {
  const own = command.commands.length === 0 || command.name() === 'alerts' ? [{ path, command }] : [];
  return [...own, ...command.commands.flatMap((child) => leaves(child, [...path, child.name()]))];
}

const silent = { environment: {}, writeOut: () => undefined, writeError: () => undefined };
const COMMANDS = leaves(createProgram(silent)).filter(({ path }) => path.length > 0);

describe('gateway: the tree of commands', () => {
  it('has the commands of the contract', () => {
    assert.deepEqual(COMMANDS.map(({ path }) => path.join(' ')).sort(), [
      'alerts',
      'alerts resolve',
      'allowlist set',
      'audit export',
      'audit key',
      'audit list',
      'audit verify',
      'balance list',
      'cash assign-suspense',
      'cash correct',
      'cash credit-suspense',
      'cash fund',
      'cash list',
      'cash move',
      'cash return-suspense',
      'cash settle',
      'cert authority',
      'cert issue',
      'cert list',
      'cert record',
      'cert revocation-list',
      'cert revoke',
      'conformance record',
      'decision replay',
      'decision show',
      'deploy drained',
      'deploy move',
      'deploy promote',
      'deploy status',
      'deposit show',
      'dispute list',
      'endpoint list',
      'event redeliver',
      'event redeliver-range',
      'find',
      'key create',
      'key list',
      'key revoke',
      'ledger verify',
      'list add',
      'list entries',
      'list remove',
      'operation create',
      'operation list',
      'operation resume',
      'operation resume-automatic',
      'operation set-provider',
      'operation set-webhook',
      'operation stop-automatic',
      'operation suspend',
      'payout list',
      'player erase',
      'player payments',
      'provider balance',
      'provider check',
      'provider pause',
      'provider pauses',
      'provider register-webhook',
      'provider resume',
      'provider statement',
      'receipt list',
      'reconcile close',
      'reconcile references',
      'reconcile show',
      'reconcile verify',
      'request approve',
      'request list',
      'request reject',
      'review approve',
      'review conclude',
      'review conclude-return',
      'review list',
      'review refuse',
      'review return',
      'review show',
      'rules changes approve',
      'rules changes list',
      'rules changes recompute',
      'rules changes reject',
      'rules changes show',
      'rules set',
      'rules show',
      'sealing init',
      'sealing reseal',
      'sealing retire',
      'sealing rewrap',
      'sealing rotate',
      'sealing split',
      'sealing status',
      'setup',
      'sign',
      'staff break-glass',
      'staff code',
      'staff create',
      'staff demo',
      'staff disable',
      'staff enable',
      'staff forget-passkeys',
      'staff link',
      'staff list',
      'staff login',
      'staff logout',
      'staff oidc remove',
      'staff oidc set',
      'staff role grant',
      'staff role revoke',
      'staff whoami',
      'statement differences',
      'statement import',
      'statement list',
      'statement remove',
      'statement resolve',
      'statement show',
      'suspense list',
      'suspense return',
      'temporal prepare',
      'temporal renew-access',
      'views',
      'webhook-secret rotate',
      'withdrawal show',
      'workflow verify',
    ]);
  });

  for (const { path, command } of COMMANDS) {
    const name = path.join(' ');
    it(`${name} --help describes every option and shows an example`, async () => {
      const { exitCode, stdout, stderr } = await run(...path, '--help');
      assert.deepEqual([exitCode, stderr], [0, '']);
      assert.ok(stdout.includes(`npm run --silent gateway -- ${name}`), 'an example');
      for (const option of command.options) assert.ok(option.description !== '', `${option.flags} has a description`);
      for (const argument of command.registeredArguments)
        assert.ok(argument.description !== '', `${argument.name()} has a description`);
    });

    const limit = command.options.find(({ long }) => long === '--limit');
    if (limit !== undefined) it(`${name} lists 200 by default`, () => assert.equal(limit.defaultValue, 200));

    it(`${name} is documented in docs/gateway-command.md with every option`, () => {
      const documentation = readFileSync(join(projectRoot(), 'docs', 'gateway-command.md'), 'utf8');
      const section = documentation
        .split(/^### /m)
        .find((text) => text.split('\n')[0]?.split(', ').includes(`\`${name}\``));
      assert.ok(section, `a section for ${name}`);
      for (const option of command.options)
        assert.ok(section.includes(option.long ?? ''), `${name} ${option.long ?? ''}`);
    });
  }

  const WRONG: readonly [string[], RegExp][] = [
    [[], /a command is missing after "gateway"/],
    [['operation'], /a command is missing after "gateway operation"/],
    [['nonsense'], /unknown command 'nonsense'/],
    [['operation', 'craete'], /unknown command 'craete' .*create/],
    [['operation', 'list', '--nonsense'], /unknown option '--nonsense'/],
    [['operation', 'list', 'more'], /too many arguments/],
    [['key', 'create', '--operation', 'op_0'], /'--scopes <scopes>' not specified/],
    [['key', 'create', '--operation'], /'--operation <id>' argument missing/],
    [['alerts', 'nonsense'], /too many arguments|unknown command/],
    [['alerts', '--limit', 'many'], /--limit/],
    [['sign', 'GET'], /missing required argument 'path'/],
    [['sign', 'G T', '/v1/ping'], /METHOD: /],
    [['sign', 'DELETE', '/ping'], /METHOD: must be GET or POST/],
    [['sign', 'head', '/ping'], /METHOD: must be GET or POST/],
    [['sign', 'GET', 'ping'], /PATH: /],
    [['sign', 'GET', '/ping#x'], /PATH: must not hold a fragment/],
    [['sign', 'GET', '/ping\n/x'], /PATH: /],
    [['sign', 'GET', '/ping', '--key-id', 'key_test_a'], /--secret: is needed/],
    [['sign', 'GET', '/ping', '--secret', 's'], /--key-id: is needed/],
    [['sign', 'GET', '/ping', '--key-id', 'a', '--secret', 's'], /--key-id: must be/],
    [
      ['sign', 'GET', '/ping', '--key-id', 'key_test_a', '--secret', 's', '--base-url', 'http://x.test/'],
      /--base-url: .*\/v1/,
    ],
    [
      ['sign', 'POST', '/deposits', '--body', '/nonexistent', '--key-id', 'key_test_a', '--secret', 's'],
      /--body: .*ENOENT/,
    ],
    [['ledger', 'verify'], /DATABASE_URL/],
    [['key', 'create', '--operation', 'op_0', '--scopes', 'read'], /GATEWAY_SEALING_KEYS/],
  ];
  for (const [argv, line] of WRONG) {
    it(`called wrongly: gateway ${JSON.stringify(argv)}`, async () => {
      const { exitCode, stdout, stderr } = await run(...argv);
      assert.match(stderr, line);
      assert.match(stderr, /^gateway: [^\n]+\n$/, 'one line');
      assert.equal(stdout, '');
      assert.equal(exitCode, 2);
    });
  }
});
