// `gateway cert revoke`: ends a client certificate.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { actorOf, changeServices, notPermitted } from '../../actor.js';
import type { Authority } from '../../certificates/authority.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { examples, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { AUTHORITY_OPTION, PUBLISH_OPTION } from './authority-options.js';
import { writeList } from './revocation-list.js';

interface RevokeOptions {
  readonly authority?: string;
  readonly publish?: string;
  readonly as?: string;
}

export function registerRevoke(cert: Command, run: Registrar): void {
  cert
    .command('revoke')
    .summary('Revoke a client certificate')
    .description(
      'Revoke a client certificate, and with --authority write the revocation list for the TLS edge. A revocation ' +
        'cannot be undone.\n\n' +
        'In production leave --authority out, and write the list where the authority is, at once: "gateway cert ' +
        'revocation-list". Until the edge has it, it takes the certificate.',
    )
    .argument('<serial>', 'its serial number, as "gateway cert list" prints it')
    .option(...AUTHORITY_OPTION)
    .option(...PUBLISH_OPTION)
    .addOption(personOption('who revokes it'))
    .addHelpText(
      'after',
      examples(
        'cert revoke 5f0c1d0e9a8b7c6d5e4f3a2b1c0d9e8f',
        'cert revoke 5f0c1d0e9a8b7c6d5e4f3a2b1c0d9e8f --authority ./authority',
      ),
    )
    .action(run(revoke));
}

async function revoke(context: CommandContext, text: string, options: RevokeOptions): Promise<Answer> {
  const serial = readSerial(text);
  const actor = await actorOf(context, options.as);
  const authority = await authorityOf(context, options.authority);
  const { revokeCertificate } = await import('../../../staff/acts/certificates.js');
  const outcome = await context.withDatabase(async (database) =>
    revokeCertificate(await changeServices(context, database), actor, serial),
  );
  if (outcome.kind === 'no_such_certificate') throw refused(`certificate ${serial}: there is no such certificate`);
  if (outcome.kind === 'not_permitted') throw notPermitted(actor.handle, 'certificate.revoke');
  const { certificate: revoked } = outcome;
  const value = { serial, operation_id: revoked.operationId, revoked_at: revoked.revokedAt };
  if (authority === null) return answer(value);
  if (revoked.authority !== authority.fingerprint)
    throw refused(
      `certificate ${serial} is revoked, but another authority issued it: ` +
        'run "gateway cert revocation-list" with that one',
    );
  return answer({ ...value, ...(await writeList(context, authority, options.publish)) });
}

/** The authority whose list is written with the revocation: on the same machine, in a sandbox. */
async function authorityOf(context: CommandContext, folder: string | undefined): Promise<Authority | null> {
  if (folder === undefined) return null;
  const { readStaffConfig } = await import('../../../platform/config/cli.js');
  if (context.isServed || readStaffConfig(context.environment).environment === 'production')
    throw badInput('--authority', 'is not on the gateway’s server: leave it out, and write the list where it is');
  const { readAuthority } = await import('../../certificates/authority.js');
  return readAuthority(resolve(folder));
}

function readSerial(text: string): string {
  const serial = text.toLowerCase().replaceAll(':', '');
  if (!/^[0-9a-f]{32}$/.test(serial)) throw badInput('SERIAL', 'must be a serial number: 32 of 0-9 and a-f');
  return serial;
}
