// `gateway audit`: list the audit trail, verify it, and export its seals.
import type { Command } from 'commander';
import type { AuditEntry } from '../../store/audit/audit.js';
import { actorOf, notPermitted } from '../actor.js';
import { answer, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readOperationFilter } from '../inputs/identifiers.js';
import { listed } from '../limits.js';
import { examples, limitOption, operationFilterOption, personOption } from '../options.js';
import { badInput, refused } from '../problem.js';

export function registerAudit(program: Command, run: Registrar): void {
  const audit = program.command('audit').description('Read and verify the audit trail');
  registerList(audit, run);
  registerVerify(audit, run);
  registerKey(audit, run);
  registerExport(audit, run);
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
        const { readAuditEntries } = await import('../../staff/reads/audit.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readAuditEntries(database, { operationId, subject: subject ?? null, limit: limit + 1 });
        });
        if (read.kind === 'two_payments')
          throw refused(`operation ${operationId}: a deposit and a withdrawal have this external id; give the id`);
        return answer({ entries: listed(context, 'entries', read.entries, limit).map(presentEntry) });
      }),
    );
}

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

function registerVerify(audit: Command, run: Registrar): void {
  audit
    .command('verify')
    .summary('Verify the audit trail, its seals and their export')
    .description(
      'Verify the audit trail: the hash chain from the first entry to the last, the seals over it, and the copies of ' +
        'the seals outside the database. The first problem names the first entry that is not what it was.\n\n' +
        'Seals need GATEWAY_AUDIT_PUBLIC_KEYS (or GATEWAY_AUDIT_KEY) and GATEWAY_AUDIT_SEALS_DIR (or a bucket). ' +
        "Without them only the hash chain is verified, and the database's owner could recompute it: store the newest " +
        'hash elsewhere, and pass it as --anchor.\n\n' +
        'Exit code 1 if there is a problem.',
    )
    .option('--anchor <hash>', 'a head_hash that was printed earlier')
    .addHelpText('after', examples('audit verify'))
    .action(
      run(async (context, options: { anchor?: string }) => {
        const anchor = options.anchor ?? null;
        if (anchor !== null && !/^[0-9a-f]{64}$/.test(anchor))
          throw badInput('--anchor', 'must be a hash: 64 of 0-9 and a-f');
        const [{ verifyAudit }, { AUDIT_PROBLEMS }, { readAuditConfig }] = await Promise.all([
          import('../../store/audit/verification.js'),
          import('../../domain/audit-findings.js'),
          import('../../platform/config/cli.js'),
        ]);
        const { witness } = readAuditConfig(context.environment);
        if (witness === null) context.explain('the seals are not verified: no key or no place of seals is set');
        const { headHash, problems, ...found } = await context.withDatabase(
          (database) => verifyAudit(database, { anchor, witness, now: new Date() }),
          60_000,
        );
        const ok = problems.length === 0;
        const explained = problems.map((one) => ({ ...one, meaning: AUDIT_PROBLEMS[one.problem] }));
        return answer({ ok, ...found, head_hash: headHash, problems: explained }, ok ? 0 : 1);
      }),
    );
}

function registerKey(audit: Command, run: Registrar): void {
  audit
    .command('key')
    .summary('Print the public key of the seals')
    .description(
      'Print the public part of GATEWAY_AUDIT_KEY. Whoever verifies seals needs it as GATEWAY_AUDIT_PUBLIC_KEYS, and ' +
        'keeps it there when another key takes over.',
    )
    .addHelpText('after', examples('audit key'))
    .action(
      run(async ({ environment }) => {
        const [{ readAuditConfig }, { createSealSigner }] = await Promise.all([
          import('../../platform/config/cli.js'),
          import('../../store/audit/seal.js'),
        ]);
        const { seed } = readAuditConfig(environment);
        if (seed === null) throw refused('GATEWAY_AUDIT_KEY is not set here');
        const { keyId, publicKey } = createSealSigner(seed);
        return answer({ key_id: keyId, public_key: publicKey.toString('base64') });
      }),
    );
}

function registerExport(audit: Command, run: Registrar): void {
  audit
    .command('export')
    .summary('Export the seals that are missing outside the database')
    .description(
      'Write every seal of the database that the folder or bucket of seals does not have: into a new one, or after ' +
        'a loss that people understand. Sealing refuses to go on while more than the newest seal is missing there.',
    )
    .addOption(personOption('who exports them'))
    .addHelpText('after', examples('audit export --as ana'))
    .action(
      run(async (context, options: { as?: string }) => {
        const actor = await actorOf(context, options.as);
        const [{ readAuditConfig }, { exportMissingSeals }] = await Promise.all([
          import('../../platform/config/cli.js'),
          import('../../staff/acts/seal-export.js'),
        ]);
        const { witness } = readAuditConfig(context.environment);
        const exported = await context.withDatabase((database) => exportMissingSeals(database, actor, witness));
        switch (exported.kind) {
          case 'not_permitted':
            throw notPermitted(actor.handle, 'audit.export');
          case 'no_place':
            throw refused('no key or no place of seals is set here');
          case 'exported':
            return answer({ exported: exported.seals });
        }
      }),
    );
}
