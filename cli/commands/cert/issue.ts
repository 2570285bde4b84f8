// `gateway cert issue`: a client certificate for an operation; in production a second person approves it first.
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { ClientCertificate } from '../../certificates/authority.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { assertWritableFolder } from '../../inputs/files.js';
import { readId } from '../../inputs/identifiers.js';
import { MOST_PEM_BYTES } from '../../inputs/sizes.js';
import { examples, operationOption, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { AUTHORITY_OPTION } from './authority-options.js';
import { record, type RecordedPems } from './record.js';
import { DAY_MS } from '../../../domain/instant.js';

interface IssueOptions {
  readonly operation: string;
  readonly authority: string;
  readonly out: string;
  readonly request?: string;
  readonly days: string;
  readonly as?: string;
}

export function registerIssue(cert: Command, run: Registrar): void {
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
  const { readAuthority, RENEW_AFTER_DAYS, signClientCertificate } = await import('../../certificates/authority.js');
  const validityDays = await readValidity(options.days);
  const authority = await readAuthority(resolve(options.authority));
  const requestPem =
    options.request === undefined
      ? null
      : (await context.readFile('--request', options.request, MOST_PEM_BYTES)).toString('utf8');
  const folder = resolve(options.out);
  assertNew([join(folder, CERTIFICATE_FILE), join(folder, KEY_FILE)]);
  // Before the certificate is recorded: one that cannot be written would still count as one of the two valid ones.
  assertWritableFolder('--out', folder);
  const certificate = await signClientCertificate(authority, {
    operationId,
    validityDays,
    requestPem,
    now: new Date(),
  });
  const { value } = await recorded(context, options.as, {
    certificate: certificate.certificatePem,
    authority: authority.certificate.toString('pem'),
    request: requestPem,
  });
  if ('requests' in value) return answer({ ...value, files: null });
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

/** By the gateway's server if there is one; in a sandbox without, here. */
async function recorded(context: CommandContext, person: string | undefined, pems: RecordedPems): Promise<Answer> {
  const { isServerNeeded } = await import('../../elsewhere.js');
  if (!(await isServerNeeded(context))) return record(context, person, pems);
  const { sendRun } = await import('../../elsewhere.js');
  const { certificate, authority, request } = pems;
  const texts = { certificate, authority, ...(request === null ? {} : { request }) };
  const argv = [
    ...['cert', 'record', 'certificate', '--authority-certificate', 'authority'],
    ...(request === null ? [] : ['--request', 'request']),
    ...(person === undefined ? [] : ['--as', person]),
  ];
  const files = new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
  return sendRun(context, argv, { files });
}

const CERTIFICATE_FILE = 'client.crt.pem';
const KEY_FILE = 'client.key.pem';

async function readValidity(text: string): Promise<number> {
  const { CLIENT_VALIDITY_DAYS } = await import('../../certificates/authority.js');
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

async function writeCertificate(folder: string, { keyPem, certificatePem }: ClientCertificate) {
  const { writeWhole } = await import('../../certificates/authority.js');
  mkdirSync(folder, { recursive: true });
  const files = { certificate: join(folder, CERTIFICATE_FILE), key: keyPem === null ? null : join(folder, KEY_FILE) };
  if (files.key !== null && keyPem !== null) writeWhole(files.key, keyPem, 0o600);
  writeWhole(files.certificate, certificatePem, 0o644);
  return files;
}
