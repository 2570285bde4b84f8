// `gateway decision`: why the rules decided as they did, and a replay that proves it.
import { type Command, InvalidArgumentError } from 'commander';
import type { ReplayOrder } from '../../../store/rules/replayed-decisions.js';
import { type Answer, answer, answerWithText, type CommandContext, type Registrar } from '../../context.js';
import { assertOperation, assertPayment } from '../../inputs/existing.js';
import { readOperationFilter } from '../../inputs/identifiers.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { examples } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { DAY_MS } from '../../../domain/instant.js';

const REPLAY_TIMEOUT_MS = 60_000;
/** The largest value of the database's column. */
const LAST_VERSION = 2_147_483_647;
const KINDS = ['deposit', 'withdrawal'] as const;

export function registerDecision(program: Command, run: Registrar): void {
  const decision = program.command('decision').description('Explain and replay decisions of the rules');
  registerShow(decision, run);
  registerReplay(decision, run);
}

function registerShow(decision: Command, run: Registrar): void {
  paymentArgument(decision.command('show'), KINDS, ', also a refused one')
    .summary('Explain every decision on a payment')
    .description(
      'Explain every decision on a payment: why, and what would have passed ("automatic up to R$ 180,00", ' +
        '"automatic after …"). The API does not give operators this information, on purpose.',
    )
    .addHelpText('after', examples('decision show wdr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, text: string, { operation }: { operation?: string }) => {
        const { id, kind } = await namedPayment(context, { kinds: KINDS, text, operation });
        const { explainDecisions } = await import('../../../staff/reads/decisions.js');
        const decisions = await context.withDatabase((database) => explainDecisions(database, id));
        if (decisions.length === 0) throw refused(`${kind} ${id}: the rules decided nothing on it`);
        const { decisionsText } = await import('./text.js');
        return answerWithText({ id, decisions }, decisionsText(id, decisions));
      }),
    );
}

interface ReplayOptions {
  readonly operation?: string;
  readonly id?: string;
  readonly ruleset?: number;
  readonly days: number;
}

function registerReplay(decision: Command, run: Registrar): void {
  decision
    .command('replay')
    .summary('Evaluate stored decisions again')
    .description(
      'Evaluate stored decisions again. With its own rule set version, each decision must reproduce its digest; exit ' +
        'code 1 if one does not. With --ruleset, report what that version would have decided differently.',
    )
    .option('--operation <id>', 'only this operation (op_…); required with --ruleset')
    .option('--id <id>', 'only this deposit (dep_…) or withdrawal (wdr_…); with --operation also its external id')
    .option('--ruleset <version>', 'evaluate with this version of the rule set', version)
    .option('--days <n>', 'how far back, 1 to 3650', days, 30)
    .addHelpText(
      'after',
      examples('decision replay', 'decision replay --operation op_0123456789abcdef0123456789abcdef --ruleset 3'),
    )
    .action(run(replay));
}

async function replay(context: CommandContext, options: ReplayOptions): Promise<Answer> {
  const { operation, id: text, ruleset } = options;
  if (ruleset !== undefined && operation === undefined)
    throw badInput('--operation', 'versions belong to an operation: name it');
  const payment =
    text === undefined ? null : await namedPayment(context, { kinds: KINDS, text, operation, field: '--id' });
  const order: ReplayOrder = {
    operationId: readOperationFilter(operation),
    objectId: payment?.id ?? null,
    version: ruleset ?? null,
    since: new Date(Date.now() - options.days * DAY_MS),
  };
  const { replayDecisions } = await import('../../../store/rules/replayed-decisions.js');
  return context.withDatabase(async (database) => {
    await assertOperation(database, order.operationId);
    if (payment !== null) await assertPayment(database, payment);
    await assertVersion(database, order);
    const found = await replayDecisions(database, order);
    const ok = found.not_reproduced.length === 0;
    return answer({ ok, ruleset_version: order.version, ...found }, ok ? 0 : 1);
  }, REPLAY_TIMEOUT_MS);
}

type Database = Parameters<typeof assertOperation>[0];

async function assertVersion(database: Database, { operationId, version }: ReplayOrder): Promise<void> {
  if (operationId === null || version === null) return;
  const { ruleSetVersionExists } = await import('../../../store/rules/decisions.js');
  if (!(await ruleSetVersionExists(database, operationId, version)))
    throw refused(`operation ${operationId}: there is no rule set version ${version}`);
}

function version(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > LAST_VERSION)
    throw new InvalidArgumentError('It must be a version as "gateway rules show" prints it: a whole number from 1.');
  return Number(text);
}

function days(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > 3_650)
    throw new InvalidArgumentError('It must be a whole number from 1 to 3650.');
  return Number(text);
}
