// `gateway views`: links to filtered lists in the Temporal UI.
import type { Command } from 'commander';
import { ofOperation, VIEWS, viewUrl } from '../../contract/temporal/ui-links.js';
import { answer, type Registrar } from '../context.js';
import { readOperationFilter } from '../inputs/identifiers.js';
import { examples, operationFilterOption } from '../options.js';
import { badInput } from '../problem.js';

export function registerViews(program: Command, run: Registrar): void {
  program
    .command('views')
    .description('Print links to the Temporal UI: payments under review, payouts of unknown outcome, …')
    .addOption(operationFilterOption())
    .addHelpText('after', examples('views', 'views --operation op_0123456789abcdef0123456789abcdef'))
    .action(
      run(async ({ environment }, { operation }: { operation?: string }) => {
        const { readTemporalUi } = await import('../../platform/config/cli.js');
        const ui = readTemporalUi(environment);
        if (ui === null) throw badInput('TEMPORAL_UI_URL', 'is missing: it says where the Temporal UI is served');
        const operationId = readOperationFilter(operation);
        const views = operationId === null ? VIEWS : VIEWS.map((view) => ofOperation(view, operationId));
        return answer({ views: views.map((view) => ({ name: view.name, shows: view.shows, url: viewUrl(ui, view) })) });
      }),
    );
}
