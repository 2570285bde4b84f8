// Where commands run: every one is in the table, acts and reads of production are the server's, and what the server
// runs touches no file of its own.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { isElsewhere } from '../../../cli/elsewhere.js';
import { FileArgument, FileOption } from '../../../cli/inputs/named-file.js';
import { ownContext } from '../../../cli/own-context.js';
import { createContext } from '../../../cli/context.js';
import { PLACED_COMMANDS, pathOf, placeOf } from '../../../cli/places.js';
import { createProgram, runGateway } from '../../../cli/program.js';
import { runServed } from '../../../cli/served.js';
import { projectRoot } from '../../../platform/config/project-root.js';

const silent = { environment: {}, writeOut: () => undefined, writeError: () => undefined };

/** Every command that does something. */
function leaves(command: Command): Command[] {
  const own = command.commands.length === 0 || command.name() === 'alerts' ? [command] : [];
  return [...own, ...command.commands.flatMap(leaves)];
}
const COMMANDS = leaves(createProgram(silent));
const LOCAL = COMMANDS.filter((command) => placeOf(command) === 'local');
const ON_SERVER = COMMANDS.filter((command) => placeOf(command) !== 'local');

const contextIn = (environment: NodeJS.ProcessEnv) =>
  createContext(environment, ownContext({ environment, writeError: () => undefined }));

/** A call that the parser accepts: something for every argument and every option that is needed. */
function calledSomehow(command: Command): string[] {
  const arguments_ = command.registeredArguments.flatMap(({ required, argChoices }) =>
    required ? [argChoices?.[0] ?? '1'] : [],
  );
  const options = command.options.flatMap(({ mandatory, long, argChoices }) =>
    mandatory ? [long as string, argChoices?.[0] ?? '1'] : [],
  );
  return [...pathOf(command).split(' '), ...arguments_, ...options];
}

describe('gateway: where commands run', () => {
  it('every command has a place, and every place a command', () => {
    assert.deepEqual(COMMANDS.map(pathOf).sort(), [...PLACED_COMMANDS].sort());
  });

  it('what names the person who acts is an act of the server; signing a certificate is not one by itself', () => {
    const actors = COMMANDS.filter(({ options }) => options.some(({ long }) => long === '--as')).map(pathOf);
    const acts = COMMANDS.filter((command) => placeOf(command) === 'act').map(pathOf);
    const own = ['staff demo', 'staff login', 'staff logout', 'staff whoami'];
    const refreshed = ['cert issue', 'workflow verify'];
    assert.deepEqual(
      acts.filter((path) => !own.includes(path)).sort(),
      actors.filter((path) => !refreshed.includes(path)).sort(),
    );
  });

  it('the ceremony of the installation is local; a preview reads; a refresh acts', async () => {
    const placed = async (...argv: string[]) => {
      let place: unknown;
      const program = createProgram(silent, () => async (...given) => {
        place = placeOf(given.at(-1) as unknown as Command);
        return Promise.resolve();
      });
      await program.parseAsync(argv, { from: 'user' });
      return place;
    };
    assert.equal(await placed('staff', 'create', 'ana', '--first-admin'), 'local');
    assert.equal(await placed('staff', 'create', 'ana'), 'act');
    assert.ok(Array.isArray(await placed('rules', 'set', '--operation', 'op', 'file', '--preview')));
    assert.equal(await placed('rules', 'set', '--operation', 'op', 'file'), 'act');
    assert.equal(await placed('workflow', 'verify', '--refresh'), 'act');
    assert.ok(Array.isArray(await placed('workflow', 'verify')));
  });

  for (const command of ON_SERVER)
    it(`production: ${pathOf(command)} is refused without the server, also with a database, keys and a token`, async () => {
      let stderr = '';
      const exitCode = await runGateway(calledSomehow(command), {
        ...silent,
        environment: {
          GATEWAY_ENVIRONMENT: 'production',
          DATABASE_URL: 'postgresql://gateway_command:p@127.0.0.1:1/gateway',
          TEMPORAL_ADDRESS: '127.0.0.1:1',
          TEMPORAL_API_KEY: 'token',
        },
        writeError: (text) => (stderr += text),
      });
      assert.deepEqual([exitCode, /on the gateway’s server.*set GATEWAY_PANEL_URL/.test(stderr)], [1, true], stderr);
    });

  for (const command of LOCAL)
    it(`the server does not run ${pathOf(command)}`, async () => {
      const run = { argv: calledSomehow(command), files: {}, code: null, session_file: '', token: null };
      const events = { note: () => undefined, session: () => undefined };
      await assert.rejects(
        runServed({ GATEWAY_ENVIRONMENT: 'sandbox' }, { run, person: null, events }),
        /runs on the machine where its files and keys are/,
      );
    });

  it('a sandbox runs everything by itself, unless it names a server', async () => {
    for (const command of ON_SERVER) {
      assert.equal(await isElsewhere(contextIn({}), command), false, pathOf(command));
      const named = contextIn({ GATEWAY_PANEL_URL: 'http://127.0.0.1:1' });
      assert.equal(await isElsewhere(named, command), true, pathOf(command));
    }
    for (const command of LOCAL)
      assert.equal(await isElsewhere(contextIn({ GATEWAY_ENVIRONMENT: 'production' }), command), false);
  });

  it('every file that a command of the server reads is one that the person’s machine sends', () => {
    const isFile = (flags: string) => /<(file|certificate|report)>/.test(flags);
    for (const command of ON_SERVER) {
      for (const argument of command.registeredArguments)
        assert.equal(argument instanceof FileArgument, isFile(`<${argument.name()}>`), pathOf(command));
      for (const option of command.options)
        assert.equal(option instanceof FileOption, isFile(option.flags), `${pathOf(command)} ${option.flags}`);
    }
  });

  it('only local commands touch files of the machine', () => {
    const files = readdirSync(join(projectRoot(), 'cli'), { recursive: true, encoding: 'utf8' });
    const touching = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `cli/${file}`)
      .filter((file) =>
        /from 'node:(fs|fs\/promises|child_process)'/.test(readFileSync(join(projectRoot(), file), 'utf8')),
      );
    assert.deepEqual(touching.sort(), [
      'cli/certificates/authority.ts',
      'cli/commands/cert/issue.ts',
      'cli/commands/setup/deployment.ts',
      'cli/inputs/credential.ts',
      'cli/inputs/files.ts',
      'cli/key-files.ts',
      'cli/session-file.ts',
    ]);
  });
});
