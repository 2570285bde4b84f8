// `gateway sealing`: the keys that personal data and secrets are sealed with. The configuration or the vault decides
// which key is current. These commands create vault keys, seal stored values again, and show which key can be retired.
import type { Command } from 'commander';
import type { ResealServices, VaultServices } from '../../../staff/acts/sealing.js';
import { actorOf, changeServices, notPermitted } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { examples, personOption } from '../../options.js';
import { refused } from '../../problem.js';
import { registerSplit } from './split.js';
import { readSealing, STATEMENT_TIMEOUT_MS } from './status.js';

export function registerSealing(program: Command, run: Registrar): void {
  const sealing = program.command('sealing').description('Manage the keys that stored data is sealed with');
  registerInit(sealing, run);
  registerRotate(sealing, run);
  registerRewrap(sealing, run);
  registerReseal(sealing, run);
  registerStatus(sealing, run);
  registerRetire(sealing, run);
  registerSplit(sealing, run);
}

interface InitOptions {
  readonly fromEnvironment?: boolean;
  readonly as?: string;
}

function registerInit(sealing: Command, run: Registrar): void {
  sealing
    .command('init')
    .summary('Create the first keys in the vault')
    .description(
      'Create the first sealing keys, one of each purpose, and the hash key in the vault ' +
        '(GATEWAY_KEY_PROVIDER=vault). Only wrapped keys are stored.\n\n' +
        'With --from-environment, use GATEWAY_SEALING_KEYS and GATEWAY_HASH_KEY instead, so data that they sealed ' +
        'can still be opened.',
    )
    .option('--from-environment', 'wrap the keys of the environment instead of creating new ones')
    .addOption(personOption('who creates them'))
    .addHelpText('after', examples('sealing init --as ana'))
    .action(run(init));
}

async function init(context: CommandContext, options: InitOptions): Promise<Answer> {
  const actor = await actorOf(context, options.as);
  const [{ makeFirstKeys }, { readWholeKeys }] = await Promise.all([
    import('../../../staff/acts/sealing.js'),
    import('../../../platform/config/cli.js'),
  ]);
  const held = options.fromEnvironment === true ? () => readWholeKeys(context.environment) : null;
  const made = await withVault(context, (services) => makeFirstKeys(services, actor, held));
  switch (made.kind) {
    case 'not_permitted':
      throw notPermitted(actor.handle, 'sealing.change');
    case 'keys_exist':
      throw refused('there are data keys already: gateway sealing rotate makes a further one');
    case 'made':
      return answer({
        keys: made.keys.map(({ id, purpose, activeFrom }) => ({ id, purpose, active_from: activeFrom })),
      });
  }
}

/** Runs `work` with the database and the vault. */
function withVault<Result>(
  { environment, withDatabase }: CommandContext,
  work: (services: VaultServices) => Promise<Result>,
): Promise<Result> {
  const withTransit: VaultServices['withTransit'] = async (asked) => {
    const connections = await import('../../connections/keys.js');
    return connections.withTransit(environment, asked);
  };
  return withDatabase((database) => work({ database, withTransit }));
}

function registerRotate(sealing: Command, run: Registrar): void {
  sealing
    .command('rotate')
    .summary('Create new sealing keys in the vault')
    .description(
      'Create new sealing keys in the vault, one of each purpose under a new id. They seal from two minutes later ' +
        'on, when every process has loaded them; earlier keys still open. Afterwards, "sealing reseal" seals stored values with it.\n\n' +
        'Keys of the environment are rotated there (docs/operating.md).',
    )
    .addOption(personOption('who creates it'))
    .addHelpText('after', examples('sealing rotate --as ana'))
    .action(run(rotate));
}

async function rotate(context: CommandContext, options: { as?: string }): Promise<Answer> {
  const actor = await actorOf(context, options.as);
  const { makeNextKeys } = await import('../../../staff/acts/sealing.js');
  const made = await withVault(context, (services) => makeNextKeys(services, actor));
  if (made.kind === 'not_permitted') throw notPermitted(actor.handle, 'sealing.change');
  return answer({ id: made.id, active_from: made.activeFrom });
}

