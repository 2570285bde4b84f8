// `gateway cert`: the client certificates of operations for the TLS edge, issued by the gateway's own authority.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Authority, ClientCertificate } from '../certificates/authority.js';
import type { Payloads } from '../../staff/acts/effects.js';
import type { Requested } from '../../store/operations/approval-requests.js';
import type { Actor } from '../../store/staff/acts.js';
import { actorOf, changeServices, notPermitted } from '../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { assertOperation, noSuchOperation } from '../inputs/existing.js';
import { assertWritableFolder } from '../inputs/files.js';
import { readId, readOperationFilter } from '../inputs/identifiers.js';
import { listed } from '../limits.js';
import {
  examples,
  limitOption,
  operationFilterOption,
  operationOption,
  personOption,
  wholeNumber,
} from '../options.js';
import { badInput, refused } from '../problem.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Wait before writing a revocation list again that could not be written. */
const RETRY_AFTER_MS = 60_000;

export function registerCert(program: Command, run: Registrar): void {
  const cert = program.command('cert').description('Manage client certificates of the TLS edge');
  registerAuthority(cert, run);
  registerIssue(cert, run);
  registerList(cert, run);
  registerRevoke(cert, run);
  registerRevocationList(cert, run);
}

const AUTHORITY_OPTION = ['--authority <folder>', 'the folder of the certificate authority'] as const;
const PUBLISH_OPTION = [
  '--publish <folder>',
  "also write the authority's certificate and the revocation list here, where the TLS edge reads them",
] as const;

interface AuthorityOptions {
  readonly environment: string;
  readonly authority: string;
  readonly publish?: string;
}

function registerAuthority(cert: Command, run: Registrar): void {
  cert
    .command('authority')
    .summary('Create a certificate authority')
    .description(
      'Create the private certificate authority of an environment: a certificate, a key that only its owner can ' +
        'read, and an empty revocation list.\n\n' +
        'The TLS edge gets authority.crt.pem and revoked.crl.pem. The key stays where certificates are issued.',
    )
    .requiredOption('--environment <name>', 'sandbox or production; each has its own authority')
    .requiredOption(...AUTHORITY_OPTION)
    .option(...PUBLISH_OPTION)
    .addHelpText('after', examples('cert authority --environment sandbox --authority ./sandbox-authority'))
    .action(run(createAuthority));
}

async function createAuthority(
  _context: CommandContext,
  { environment, authority, publish }: AuthorityOptions,
): Promise<Answer> {
  if (environment !== 'sandbox' && environment !== 'production')
    throw badInput('--environment', 'must be sandbox or production');
  const { createAuthority, publishAuthority } = await import('../certificates/authority.js');
  assertWritableFolder('--authority', resolve(authority));
  if (publish !== undefined) assertWritableFolder('--publish', resolve(publish));
  const { folder, fingerprint, certificate } = await createAuthority(resolve(authority), environment, new Date());
  if (publish !== undefined) publishAuthority(folder, resolve(publish));
  return answer({ environment, folder, fingerprint, not_after: certificate.notAfter });
}

interface IssueOptions {
  readonly operation: string;
  readonly authority: string;
  readonly out: string;
  readonly request?: string;
  readonly days: string;
  readonly as?: string;
}

function registerIssue(cert: Command, run: Registrar): void {
  cert
    .command('issue')
    .summary('Issue a client certificate')
    .description(
      'Issue a client certificate to an operation, for the key of its signing request or for a new key. A new key is ' +
        'written beside the certificate and stored nowhere else. Existing files are not overwritten.\n\n' +
        'An operation has at most two valid certificates. Renew them after 60 days.\n\n' +
        'In production this creates a request that a second person approves with "gateway request approve". Then run ' +
        'the same command again, within seven days.',
    )
    .addOption(operationOption())
    .requiredOption(...AUTHORITY_OPTION)
    .requiredOption('--out <folder>', 'where client.crt.pem (and client.key.pem) are written')
    .option('--request <file>', "the operator's certificate signing request (PEM); without it a key is created")
    .option('--days <n>', 'how long it is valid, 1 to 90', '90')
    .addOption(personOption('who issues it'))
    .addHelpText(
      'after',
      examples(
        'cert issue --operation op_0123456789abcdef0123456789abcdef --authority ./authority ' +
          '--request acme.csr --out ./acme',
      ),
    )
    .action(run(issue));
}

