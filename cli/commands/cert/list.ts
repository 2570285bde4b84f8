// `gateway cert list`: the client certificates of operations.
import type { Command } from 'commander';
import { answer, type Registrar } from '../../context.js';
import { assertOperation } from '../../inputs/existing.js';
import { readOperationFilter } from '../../inputs/identifiers.js';
import { listed } from '../../limits.js';
import { examples, limitOption, operationFilterOption } from '../../options.js';

export function registerList(cert: Command, run: Registrar): void {
  cert
    .command('list')
    .description('List client certificates, newest first')
    .addOption(operationFilterOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('cert list'))
    .action(
      run(async (context, { operation, limit }: { operation?: string; limit: number }) => {
        const operationId = readOperationFilter(operation);
        const { listCertificates } = await import('../../../store/operations/client-certificates.js');
        const rows = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return listCertificates(database, { operationId, limit: limit + 1 });
        });
        return answer({ certificates: listed(context, 'certificates', rows, limit).map(presentCertificate) });
      }),
    );
}

type CertificateRow = Awaited<
  ReturnType<typeof import('../../../store/operations/client-certificates.js').listCertificates>
>[number];

function presentCertificate(row: CertificateRow) {
  return {
    serial: row.serial,
    operation_id: row.operationId,
    fingerprint: row.fingerprint,
    not_before: row.notBefore,
    not_after: row.notAfter,
    issued_by: row.issuedBy,
    revoked_at: row.revokedAt,
  };
}
