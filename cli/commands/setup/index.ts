// `gateway setup`: prepares a deployment in containers.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { BUILD_ID } from '../../../contract/temporal/workers.js';
import { type Answer, answerWithText, type CommandContext, type Registrar } from '../../context.js';
import { assertWritableFolder } from '../../inputs/files.js';
import { examples } from '../../options.js';
import { badInput } from '../../problem.js';
import type { MadeDeployment } from './deployment.js';

interface Options {
  readonly environment: string;
  readonly folder: string;
  readonly build: string;
  readonly host: readonly string[];
}

/** A DNS name or an address, as a certificate has it. */
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/;

export function registerSetup(program: Command, run: Registrar): void {
  program
    .command('setup')
    .summary('Prepare a deployment with docker-compose.yml')
    .description(
      'Prepare a deployment with docker-compose.yml: write .env beside it, and the folder deployment/ with random ' +
        "passwords and keys. A sandbox also gets the simulated provider's account, the client authority and a " +
        'self-signed certificate for the edge. Existing files are not changed.\n\n' +
        'For production, it prints the variables that you still have to set (docs/running.md, Containers).',
    )
    .requiredOption('--environment <name>', 'sandbox or production')
    .option('--folder <folder>', 'the folder of docker-compose.yml', '.')
    .option('--build <id>', "the first build: the image's tag", '1')
    .option('--host <name...>', 'sandbox: names or addresses of the edge, besides localhost', [])
    .addHelpText('after', examples('setup --environment sandbox --build 1 --host gateway.test'))
    .action(run(setUp));
}

async function setUp(_context: CommandContext, options: Options): Promise<Answer> {
  const { environment, build, host: hosts } = options;
  if (environment !== 'sandbox' && environment !== 'production')
    throw badInput('--environment', 'must be sandbox or production');
  if (!BUILD_ID.test(build)) throw badInput('--build', 'must be 1 to 63 letters, digits, dots, hyphens or underscores');
  const wrongHost = hosts.find((host) => !HOST.test(host));
  if (wrongHost !== undefined) throw badInput('--host', `${wrongHost} is neither a host name nor an address`);
  const folder = resolve(options.folder);
  assertWritableFolder('--folder', folder);
  const { makeDeployment } = await import('./deployment.js');
  const made = await makeDeployment({ environment, folder, build, hosts });
  const value = { env_file: made.envFile, folder: made.folder, to_fill_in: made.toFillIn };
  return answerWithText(value, textOf(made));
}

function textOf({ envFile, folder, toFillIn }: MadeDeployment): string[] {
  return [
    `Made ${envFile} and ${folder}. Keep both: without the keys in ${folder}/keys nothing that is stored can be read.`,
    ...(toFillIn.length === 0 ? [] : [`Still to be filled in: ${toFillIn.join(', ')}.`]),
  ];
}
