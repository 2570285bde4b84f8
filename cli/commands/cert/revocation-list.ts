// `gateway cert revocation-list`: the list that the TLS edge refuses client certificates by.
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Authority } from '../../certificates/authority.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { examples, wholeNumber } from '../../options.js';
import { AUTHORITY_OPTION, PUBLISH_OPTION } from './authority-options.js';

const HOUR_MS = 3_600_000;
/** Wait before writing a revocation list again that could not be written. */
const RETRY_AFTER_MS = 60_000;

interface RevocationListOptions {
  readonly authority: string;
  readonly publish?: string;
  readonly every?: number;
}

export function registerRevocationList(cert: Command, run: Registrar): void {
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
        const { readAuthority } = await import('../../certificates/authority.js');
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

/** Writes the list into the authority's folder, and where the edge reads it. */
export async function writeList(context: CommandContext, authority: Authority, publish: string | undefined) {
  const [{ publishAuthority, writeRevocationList }, { revokedCertificates }] = await Promise.all([
    import('../../certificates/authority.js'),
    import('../../../store/operations/client-certificates.js'),
  ]);
  const revoked = await context.withDatabase((database) => revokedCertificates(database, authority.fingerprint));
  const list = await writeRevocationList(authority, revoked, new Date());
  if (publish !== undefined) publishAuthority(authority.folder, resolve(publish));
  return { revocation_list: list, revoked: revoked.length };
}
