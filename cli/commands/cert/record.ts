// `gateway cert record`: puts a signed client certificate on record; in production a second person approves it first.
import { createHash, X509Certificate } from 'node:crypto';
import type { Command } from 'commander';
import { actorOf, changeServices, notPermitted } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { noSuchOperation } from '../../inputs/existing.js';
import { readId } from '../../inputs/identifiers.js';
import { FileArgument, FileOption } from '../../inputs/named-file.js';
import { MOST_PEM_BYTES } from '../../inputs/sizes.js';
import { examples, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';

/** What is recorded, as PEM. */
export interface RecordedPems {
  readonly certificate: string;
  /** The certificate of the authority that signed it. */
  readonly authority: string;
  /** The operator's signing request; `null` if the key was made with the certificate. */
  readonly request: string | null;
}

interface RecordOptions {
  readonly authorityCertificate: string;
  readonly request?: string;
  readonly as?: string;
}

export function registerRecord(cert: Command, run: Registrar): void {
  cert
    .command('record')
    .summary('Record a client certificate that was signed elsewhere')
    .description(
      'Record a client certificate, signed where the authority is: "gateway cert issue" does it before it hands the ' +
        'certificate out. Only recorded certificates can be listed and revoked.\n\n' +
        'In production this creates a request that a second person approves; then the same command records it.',
    )
    .addArgument(new FileArgument('<certificate>', 'the certificate (PEM)', MOST_PEM_BYTES))
    .addOption(
      new FileOption(
        '--authority-certificate <file>',
        'the certificate of the authority that signed it (PEM)',
        MOST_PEM_BYTES,
      ).makeOptionMandatory(),
    )
    .addOption(new FileOption('--request <file>', 'the signing request that it answers (PEM)', MOST_PEM_BYTES))
    .addOption(personOption('who records it'))
    .addHelpText('after', examples('cert record client.crt.pem --authority-certificate authority.crt.pem'))
    .action(
      run(async (context, path: string, options: RecordOptions) => {
        const read = async (field: string, file: string) =>
          (await context.readFile(field, file, MOST_PEM_BYTES)).toString('utf8');
        return record(context, options.as, {
          certificate: await read('CERTIFICATE', path),
          authority: await read('--authority-certificate', options.authorityCertificate),
          request: options.request === undefined ? null : await read('--request', options.request),
        });
      }),
    );
}

/** Records it, or requests that. Throws a CommandProblem if the person may not, or the certificate is none of ours. */
export async function record(
  context: CommandContext,
  person: string | undefined,
  { certificate: pem, authority: authorityPem, request: requestPem }: RecordedPems,
): Promise<Answer> {
  const [authority, certificate] = [
    readCertificate('--authority-certificate', authorityPem),
    readCertificate('CERTIFICATE', pem),
  ];
  const { CLIENT_VALIDITY_DAYS, environmentOf } = await import('../../certificates/authority.js');
  const environment = environmentOf(authority.subject);
  if (environment === null) throw badInput('--authority-certificate', 'is no authority of client certificates');
  if (!certificate.verify(authority.publicKey)) throw badInput('CERTIFICATE', 'was signed by another authority');
  const operationId = readId('operation', 'CERTIFICATE', certificate.subject.replace(/^CN=/, ''));
  const [notBefore, notAfter] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  const days = Math.ceil((notAfter.getTime() - notBefore.getTime()) / 86_400_000);
  if (days > CLIENT_VALIDITY_DAYS) throw badInput('CERTIFICATE', `is valid for more than ${CLIENT_VALIDITY_DAYS} days`);
  const [serial, fingerprint] = [certificate.serialNumber.toLowerCase(), fingerprintOf(certificate)];
  const row = { serial, operationId, authority: fingerprintOf(authority), fingerprint, notBefore, notAfter };
  const asked = { signing_request: requestPem === null ? null : digestOf(requestPem), days };
  const actor = await actorOf(context, person);
  const { issueCertificate } = await import('../../../staff/acts/certificates.js');
  const issued = await context.withDatabase(async (database) =>
    issueCertificate(await changeServices(context, database), actor, { environment, certificate: row, asked }),
  );
  switch (issued.kind) {
    case 'recorded':
      return answer({ serial, operation_id: operationId });
    case 'requested':
      return answer({ serial: null, operation_id: operationId, requests: [issued.request] });
    case 'not_permitted':
      throw notPermitted(actor.handle, 'certificate.issue');
    case 'no_such_operation':
      throw noSuchOperation(operationId);
    case 'other_environment':
      throw refused(`operation ${operationId} is one of ${issued.environment}; the authority is ${environment}'s`);
    case 'too_many_certificates':
      throw refused(
        `two certificates of this operation are valid already (${issued.serials.join(', ')}); revoke one first`,
      );
  }
}

function readCertificate(field: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw badInput(field, 'must be a certificate as PEM');
  }
}

function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
