// `gateway find`: what an id or reference is, its status, and what it waits for.
import type { Command } from 'commander';
import { type Answer, answerOnTerminal, type CommandContext, type Registrar } from '../../context.js';
import type { TemporalUi } from '../../../contract/temporal/ui-links.js';
import type { TemporalAnswer } from './answer.js';
import { examples, limitOption } from '../../options.js';
import { badInput, isCommandProblem, refused } from '../../problem.js';
import type { Hit } from '../../../staff/reads/find/find.js';
import type { WorkflowPage } from '../../../staff/reads/workflow-page.js';

const STATEMENT_TIMEOUT_MS = 5_000;
/** Workflows of further hits are not queried. */
const MOST_PAGES = 20;
const LONGEST_TEXT = 200;

export function registerFind(program: Command, run: Registrar): void {
  program
    .command('find')
    .summary('Find anything by an id or reference')
    .description(
      'Find anything by an id or reference, in all operations: its status and since\n' +
        'when, what it waits for, and which commands come next. TEXT is one of:\n\n' +
        '  - an id (dep_…, wdr_…, evt_…, op_…, chg_…, apr_…, alr_…, key_…)\n' +
        '  - an operator’s external id or Idempotency-Key\n' +
        '  - a PIX end-to-end id or the id of a return\n' +
        '  - a provider’s reference or txid\n' +
        '  - a trace id\n' +
        '  - a player’s reference\n\n' +
        'Do not type documents, names or e-mail addresses: they are never looked up,\n' +
        'and a shell stores what is typed.\n\n' +
        'Exit code 1 if nothing is found.',
    )
    .argument('<text>', 'the id or reference')
    .addOption(limitOption(200, 1_000))
    .addHelpText(
      'after',
      examples(
        'find dep_0123456789abcdef0123456789abcdef',
        'find order-20261121-0001',
        'find E00000000202611221251xEbKVoN32kp',
        'find 4bf92f3577b34da6a3ce929d0e0e4736',
      ),
    )
    .action(run(find));
}

async function find(context: CommandContext, text: string, { limit }: { limit: number }): Promise<Answer> {
  const { readingsOf, TEXT_KIND_NAMES } = await import('../../../staff/reads/find/texts.js');
  const readings = readingsOf(readText(text));
  if (readings.length === 0)
    throw badInput('TEXT', 'has the form of nothing that is looked up; documents, names and e-mail addresses are not');
  const { findAnything } = await import('../../../staff/reads/find/find.js');
  const findings = await context.withDatabase(
    (database) => findAnything(database, readings, { reach: 'every', limit }),
    STATEMENT_TIMEOUT_MS,
  );
  if (findings.hits.length === 0) {
    const names = readings.map(({ kind }) => TEXT_KIND_NAMES[kind]);
    throw refused(`nothing is known under this text; it was looked up as ${joinNames(names)}`);
  }
  return present(context, findings);
}

/** Removes the spaces and quotes around a pasted text. The text is never printed back. */
function readText(given: string): string {
  const text = given.trim().replace(/^["'`]+|["'`,;]+$/g, '');
  if (text === '' || text.length > LONGEST_TEXT) throw badInput('TEXT', `must be 1 to ${LONGEST_TEXT} characters`);
  if (text.startsWith('whsec_'))
    throw badInput(
      'TEXT',
      'is a webhook secret, which is never looked up; if it was typed by mistake: "gateway webhook-secret rotate"',
    );
  return text;
}

function joinNames(names: readonly string[]): string {
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

async function present(
  context: CommandContext,
  { hits, more }: { hits: readonly Hit[]; more: boolean },
): Promise<Answer> {
  const { presentHit, workflowIdOf } = await import('./answer.js');
  const { findText } = await import('./text.js');
  const ids = hits.flatMap((hit) => workflowIdOf(hit) ?? []).slice(0, MOST_PAGES);
  const { temporal, pages } = await queryWorkflows(context, ids);
  const ui = await temporalUi(context);
  const presented = hits.map((hit) => presentHit(hit, pages.get(workflowIdOf(hit) ?? '') ?? null, ui));
  return answerOnTerminal({ hits: presented, more, temporal }, findText(presented, more, temporal, new Date()));
}

/** Never fails: without Temporal, the database answers. */
async function queryWorkflows(
  context: CommandContext,
  ids: readonly string[],
): Promise<{ temporal: TemporalAnswer; pages: ReadonlyMap<string, WorkflowPage> }> {
  const nothing = new Map<string, WorkflowPage>();
  if (ids.length === 0) return { temporal: 'not_needed', pages: nothing };
  const { hasTemporalConfig } = await import('../../../platform/config/cli.js');
  if (!hasTemporalConfig(context.environment)) return { temporal: 'not_configured', pages: nothing };
  const { readWorkflowPages } = await import('../../../staff/reads/workflow-page.js');
  const silent = new Map(ids.map((id) => [id, { answer: 'none' } as const]));
  try {
    const pages = await context.withTemporal((client) => readWorkflowPages(client, ids));
    return { temporal: [...pages.values()].every(({ answer }) => answer === 'none') ? 'no_answer' : 'answered', pages };
  } catch (error) {
    if (isCommandProblem(error)) return { temporal: 'no_answer', pages: silent };
    throw error;
  }
}

async function temporalUi({ environment }: CommandContext): Promise<TemporalUi | null> {
  const { readTemporalUi } = await import('../../../platform/config/cli.js');
  return readTemporalUi(environment);
}
