// `gateway decision show|replay`: why the rules decided as they did, what would have passed, and the proof that it evaluates to
// the same again.
import { type Command, InvalidArgumentError } from 'commander';
import { answer, answerInWords } from '../../context.js';
import { readId } from '../../inputs/identifiers.js';
import { assertOperation, assertPayment } from '../../inputs/existing.js';
import { examples } from '../../options.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { badInput, refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

const DAY_MS = 86_400_000;
const REPLAY_TIMEOUT_MS = 60_000;
/** What the database can count to. */
const LAST_VERSION = 2_147_483_647;

export function registerDecisionShow(parent: Command, run: Registrar): void {
  paymentArgument(parent.command('show'), ['deposit', 'withdrawal'], ', also one that was refused')
    .description(
      'Explains every decision on a payment, in words: why, and what would have passed ("automatic up to R$ 180,00", "automatic after …").\nThe API tells operators none of this, on purpose.',
    )
    .addHelpText('after', examples('decision show wdr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, text: string, { operation }: { operation?: string }) => {
        const { id: objectId, kind } = await namedPayment(context, {
          kinds: ['deposit', 'withdrawal'],
          text,
          operation,
        });
        const { explainDecisions } = await import('../../staff/decisions.js');
        const decisions = await context.withDatabase((database) => explainDecisions(database, objectId));
        if (decisions.length === 0) throw refused(`${kind} ${objectId}: the rules decided nothing on it`);
        const { decisionsText } = await import('./text.js');
        return answerInWords({ id: objectId, decisions }, decisionsText(objectId, decisions));
      }),
    );
}

export function registerDecisionReplay(parent: Command, run: Registrar): void {
  parent
    .command('replay')
    .description(
      'Evaluates stored facts again. Each decision with its own rule set version must reproduce its digest (exit code 1 if one does not);\nwith --ruleset it tells what that version would have decided differently.',
    )
    .option('--operation <id>', 'only this operation (op_…); needed with --ruleset')
    .option('--id <id>', 'only this deposit (dep_…) or withdrawal (wdr_…); with --operation also its external id')
    .option('--ruleset <version>', 'evaluate with this version of the rule set', version)
    .option('--days <n>', 'how far back, 1 to 3650', days, 30)
    .addHelpText(
      'after',
      examples('decision replay', 'decision replay --operation op_0123456789abcdef0123456789abcdef --ruleset 3'),
    )
    .action(
      run(async (context, options: { operation?: string; id?: string; ruleset?: number; days: number }) => {
        if (options.ruleset !== undefined && options.operation === undefined)
          throw badInput('--operation', 'versions belong to an operation: name it');
        const { id: text, operation } = options;
        const kinds = ['deposit', 'withdrawal'] as const;
        const payment =
          text === undefined ? null : await namedPayment(context, { kinds, text, operation, field: '--id' });
        const order = {
          operationId: options.operation === undefined ? null : readId('operation', '--operation', options.operation),
          objectId: payment?.id ?? null,
          version: options.ruleset ?? null,
          since: new Date(Date.now() - options.days * DAY_MS),
        };
        const { replayDecisions } = await import('../../staff/decisions.js');
        return context.withDatabase(async (database) => {
          await assertOperation(database, order.operationId);
          if (payment !== null) await assertPayment(database, payment);
          if (order.version !== null && order.operationId !== null) {
            const exists = await database.ruleSetVersion.count({
              where: { operationId: order.operationId, version: order.version },
            });
            if (exists === 0)
              throw refused(`operation ${order.operationId}: there is no rule set version ${order.version}`);
          }
          const found = await replayDecisions(database, order);
          const ok = found.not_reproduced.length === 0;
          return answer({ ok, ruleset_version: order.version, ...found }, ok ? 0 : 1);
        }, REPLAY_TIMEOUT_MS);
      }),
    );
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
