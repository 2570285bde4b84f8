// `gateway cert …`: the client certificates that operations present at the TLS edge, from the gateway's own authority.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { type Answer, answer, type CommandContext } from '../context.js';
import { assertWritableFolder } from '../inputs/files.js';
import { readId, readPerson } from '../inputs/identifiers.js';
import { assertOperation } from '../inputs/existing.js';
import { listed } from '../limits.js';
import { examples, limitOption, operationOption, personOption, wholeNumber } from '../options.js';
import { badInput, refused } from '../problem.js';
import type { Registrar } from '../program.js';

const AUTHORITY_OPTION = ['--authority <folder>', 'the folder of the certificate authority'] as const;
const PUBLISH_OPTION = [
  '--publish <folder>',
  "also write the authority's certificate and the list there: the folder that the TLS edge reads",
] as const;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** After a list that could not be written. */
const AGAIN_MS = 60_000;

export function registerCertAuthority(parent: Command, run: Registrar): void {
  parent
    .command('authority')
    .summary('make a certificate authority')
    .description(
      'Makes the private certificate authority of one environment: certificate, key (readable for its owner only) and an empty revocation list.\n' +
        'The TLS edge gets authority.crt.pem and revoked.crl.pem; the key stays where certificates are issued.',
    )
    .requiredOption('--environment <name>', 'sandbox or production; each has an authority of its own')
    .requiredOption(...AUTHORITY_OPTION)
    .option(...PUBLISH_OPTION)
    .addHelpText('after', examples('cert authority --environment sandbox --authority ./sandbox-authority'))
    .action(
      run(async (_context, options: { environment: string; authority: string; publish?: string }) => {
        const { environment } = options;
        if (environment !== 'sandbox' && environment !== 'production')
          throw badInput('--environment', 'must be sandbox or production');
        const { createAuthority, publishAuthority } = await import('../certificates/authority.js');
        assertWritableFolder('--authority', resolve(options.authority));
        if (options.publish !== undefined) assertWritableFolder('--publish', resolve(options.publish));
        const { folder, fingerprint, certificate } = await createAuthority(
          resolve(options.authority),
          environment,
          new Date(),
        );
        if (options.publish !== undefined) publishAuthority(folder, resolve(options.publish));
        return answer({ environment, folder, fingerprint, not_after: certificate.notAfter });
      }),
    );
}

export function registerCertIssue(parent: Command, run: Registrar): void {
  parent
    .command('issue')
    .summary('issue a client certificate')
    .description(
      'Issues a client certificate to an operation: for the key of its signing request, or with a new key, which is written beside the\n' +
        'certificate and kept nowhere else; files of an earlier one are not overwritten. At most two certificates of an operation are valid at\n' +
        'once; renew after 60 days.',
    )
    .addOption(operationOption())
    .requiredOption(...AUTHORITY_OPTION)
    .requiredOption('--out <folder>', 'where client.crt.pem (and client.key.pem) are written')
    .option('--request <file>', "the operator's certificate signing request (PEM); without it a key is made")
    .option('--days <n>', 'how long it is valid, 1 to 90', '90')
    .addOption(personOption('who issues it'))
    .addHelpText(
      'after',
      examples(
        'cert issue --operation op_0123456789abcdef0123456789abcdef --authority ./authority --request acme.csr --out ./acme',
      ),
    )
    .action(run((context, options: IssueOptions) => issue(context, options)));
}

interface IssueOptions {
  readonly operation: string;
  readonly authority: string;
  readonly out: string;
  readonly request?: string;
  readonly days: string;
  readonly as?: string;
}

