// `gateway cert authority`: the authority that signs client certificates.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { assertWritableFolder } from '../../inputs/files.js';
import { examples } from '../../options.js';
import { badInput } from '../../problem.js';
import { AUTHORITY_OPTION, PUBLISH_OPTION } from './authority-options.js';

interface AuthorityOptions {
  readonly environment: string;
  readonly authority: string;
  readonly publish?: string;
}

export function registerAuthority(cert: Command, run: Registrar): void {
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
  const { createAuthority, publishAuthority } = await import('../../certificates/authority.js');
  assertWritableFolder('--authority', resolve(authority));
  if (publish !== undefined) assertWritableFolder('--publish', resolve(publish));
  const { folder, fingerprint, certificate } = await createAuthority(resolve(authority), environment, new Date());
  if (publish !== undefined) publishAuthority(folder, resolve(publish));
  return answer({ environment, folder, fingerprint, not_after: certificate.notAfter });
}
