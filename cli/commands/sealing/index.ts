// `gateway sealing …`: the keys that personal data and secrets are sealed with. Which key is current is the configuration's or
// the vault's; these commands make vault keys, seal anew what is stored, and say when an old key is needed no more.
import type { Command } from 'commander';
import type { CommandContext } from '../../context.js';
import { answer } from '../../context.js';
import { readPerson } from '../../inputs/identifiers.js';
import { examples, personOption } from '../../options.js';
import { refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

const STATEMENT_TIMEOUT_MS = 10 * 60_000;

type Register = (parent: Command, run: Registrar) => void;

const registerInit: Register = (parent, run) => {
  parent
    .command('init')
    .description(
      'Makes the first sealing key and the hash key in the vault (GATEWAY_KEY_PROVIDER=vault). Only wrapped keys are stored.\nWith --from-environment it takes over GATEWAY_SEALING_KEYS and GATEWAY_HASH_KEY instead, for data that is sealed with them.',
    )
    .option('--from-environment', 'wrap the keys of the environment instead of making new ones')
    .addOption(personOption('who does it'))
    .addHelpText('after', examples('sealing init --as ana'))
    .action(
      run(async (context, options: { fromEnvironment?: boolean; as?: string }) => {
        const person = readPerson(options.as);
        const [{ withTransit }, { firstKeys, heldFirstKeys }, { insertFirstKeys }] = await Promise.all([
          import('../../connections/keys.js'),
          import('./first-keys.js'),
          import('../../../store/sealing/data-keys.js'),
        ]);
        const keys = await withTransit(context.environment, (transit) =>
          options.fromEnvironment === true ? heldFirstKeys(transit, context.environment) : firstKeys(transit),
        );
        const isStored = await context.withDatabase((database) => insertFirstKeys(database, keys, person));
        if (!isStored) throw refused('there are data keys already: gateway sealing rotate makes a further one');
        return answer({ keys: keys.map(({ id, purpose, activeFrom }) => ({ id, purpose, active_from: activeFrom })) });
      }),
    );
};

const registerRotate: Register = (parent, run) => {
  parent
    .command('rotate')
    .description(
      'Makes a further sealing key in the vault. It seals from two minutes later on, when every process knows it; the earlier ones still open.\nThen "sealing reseal" seals anew what is stored. Keys of the environment are rotated there (docs/operating.md).',
    )
    .addOption(personOption('who does it'))
    .addHelpText('after', examples('sealing rotate --as ana'))
    .action(
      run(async (context, options: { as?: string }) => {
        const person = readPerson(options.as);
        const [{ withTransit }, { insertNextKey }] = await Promise.all([
          import('../../connections/keys.js'),
          import('../../../store/sealing/data-keys.js'),
        ]);
        const { wrapped } = await withTransit(context.environment, (transit) => transit.newDataKey());
        const key = await context.withDatabase((database) => insertNextKey(database, wrapped, person));
        return answer({ id: key.id, active_from: key.activeFrom });
      }),
    );
};

const registerRewrap: Register = (parent, run) => {
  parent
    .command('rewrap')
    .description(
      "After the vault's master key was rotated: wraps every data key with its newest version. The data keys, and what they sealed, stay.",
    )
    .addOption(personOption('who does it'))
    .addHelpText('after', examples('sealing rewrap --as ana'))
    .action(
      run(async (context, options: { as?: string }) => {
        const person = readPerson(options.as);
        const [{ withTransit }, { readDataKeys, updateWrapping }] = await Promise.all([
          import('../../connections/keys.js'),
          import('../../../store/sealing/data-keys.js'),
        ]);
        const rewrapped = await context.withDatabase((database) =>
          withTransit(context.environment, async (transit) => {
            const keys = await readDataKeys(database);
            const fresh = await transit.rewrap(keys.map(({ wrapped }) => wrapped));
            const changed = keys.map(({ id }, index) => ({ id, wrapped: fresh[index]! }));
            await updateWrapping(database, changed, person);
            return changed;
          }),
        );
        return answer({
          rewrapped: rewrapped.map(({ id, wrapped }) => ({
            id,
            master_key_version: Number(/^vault:v(\d+):/.exec(wrapped)?.[1]),
          })),
        });
      }),
    );
};

const registerReseal: Register = (parent, run) => {
  parent
    .command('reseal')
    .description(
      'Seals every stored value with the current key, 500 rows at a time, beside the running gateway. A run that was cut goes on where\nit is needed: what the current key has sealed is passed over. Progress goes to standard error.',
    )
    .addOption(personOption('who does it'))
    .addHelpText('after', examples('sealing reseal --as ana'))
    .action(
      run(async (context, options: { as?: string }) => {
        const person = readPerson(options.as);
        const sealer = await context.sealer();
        const [{ resealAll }, { appendAudit }] = await Promise.all([
          import('../../../store/sealing/sealed-values.js'),
          import('../../../store/audit/audit.js'),
        ]);
        const onProgress = ({ column, resealed }: { column: string; resealed: number }) =>
          context.explain(`${column}: ${resealed} sealed anew`);
        const resealed = await context.withDatabase(async (database) => {
          const totals = await resealAll(database, sealer, { onProgress });
          await appendAudit(database, {
            person,
            action: 'sealing.reseal',
            operationId: null,
            subject: null,
            detail: { key: sealer.currentKeyId(), resealed: totals },
          });
          return totals;
        }, STATEMENT_TIMEOUT_MS);
        return answer({ key_id: sealer.currentKeyId(), resealed });
      }),
    );
};

async function statusOf(context: CommandContext) {
  const sealer = await context.sealer();
  const [{ sealingStatus }, { openPaymentsBefore }] = await Promise.all([
    import('../../../store/sealing/key-status.js'),
    import('./open-workflows.js'),
  ]);
  const ask = (openBefore: ((moment: Date) => Promise<number>) | null) =>
    context.withDatabase(
      (database) =>
        sealingStatus(database, { currentKeyId: sealer.currentKeyId(), knownKeyIds: [], openBefore, nowMs: Date.now }),
      STATEMENT_TIMEOUT_MS,
    );
  const { hasTemporalConfig } = await import('../../../platform/config/cli.js');
  return hasTemporalConfig(context.environment)
    ? context.withTemporal((client) => ask((moment) => openPaymentsBefore(client, moment)))
    : ask(null);
}

const registerStatus: Register = (parent, run) => {
  parent
    .command('status')
    .description(
      'Shows for each key what it has sealed, when it was last used to seal, how many workflows are open that may hold something\nsealed with it, and what keeps it from being retired ("blocks"; empty: nothing). Reads whole tables.',
    )
    .addHelpText('after', examples('sealing status'))
    .action(
      run(async (context) => {
        const keys = await statusOf(context);
        return answer({
          keys: keys.map(({ id, sealed, total, lastUsedAt, olderWorkflowsOpen, blocks }) => ({
            id,
            total,
            sealed,
            last_used_at: lastUsedAt,
            older_workflows_open: olderWorkflowsOpen,
            can_be_retired: blocks.length === 0,
            blocks,
          })),
        });
      }),
    );
};

const registerRetire: Register = (parent, run) => {
  parent
    .command('retire')
    .description(
      'Takes a vault key out of use for good, when "sealing status" finds nothing that needs it. Backups from before need it still.',
    )
    .argument('<key-id>', 'the key, as "sealing status" shows it')
    .addOption(personOption('who does it'))
    .addHelpText('after', examples('sealing retire v1 --as ana'))
    .action(
      run(async (context, keyId: string, options: { as?: string }) => {
        const person = readPerson(options.as);
        const status = (await statusOf(context)).find(({ id }) => id === keyId);
        if (status === undefined) throw refused(`key ${keyId}: there is no such key`);
        if (status.blocks.length > 0) throw refused(`key ${keyId} cannot be retired: ${status.blocks.join(', ')}`);
        const { retireKey } = await import('../../../store/sealing/data-keys.js');
        const isRetired = await context.withDatabase((database) => retireKey(database, keyId, person));
        if (!isRetired) throw refused(`key ${keyId} is no key of the vault: take it out of the configuration`);
        return answer({ id: keyId, retired: true });
      }),
    );
};

export const registerSealing: readonly Register[] = [
  registerInit,
  registerRotate,
  registerRewrap,
  registerReseal,
  registerStatus,
  registerRetire,
];