async function issue(context: CommandContext, options: IssueOptions): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  const issuedBy = readPerson(options.as);
  const { CLIENT_VALIDITY_DAYS, RENEW_AFTER_DAYS, readAuthority, signClientCertificate, writeWhole } =
    await import('../certificates/authority.js');
  const validityDays = /^[1-9]\d?$/.test(options.days) ? Number(options.days) : 0;
  if (validityDays < 1 || validityDays > CLIENT_VALIDITY_DAYS)
    throw badInput('--days', `must be 1 to ${CLIENT_VALIDITY_DAYS}`);
  const authority = await readAuthority(resolve(options.authority));
  const requestPem = options.request === undefined ? null : readRequest(options.request);
  const folder = resolve(options.out);
  const paths = { certificate: join(folder, 'client.crt.pem'), key: join(folder, 'client.key.pem') };
  assertNew([paths.certificate, paths.key]);
  // Before it is recorded: a certificate that cannot be written would count as one of the two that may be valid.
  assertWritableFolder('--out', folder);
  const certificate = await signClientCertificate(authority, {
    operationId,
    validityDays,
    requestPem,
    now: new Date(),
  });
  const { serial, fingerprint, notBefore, notAfter, keyPem } = certificate;

  const { recordCertificate } = await import('../../store/operations/client-certificates.js');
  const record = { serial, operationId, authority: authority.fingerprint, fingerprint, notBefore, notAfter, issuedBy };
  const recorded = await context.withDatabase((database) => recordCertificate(database, authority.environment, record));
  switch (recorded.kind) {
    case 'no_such_operation':
      throw refused(`operation ${operationId}: there is no such operation`);
    case 'other_environment':
      throw refused(
        `operation ${operationId} is one of ${recorded.environment}; the authority is ${authority.environment}'s`,
      );
    case 'too_many_certificates':
      throw refused(
        `two certificates of this operation are valid already (${recorded.serials.join(', ')}); revoke one first`,
      );
    case 'recorded':
  }
  mkdirSync(folder, { recursive: true });
  const files = { certificate: paths.certificate, key: keyPem === null ? null : paths.key };
  if (files.key !== null && keyPem !== null) writeWhole(files.key, keyPem, 0o600);
  writeWhole(files.certificate, certificate.certificatePem, 0o644);
  const renewFrom = new Date(Math.min(notBefore.getTime() + RENEW_AFTER_DAYS * DAY_MS, notAfter.getTime()));
  return answer({
    serial,
    operation_id: operationId,
    fingerprint,
    not_before: notBefore,
    not_after: notAfter,
    renew_from: renewFrom,
    files,
  });
}

/** The key of an earlier certificate is kept nowhere else; and beside another one's key a certificate does not work. */
function assertNew(files: readonly string[]): void {
  const taken = files.find((file) => existsSync(file));
  if (taken !== undefined)
    throw refused(`${taken} is there already, and its key may be kept nowhere else; name another folder (--out)`);
}

function readRequest(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw badInput('--request', `${file} cannot be read`);
  }
}

export function registerCertRevoke(parent: Command, run: Registrar): void {
  parent
    .command('revoke')
    .description(
      'Revokes a client certificate and writes the revocation list that the TLS edge reads. It cannot be undone.',
    )
    .argument('<serial>', 'its serial number, as "gateway cert list" prints it')
    .requiredOption(...AUTHORITY_OPTION)
    .option(...PUBLISH_OPTION)
    .addOption(personOption('who revokes it'))
    .addHelpText('after', examples('cert revoke 5f0c1d0e9a8b7c6d5e4f3a2b1c0d9e8f --authority ./authority'))
    .action(
      run(async (context, text: string, options: { authority: string; publish?: string; as?: string }) => {
        const serial = readSerial(text);
        const person = readPerson(options.as);
        const { readAuthority } = await import('../certificates/authority.js');
        const authority = await readAuthority(resolve(options.authority));
        const { revokeCertificate } = await import('../../store/operations/client-certificates.js');
        const revoked = await context.withDatabase((database) => revokeCertificate(database, { serial, person }));
        if (revoked === null) throw refused(`certificate ${serial}: there is no such certificate`);
        if (revoked.authority !== authority.fingerprint)
          throw refused(
            `certificate ${serial} is revoked, but another authority issued it: run "gateway cert revocation-list" with that one`,
          );
        const list = await makeList(context, authority, options.publish);
        return answer({ serial, operation_id: revoked.operationId, revoked_at: revoked.revokedAt, ...list });
      }),
    );
}

