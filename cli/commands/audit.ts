// `gateway audit`: list the audit trail and verify its hash chain.
import type { Command } from 'commander';
import type { Database } from '../../store/database.js';
import { answer, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readOperationFilter } from '../inputs/identifiers.js';
import { listed } from '../limits.js';
import { examples, limitOption, operationFilterOption } from '../options.js';
import { badInput, refused } from '../problem.js';

export function registerAudit(program: Command, run: Registrar): void {
  const audit = program.command('audit').description('Read and verify the audit trail');
  registerList(audit, run);
  registerVerify(audit, run);
}

interface ListOptions {
  readonly operation?: string;
  readonly subject?: string;
  readonly limit: number;
}

function registerList(audit: Command, run: Registrar): void {
  audit
    .command('list')
    .summary('List what people did, newest first')
    .description(
      'List what people did, newest first: reviews, requests, keys, allowlists, lists, rules, webhooks, suspensions.',
    )
    .addOption(operationFilterOption())
    .option(
      '--subject <id>',
      'only acts on this payment, key, request or operation; with --operation also a payment’s external id',
    )
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('audit list', 'audit list --subject wdr_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, { operation, subject, limit }: ListOptions) => {
        const operationId = readOperationFilter(operation);
        const { listAudit } = await import('../../store/audit/audit.js');
        const entries = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          const subjectId = await subjectIdOf(database, operationId, subject);
          return listAudit(database, { operationId, subject: subjectId, limit: limit + 1 });
        });
        return answer({ entries: listed(context, 'entries', entries, limit).map(presentEntry) });
      }),
    );
}

type AuditEntry = Awaited<ReturnType<typeof import('../../store/audit/audit.js').listAudit>>[number];

function presentEntry({ sequence, at, person, action, operationId, subject, detail, hash }: AuditEntry) {
  return {
    sequence: Number(sequence),
    at,
    person,
    action,
    operation_id: operationId,
    subject,
    detail: JSON.parse(detail) as unknown,
    hash,
  };
}

/** Resolves a payment's external id to its id. Other texts stay as they are. */
async function subjectIdOf(
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

function registerVerify(audit: Command, run: Registrar): void {
  audit
    .command('verify')
    .summary('Verify the hash chain of the audit trail')
    .description(
      'Verify the hash chain of the audit trail, from the first entry to the last, and print the newest hash. ' +
        'Keep that hash elsewhere: passed as --anchor later, it proves that no entries were cut off.\n\n' +
        'Exit code 1 if the chain is broken.',
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
