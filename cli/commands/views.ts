// `gateway views`: links to the filters of the Temporal UI's list that operations staff work with.
import { type Command, Option } from 'commander';
import { ofOperation, VIEWS, viewUrl } from '../../contract/temporal/ui-links.js';
import { answer } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { examples } from '../options.js';
import { badInput } from '../problem.js';
import type { Registrar } from '../program.js';

export function registerViews(program: Command, run: Registrar): void {
  program
    .command('views')
    .description("links to the Temporal UI's list: what waits for people, payouts of unknown outcome, …")
    .addOption(new Option('--operation <id>', 'only of this operation (op_…)'))
    .addHelpText('after', examples('views', 'views --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async ({ environment }, { operation }: { operation?: string }) => {
        const { readTemporalUi } = await import('../../platform/config/cli.js');
        const ui = readTemporalUi(environment);
        if (ui === null) throw badInput('TEMPORAL_UI_URL', 'is missing: it says where the Temporal UI is served');
        const operationId = operation === undefined ? null : readId('operation', '--operation', operation);
        const views = operationId === null ? VIEWS : VIEWS.map((view) => ofOperation(view, operationId));
        return answer({ views: views.map((view) => ({ name: view.name, shows: view.shows, url: viewUrl(ui, view) })) });
      }),
    );
}