export function registerCertRevocationList(parent: Command, run: Registrar): void {
  parent
    .command('revocation-list')
    .description(
      'Writes the revocation list again. It is valid for 7 days, and an edge with an older one refuses every client: run this daily, or\n' +
        'with --every as a process that stays. The TLS edge has to read it at least every 5 minutes.',
    )
    .requiredOption(...AUTHORITY_OPTION)
    .option(...PUBLISH_OPTION)
    .addOption(
      new Option('--every <hours>', 'stay, and write it again every so many hours, 1 to 48').argParser(
        wholeNumber(1, 48),
      ),
    )
    .addHelpText(
      'after',
      examples(
        'cert revocation-list --authority ./authority',
        'cert revocation-list --authority ./authority --publish ./edge --every 24',
      ),
    )
    .action(
      run(async (context, options: { authority: string; publish?: string; every?: number }) => {
        const { readAuthority } = await import('../certificates/authority.js');
        const authority = await readAuthority(resolve(options.authority));
        const write = () => makeList(context, authority, options.publish);
        return answer(
          options.every === undefined ? await write() : await keepWriting(context, write, options.every * HOUR_MS),
        );
      }),
    );
}

/** Never ends by itself. A database that is away is no reason to end: the list in force is good for days. */
async function keepWriting(context: CommandContext, write: () => Promise<object>, everyMs: number): Promise<never> {
  for (;;) {
    const written = await write().then(
      (list) => ({ ok: true, text: JSON.stringify(list) }),
      (error: unknown) => ({ ok: false, text: error instanceof Error ? error.message : String(error) }),
    );
    context.explain(
      written.ok
        ? `revocation list written: ${written.text}`
        : `revocation list not written, trying again: ${written.text}`,
    );
    await sleep(written.ok ? everyMs : AGAIN_MS);
  }
}

type Authority = import('../certificates/authority.js').Authority;

async function makeList(context: CommandContext, authority: Authority, publish: string | undefined) {
  const [{ publishAuthority, writeRevocationList }, { revokedCertificates }] = await Promise.all([
    import('../certificates/authority.js'),
    import('../../store/operations/client-certificates.js'),
  ]);
  const revoked = await context.withDatabase((database) => revokedCertificates(database, authority.fingerprint));
  const list = await writeRevocationList(authority, revoked, new Date());
  if (publish !== undefined) publishAuthority(authority.folder, resolve(publish));
  return { revocation_list: list, revoked: revoked.length };
}

export function registerCertList(parent: Command, run: Registrar): void {
  parent
    .command('list')
    .description('Lists client certificates, newest first.')
    .option('--operation <id>', 'only this operation (op_…)')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('cert list'))
    .action(
      run(async (context, options: { operation?: string; limit: number }) => {
        const operationId =
          options.operation === undefined ? null : readId('operation', '--operation', options.operation);
        const { listCertificates } = await import('../../store/operations/client-certificates.js');
        const rows = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return listCertificates(database, { operationId, limit: options.limit + 1 });
        });
        return answer({
          certificates: listed(context, 'certificates', rows, options.limit).map(
            ({ serial, operationId: operation, fingerprint, notBefore, notAfter, issuedBy, revokedAt }) => ({
              serial,
              operation_id: operation,
              fingerprint,
              not_before: notBefore,
              not_after: notAfter,
              issued_by: issuedBy,
              revoked_at: revokedAt,
            }),
          ),
        });
      }),
    );
}

function readSerial(text: string): string {
  const serial = text.toLowerCase().replaceAll(':', '');
  if (!/^[0-9a-f]{32}$/.test(serial)) throw badInput('SERIAL', 'must be a serial number: 32 of 0-9 and a-f');
  return serial;
}
