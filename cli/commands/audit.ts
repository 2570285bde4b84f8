// `gateway audit list|verify`: who did what, and the proof that nothing of it was changed since.
import type { Command } from 'commander';
import { answer } from '../context.js';
import { readId } from '../inputs/identifiers.js';
import { assertOperation } from '../inputs/existing.js';
import { listed } from '../limits.js';
import { examples, limitOption } from '../options.js';
import { badInput, refused } from '../problem.js';
import type { Registrar } from '../program.js';
import type { Database } from '../../store/database.js';

export function registerAuditList(parent: Command, run: Registrar): void {
  parent
    .command('list')
    .description(
      'Lists human acts, newest first: reviews, requests, keys, allowlists, lists, rules, webhooks, suspensions.',
    )
    .option('--operation <id>', 'only this operation (op_…)')
    .option(
      '--subject <id>',
      'only acts on this payment, key, request or operation; with --operation also a payment’s external id',
    )
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('audit list', 'audit list --subject wdr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, options: { operation?: string; subject?: string; limit: number }) => {
        const operationId =
          options.operation === undefined ? null : readId('operation', '--operation', options.operation);
        const { listAudit } = await import('../../store/audit/audit.js');
        const entries = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return listAudit(database, {
            operationId,
            subject: await subjectOf(database, operationId, options.subject),
            limit: options.limit + 1,
          });
        });
        return answer({
          entries: listed(context, 'entries', entries, options.limit).map(
            ({ sequence, at, person, action, operationId: operation, subject, detail, hash }) => ({
              sequence: Number(sequence),
              at,
              person,
              action,
              operation_id: operation,
              subject,
              detail: JSON.parse(detail) as unknown,
              hash,
            }),
          ),
        });
      }),
    );
}

/** A payment's external id stands for its id. */
async function subjectOf(
  database: Database,
  operationId: string | null,
  text: string | undefined,
): Promise<string | null> {
  if (operationId === null || text === undefined) return text ?? null;
  const { findByExternalId } = await import('../../store/payments/payment-ids.js');
  const [first, ...others] = await findByExternalId(database, operationId, text, ['deposit', 'withdrawal']);
  if (first !== undefined && others.length > 0)
    throw refused(`operation ${operationId}: a deposit and a withdrawal have this external id; give the id`);
  return first?.id ?? text;
}

export function registerAuditVerify(parent: Command, run: Registrar): void {
  parent
    .command('verify')
    .description(
      'Walks the chain of hashes from the first act to the last. Prints the newest hash: noted elsewhere and given back as\n--anchor, it proves that nothing was cut off since. Exit code 1 if the chain does not hold.',
    )
    .option('--anchor <hash>', 'a head_hash that was printed earlier')
    .addHelpText('after', examples('audit verify'))
    .action(
      run(async (context, options: { anchor?: string }) => {
        const anchor = options.anchor ?? null;
        if (anchor !== null && !/^[0-9a-f]{64}$/.test(anchor))
          throw badInput('--anchor', 'must be a hash: 64 of 0-9 and a-f');
        const { verifyAudit } = await import('../../store/audit/audit.js');
        const { entries, headHash, problems } = await context.withDatabase(
          (database) => verifyAudit(database, anchor),
          60_000,
        );
        const ok = problems.length === 0;
        return answer({ ok, entries, head_hash: headHash, problems }, ok ? 0 : 1);
      }),
    );
}