function registerRewrap(sealing: Command, run: Registrar): void {
  sealing
    .command('rewrap')
    .summary("Wrap every data key with the vault's newest master keys")
    .description(
      "Wrap every data key with the newest version of its purpose's master key, after that one was rotated. The " +
        'data keys and what they sealed do not change.',
    )
    .addOption(personOption('who does it'))
    .addHelpText('after', examples('sealing rewrap --as ana'))
    .action(run(rewrap));
}

async function rewrap(context: CommandContext, options: { as?: string }): Promise<Answer> {
  const actor = await actorOf(context, options.as);
  const { rewrapKeys } = await import('../../../staff/acts/sealing.js');
  const rewrapped = await withVault(context, (services) => rewrapKeys(services, actor));
  if (rewrapped.kind === 'not_permitted') throw notPermitted(actor.handle, 'sealing.change');
  return answer({
    rewrapped: rewrapped.keys.map(({ id, purpose, wrapped }) => ({
      id,
      purpose,
      master_key_version: Number(/^vault:v(\d+):/.exec(wrapped)?.[1]),
    })),
  });
}

function registerReseal(sealing: Command, run: Registrar): void {
  sealing
    .command('reseal')
    .summary('Seal every stored value with the current key')
    .description(
      'Seal every stored value with the current key, 500 rows at a time, while the gateway runs. Progress is ' +
        'printed to standard error. After an interruption, run it again: values that the current key sealed are ' +
        'skipped.',
    )
    .addOption(personOption('who does it'))
    .addHelpText('after', examples('sealing reseal --as ana'))
    .action(run(reseal));
}

async function reseal(context: CommandContext, options: { as?: string }): Promise<Answer> {
  const actor = await actorOf(context, options.as);
  const acts = await import('../../../staff/acts/sealing.js');
  const onProgress: ResealServices['onProgress'] = ({ column, resealed }) =>
    context.explain(`${column}: ${resealed} sealed anew`);
  const done = await context.withDatabase(
    (database) => acts.reseal({ database, sealer: context.sealer, onProgress }, actor),
    STATEMENT_TIMEOUT_MS,
  );
  if (done.kind === 'not_permitted') throw notPermitted(actor.handle, 'sealing.change');
  return answer({ key_id: done.keyId, resealed: done.resealed });
}

function registerStatus(sealing: Command, run: Registrar): void {
  sealing
    .command('status')
    .summary('Show what each key has sealed')
    .description(
      'Show for each key what it has sealed, when it last sealed something, how many open workflows may hold ' +
        'something sealed with it, and why it cannot be retired ("blocks"; empty if it can). Reads whole tables.',
    )
    .addHelpText('after', examples('sealing status'))
    .action(
      run(async (context) => {
        const keys = await readSealing(context);
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
}

function registerRetire(sealing: Command, run: Registrar): void {
  sealing
    .command('retire')
    .summary('Retire a vault key')
    .description(
      'Retire a vault key for good. Refused while "sealing status" shows something that needs it. Earlier ' +
        'backups still need it.\n\n' +
        'In production this creates a request that a second person approves with "gateway request approve".',
    )
    .argument('<key-id>', 'the key, as "sealing status" shows it')
    .addOption(personOption('who retires it'))
    .addHelpText('after', examples('sealing retire v1 --as ana'))
    .action(run(retire));
}

async function retire(context: CommandContext, keyId: string, options: { as?: string }): Promise<Answer> {
  const actor = await actorOf(context, options.as);
  const acts = await import('../../../staff/acts/sealing.js');
  const retired = await context.withDatabase(async (database) => {
    const services = { ...(await changeServices(context, database)), readStatus: () => readSealing(context) };
    return acts.retire(services, actor, keyId);
  });
  switch (retired.kind) {
    case 'done':
      return answer({ id: keyId, retired: true });
    case 'requested':
      return answer({ id: keyId, retired: false, requests: [retired.request] });
    case 'no_such_key':
      throw refused(`key ${keyId}: there is no such key`);
    case 'key_in_use':
      throw refused(`key ${keyId} cannot be retired: ${retired.blocks.join(', ')}`);
    case 'unknown_key':
      throw refused(`key ${keyId} is not in the vault: remove it from the configuration`);
    case 'not_permitted':
      throw notPermitted(actor.handle, 'sealing.change');
  }
}