async function issue(context: CommandContext, options: IssueOptions): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  const actor = await actorOf(context, options.as);
  const { readAuthority, RENEW_AFTER_DAYS, signClientCertificate } = await import('../certificates/authority.js');
  const validityDays = await readValidity(options.days);
  const authority = await readAuthority(resolve(options.authority));
  const requestPem = options.request === undefined ? null : readRequest(options.request);
  const folder = resolve(options.out);
  assertNew([join(folder, CERTIFICATE_FILE), join(folder, KEY_FILE)]);
  // Before the certificate is recorded: one that cannot be written would still count as one of the two valid ones.
  assertWritableFolder('--out', folder);
  const now = new Date();
  const certificate = await signClientCertificate(authority, { operationId, validityDays, requestPem, now });
  const asked = { signing_request: requestPem === null ? null : digestOf(requestPem), days: validityDays };
  const request = await record(context, actor, authority, { certificate, operationId, asked });
  if (request !== null) return answer({ serial: null, operation_id: operationId, files: null, requests: [request] });
  const files = await writeCertificate(folder, certificate);
  const { serial, fingerprint, notBefore, notAfter } = certificate;
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

const CERTIFICATE_FILE = 'client.crt.pem';
const KEY_FILE = 'client.key.pem';

async function readValidity(text: string): Promise<number> {
  const { CLIENT_VALIDITY_DAYS } = await import('../certificates/authority.js');
  const days = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > CLIENT_VALIDITY_DAYS) throw badInput('--days', `must be 1 to ${CLIENT_VALIDITY_DAYS}`);
  return days;
}

/** The key of an earlier certificate is stored nowhere else, and a certificate does not work with another key. */
function assertNew(files: readonly string[]): void {
  const existing = files.find((file) => existsSync(file));
  if (existing !== undefined)
    throw refused(`${existing} is there already, and its key may be kept nowhere else; name another folder (--out)`);
}

function readRequest(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw badInput('--request', `${file} cannot be read`);
  }
}

function digestOf(requestPem: string): string {
  return createHash('sha256').update(requestPem).digest('hex');
}

/** Null: it is recorded. Otherwise the request that a second person must approve. */
async function record(
  context: CommandContext,
  actor: Actor,
  authority: Authority,
  {
    certificate,
    operationId,
    asked,
  }: { certificate: ClientCertificate; operationId: string; asked: Payloads['certificate'] },
): Promise<Requested | null> {
  const { issueCertificate } = await import('../../staff/acts/certificates.js');
  const { serial, fingerprint, notBefore, notAfter } = certificate;
  const row = { serial, operationId, authority: authority.fingerprint, fingerprint, notBefore, notAfter };
  const order = { environment: authority.environment, certificate: row, asked };
  const issued = await context.withDatabase(async (database) =>
    issueCertificate(await changeServices(context, database), actor, order),
  );
  switch (issued.kind) {
    case 'recorded':
      return null;
    case 'requested':
      return issued.request;
    case 'not_permitted':
      throw notPermitted(actor.handle, 'certificate.issue');
    case 'no_such_operation':
      throw noSuchOperation(operationId);
    case 'other_environment':
      throw refused(
        `operation ${operationId} is one of ${issued.environment}; the authority is ${authority.environment}'s`,
      );
    case 'too_many_certificates':
      throw refused(
        `two certificates of this operation are valid already (${issued.serials.join(', ')}); revoke one first`,
      );
  }
}

async function writeCertificate(folder: string, { keyPem, certificatePem }: ClientCertificate) {
  const { writeWhole } = await import('../certificates/authority.js');
  mkdirSync(folder, { recursive: true });
  const files = { certificate: join(folder, CERTIFICATE_FILE), key: keyPem === null ? null : join(folder, KEY_FILE) };
  if (files.key !== null && keyPem !== null) writeWhole(files.key, keyPem, 0o600);
  writeWhole(files.certificate, certificatePem, 0o644);
  return files;
}

function registerList(cert: Command, run: Registrar): void {
  cert
    .command('list')
    .description('List client certificates, newest first')
    .addOption(operationFilterOption())
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('cert list'))
    .action(
      run(async (context, { operation, limit }: { operation?: string; limit: number }) => {
        const operationId = readOperationFilter(operation);
        const { listCertificates } = await import('../../store/operations/client-certificates.js');
        const rows = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return listCertificates(database, { operationId, limit: limit + 1 });
        });
        return answer({ certificates: listed(context, 'certificates', rows, limit).map(presentCertificate) });
      }),
    );
}

