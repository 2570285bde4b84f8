// `gateway sealing split`: writes a key file for each kind of process, with the keys that its work needs.
import type { Command } from 'commander';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { examples } from '../../options.js';

export function registerSplit(sealing: Command, run: Registrar): void {
  sealing
    .command('split')
    .summary('Write a key file for each kind of process')
    .description(
      'Write a key file for each kind of process: FOLDER/<process>/gateway.keys, for GATEWAY_KEYS_FILE. Each holds ' +
        'only the keys of the purposes that the process needs, made from the whole keys of this command’s environment ' +
        'or file. Files that are there are replaced. Production processes start with no others.\n\n' +
        'Run it again after adding or removing a key, and restart the processes.',
    )
    .requiredOption('--to <folder>', 'where the folders of the processes are')
    .addHelpText('after', examples('sealing split --to deployment/keys'))
    .action(run(split));
}

async function split(context: CommandContext, { to: folder }: { readonly to: string }): Promise<Answer> {
  const [{ readWholeKeys }, { writeKeyFiles }] = await Promise.all([
    import('../../../platform/config/cli.js'),
    import('../../key-files.js'),
  ]);
  const { whole, hashKey } = readWholeKeys(context.environment);
  return answer({ files: writeKeyFiles(folder, whole, hashKey) });
}
