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
    [['operation', 'craete'], /unknown command 'craete' .*create/],
    [['operation', 'list', '--nonsense'], /unknown option '--nonsense'/],
    [['operation', 'list', 'more'], /too many arguments/],
    [['key', 'create', '--operation', 'op_0'], /'--scopes <scopes>' not specified/],
    [['key', 'create', '--operation'], /'--operation <id>' argument missing/],
    [['alerts', '--limit', 'many'], /--limit/],
    [['sign', 'GET'], /missing required argument 'path'/],
    [['sign', 'DELETE', '/ping'], /METHOD: must be GET or POST/],
    [['sign', 'GET', '/ping#x'], /PATH: must not hold a fragment/],
    [['sign', 'GET', '/ping\n/x'], /PATH: /],
    [['sign', 'GET', '/ping', '--key-id', 'key_test_a'], /--secret: is needed/],
    [['sign', 'GET', '/ping', '--key-id', 'a', '--secret', 's'], /--key-id: must be/],
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