type CertificateRow = Awaited<
  ReturnType<typeof import('../../store/operations/client-certificates.js').listCertificates>
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

interface RevokeOptions {
  readonly authority: string;
  readonly publish?: string;
  readonly as?: string;
}

function registerRevoke(cert: Command, run: Registrar): void {
  cert
    .command('revoke')
    .summary('Revoke a client certificate')
    .description(
      'Revoke a client certificate and write the revocation list for the TLS edge. A revocation cannot be undone.',
    )
    .argument('<serial>', 'its serial number, as "gateway cert list" prints it')
    .requiredOption(...AUTHORITY_OPTION)
    .option(...PUBLISH_OPTION)
    .addOption(personOption('who revokes it'))
    .addHelpText('after', examples('cert revoke 5f0c1d0e9a8b7c6d5e4f3a2b1c0d9e8f --authority ./authority'))
    .action(run(revoke));
}

async function revoke(context: CommandContext, text: string, options: RevokeOptions): Promise<Answer> {
  const serial = readSerial(text);
  const actor = await actorOf(context, options.as);
  const { readAuthority } = await import('../certificates/authority.js');
  const authority = await readAuthority(resolve(options.authority));
  const { revokeCertificate } = await import('../../staff/acts/certificates.js');
  const outcome = await context.withDatabase(async (database) =>
    revokeCertificate(await changeServices(context, database), actor, serial),
  );
  if (outcome.kind === 'no_such_certificate') throw refused(`certificate ${serial}: there is no such certificate`);
  if (outcome.kind === 'not_permitted') throw notPermitted(actor.handle, 'certificate.revoke');
  const { certificate: revoked } = outcome;
  if (revoked.authority !== authority.fingerprint)
    throw refused(
      `certificate ${serial} is revoked, but another authority issued it: ` +
        'run "gateway cert revocation-list" with that one',
    );
  const list = await writeList(context, authority, options.publish);
  return answer({ serial, operation_id: revoked.operationId, revoked_at: revoked.revokedAt, ...list });
}

function readSerial(text: string): string {
  const serial = text.toLowerCase().replaceAll(':', '');
  if (!/^[0-9a-f]{32}$/.test(serial)) throw badInput('SERIAL', 'must be a serial number: 32 of 0-9 and a-f');
  return serial;
}

interface RevocationListOptions {
  readonly authority: string;
  readonly publish?: string;
  readonly every?: number;
}

function registerRevocationList(cert: Command, run: Registrar): void {
  cert
    .command('revocation-list')
    .summary('Write the revocation list again')
    .description(
      'Write the revocation list again. A list is valid for 7 days, and an edge with an older one refuses every ' +
        'client: run this daily, or with --every as a process that keeps running. The TLS edge must reload the ' +
        'list at least every 5 minutes.',
    )
    .requiredOption(...AUTHORITY_OPTION)
    .option(...PUBLISH_OPTION)
    .addOption(
      new Option('--every <hours>', 'keep running and write it every so many hours, 1 to 48').argParser(
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
      run(async (context, { authority: folder, publish, every }: RevocationListOptions) => {
        const { readAuthority } = await import('../certificates/authority.js');
        const authority = await readAuthority(resolve(folder));
        const write = () => writeList(context, authority, publish);
        return answer(every === undefined ? await write() : await keepWriting(context, write, every * HOUR_MS));
      }),
    );
}

/** Runs until it is stopped. While the database is down it retries: the current list is valid for days. */
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
    await sleep(written.ok ? everyMs : RETRY_AFTER_MS);
  }
}

async function writeList(context: CommandContext, authority: Authority, publish: string | undefined) {
  const [{ publishAuthority, writeRevocationList }, { revokedCertificates }] = await Promise.all([
    import('../certificates/authority.js'),
    import('../../store/operations/client-certificates.js'),
  ]);
  const revoked = await context.withDatabase((database) => revokedCertificates(database, authority.fingerprint));
  const list = await writeRevocationList(authority, revoked, new Date());
  if (publish !== undefined) publishAuthority(authority.folder, resolve(publish));
  return { revocation_list: list, revoked: revoked.length };
}
