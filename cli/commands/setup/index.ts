// `gateway setup`: prepares a deployment in containers.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { BUILD_ID } from '../../../contract/temporal/worker-versions.js';
import { answerInWords } from '../../context.js';
import { assertWritableFolder } from '../../inputs/files.js';
import { examples } from '../../options.js';
import { badInput } from '../../problem.js';
import type { Registrar } from '../../program.js';

interface Options {
  readonly environment: string;
  readonly folder: string;
  readonly build: string;
  readonly host: readonly string[];
}

/** A DNS name or an address, as it stands in a certificate. */
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/;

export function registerSetup(program: Command, run: Registrar): void {
  program
    .command('setup')
    .summary('prepare a deployment with docker-compose.yml')
    .description(
      'Makes what docker-compose.yml needs: .env beside it, and the folder deployment/ with random passwords and keys. For a sandbox also\n' +
        "the simulated provider's account, the client authority and a certificate for the edge that is signed by itself. Changes nothing that\n" +
        'is there already. For production it prints which variables are still to be filled in (docs/running.md, Containers).',
    )
    .requiredOption('--environment <name>', 'sandbox or production')
    .option('--folder <folder>', 'the folder of docker-compose.yml', '..')
    .option('--build <id>', "the first build: the image's tag", '1')
    .option('--host <name...>', 'sandbox: names or addresses that operators call the edge by, beside localhost', [])
    .addHelpText('after', examples('setup --environment sandbox --build 1 --host gateway.test'))
    .action(
      run(async (_context, options: Options) => {
        const { environment, build, host: hosts } = options;
        if (environment !== 'sandbox' && environment !== 'production')
          throw badInput('--environment', 'must be sandbox or production');
        if (!BUILD_ID.test(build))
          throw badInput('--build', 'must be 1 to 63 letters, digits, dots, hyphens or underscores');
        const wrongHost = hosts.find((host) => !HOST.test(host));
        if (wrongHost !== undefined) throw badInput('--host', `${wrongHost} is neither a host name nor an address`);
        const folder = resolve(options.folder);
        assertWritableFolder('--folder', folder);
        const { makeDeployment } = await import('./deployment.js');
        const made = await makeDeployment({ environment, folder, build, hosts });
        return answerInWords({ env_file: made.envFile, folder: made.folder, to_fill_in: made.toFillIn }, inWords(made));
      }),
    );
}

function inWords({
  envFile,
  folder,
  toFillIn,
}: {
  envFile: string;
  folder: string;
  toFillIn: readonly string[];
}): string[] {
  return [
    `Made ${envFile} and ${folder}. Keep both: without the keys in ${folder}/files nothing that is stored can be read.`,
    ...(toFillIn.length === 0 ? [] : [`Still to be filled in: ${toFillIn.join(', ')}.`]),
  ];
}
