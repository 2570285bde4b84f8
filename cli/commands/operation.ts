// `gateway operation`: create, list, suspend and resume operations, and move their webhooks.
import { type Command, Option } from 'commander';
import { actorOf, changeServices, notPermitted } from '../actor.js';
import { changeOf } from '../change.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { noSuchOperation } from '../inputs/existing.js';
import { readId, readName } from '../inputs/identifiers.js';
import { FileOption } from '../inputs/named-file.js';
import { readNetworks } from '../inputs/networks.js';
import { ACCOUNT_HELP, ACCOUNT_TAKEN, readAccount, refuseSimulator } from '../inputs/provider-account.js';
import { MOST_RULES_BYTES } from '../inputs/sizes.js';
import { readWebhookUrl } from '../inputs/webhook-url.js';
import { listed } from '../limits.js';
import { examples, limitOption, operationOption, personOption } from '../options.js';
import { badInput } from '../problem.js';

export function registerOperation(program: Command, run: Registrar): void {
  const operation = program.command('operation').description('Manage operations');
  registerCreate(operation, run);
  registerList(operation, run);
  registerStop(operation, run, 'suspend');
  registerResume(operation, run, 'resume');
  registerStop(operation, run, 'stop-automatic');
  registerResume(operation, run, 'resume-automatic');
  registerSetWebhook(operation, run);
  registerSetProvider(operation, run);
}

interface CreateOptions {
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  readonly provider: string;
  readonly webhookUrl?: string;
  readonly rules?: string;
  readonly allow: readonly string[];
  readonly as?: string;
}

function registerCreate(operation: Command, run: Registrar): void {
  operation
    .command('create')
    .summary('Create an operation')
    .description(
      'Create an operation with ledger accounts, rule set version 1, a webhook secret, an allowlist and an API ' +
        'key with every scope. Secrets are printed only once.\n\n' +
        'In production the key and the allowlist become requests that a second person approves: see "gateway ' +
        'request".',
    )
    .requiredOption('--name <name>', 'its name')
    .addOption(
      new Option('--environment <environment>', 'its environment')
        .choices(['sandbox', 'production'])
        .makeOptionMandatory(),
    )
    .requiredOption('--provider <slot>', `its payment provider: ${ACCOUNT_HELP}`)
    .option('--webhook-url <url>', 'where its events are delivered (https in production)')
    .addOption(
      new FileOption(
        '--rules <file>',
        'its rule set as JSON (default: PIX in BRL, no limits, first withdrawal reviewed)',
        MOST_RULES_BYTES,
      ),
    )
    .option('--allow <cidr...>', 'networks that may call; without it any in the sandbox, none in production', [])
    .addOption(personOption('who creates it'))
    .addHelpText(
      'after',
      examples(
        'operation create --name "Acme" --environment sandbox --provider simulator ' +
          '--webhook-url http://127.0.0.1:9000/webhooks',
        'operation create --name "Acme" --environment production --provider a ' +
          '--webhook-url https://acme.example/hooks --allow 203.0.113.0/24 --as ana',
      ),
    )
    .action(run(create));
}

async function create(context: CommandContext, options: CreateOptions): Promise<Answer> {
  const { environment, webhookUrl } = options;
  const provider = readAccount('--provider', options.provider);
  refuseSimulator('--provider', provider, environment);
  const order = {
    name: readName('--name', options.name),
    environment,
    provider,
    webhookUrl:
      webhookUrl === undefined ? null : await readWebhookUrl(context, '--webhook-url', webhookUrl, environment),
    networks: readNetworks('--allow', options.allow),
    ...(await readRules(context, options.rules)),
  };
  const actor = await actorOf(context, options.as);
  const { addOperation } = await import('../../staff/acts/operations.js');
  const created = await context.withDatabase(async (database) =>
    addOperation(await changeServices(context, database), actor, order),
  );
  if (created.kind === 'not_permitted') throw notPermitted(actor.handle, 'operation.create');
  if (created.kind === 'account_taken') throw badInput('--provider', ACCOUNT_TAKEN);
  return answer({
    operation_id: created.operationId,
    key_id: created.key?.keyId ?? null,
    secret: created.key?.secret ?? null,
    scopes: created.scopes,
    webhook_secret: created.webhookSecret,
    ...(environment === 'production' ? { requests: created.requests } : {}),
  });
}

async function readRules(context: CommandContext, path: string | undefined) {
  if (path !== undefined) {
    const { readRuleSetFile } = await import('../inputs/rule-set-file.js');
    return readRuleSetFile(context, '--rules', path);
  }
  const { defaultRuleSet } = await import('../../domain/rules/rule-set.js');
  return { rules: defaultRuleSet(1), engine: null };
}

function registerList(operation: Command, run: Registrar): void {
  operation
    .command('list')
    .description('List operations, newest first, with their active keys')
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('operation list'))
    .action(
      run(async (context, { limit }: { limit: number }) => {
        const { readOperations } = await import('../../store/operations/operations.js');
        const operations = await context.withDatabase((database) => readOperations(database, limit + 1));
        return answer({ operations: listed(context, 'operations', operations, limit) });
      }),
    );
}

function registerStop(operation: Command, run: Registrar, name: keyof typeof STOP_COMMANDS): void {
  const { what, summary, description, after } = STOP_COMMANDS[name];
  operation
    .command(name)
    .summary(summary)
    .description(description)
    .argument('<id>', 'the operation (op_…)')
    .addOption(personOption('who decides'))
    .addHelpText('after', examples(`operation ${name} op_0123456789abcdef0123456789abcdef`))
    .action(
      run(async (context, id: string, options: { as?: string }) => {
        const operationId = readId('operation', 'ID', id);
        const actor = await actorOf(context, options.as);
        const { stop } = await import('../../staff/acts/stops.js');
        const stopped = await context.withDatabase(async (database) =>
          stop(await changeServices(context, database), actor, { what, operationId }),
        );
        switch (stopped.kind) {
          case 'done':
            return answer({ operation_id: operationId, ...after });
          case 'no_such_operation':
            throw noSuchOperation(operationId);
          case 'not_permitted':
            throw notPermitted(actor.handle, what === 'operation' ? 'operation.suspend' : 'automatic.stop');
        }
      }),
    );
}

const STOP_COMMANDS = {
  suspend: {
    what: 'operation',
    summary: 'Suspend an operation',
    description: 'Suspend an operation: every route answers it 403 operation_suspended. Open payments continue.',
    after: { status: 'suspended' },
  },
  'stop-automatic': {
    what: 'automatic',
    summary: 'Stop automatic withdrawals of an operation',
    description:
      'Stop automatic withdrawals of an operation at once: the rules send every withdrawal to review, and those that ' +
      'were approved automatically and not sent wait. People can still approve.',
    after: { automatic: 'stopped' },
  },
} as const;

function registerResume(operation: Command, run: Registrar, name: keyof typeof RESUME_COMMANDS): void {
  const { kind, summary, description, before, after } = RESUME_COMMANDS[name];
  operation
    .command(name)
    .summary(summary)
    .description(
      `${description}\n\nIn production this creates a request that a second person approves with "gateway request approve".`,
    )
    .argument('<id>', 'the operation (op_…)')
    .addOption(personOption('who decides'))
    .addHelpText('after', examples(`operation ${name} op_0123456789abcdef0123456789abcdef`))
    .action(
      run(async (context, id: string, options: { as?: string }) => {
        const operationId = readId('operation', 'ID', id);
        const changed = await changeOf(context, options.as, { kind, operationId, payload: {} });
        if (changed.kind === 'requested')
          return answer({ operation_id: operationId, ...before, requests: [changed.request] });
        return answer({ operation_id: operationId, ...after });
      }),
    );
}

const RESUME_COMMANDS = {
  resume: {
    kind: 'resume',
    summary: 'Resume an operation',
    description: 'Let a suspended operation call again.',
    before: { status: 'suspended' },
    after: { status: 'active' },
  },
  'resume-automatic': {
    kind: 'automatic_resume',
    summary: 'Let the rules decide withdrawals automatically again',
    description: 'Let the rules decide withdrawals automatically again, after "operation stop-automatic".',
    before: { automatic: 'stopped' },
    after: { automatic: 'on' },
  },
} as const;

function registerSetProvider(operation: Command, run: Registrar): void {
  operation
    .command('set-provider')
    .summary('Move new payments to another slot')
    .description(
      'Send the new payments of an operation through another slot. Payments that have begun end where they began: they ' +
        'are looked up, called back and returned there. Check the slot first: "gateway provider check".\n\n' +
        'The money stays where it lies, and withdrawals are paid from the new account alone: the answer says what lies ' +
        'where. Move it at the bank, and enter that with "gateway cash move".\n\n' +
        "An account of its own (a.acme) is no other operation's from then on, also after it has moved on.\n\n" +
        'In production this creates a request that a second person approves with "gateway request approve".',
    )
    .addOption(operationOption())
    .argument('<slot>', `${ACCOUNT_HELP} (simulator: sandbox only)`)
    .addOption(personOption('who moves it'))
    .addHelpText('after', examples('operation set-provider --operation op_0123456789abcdef0123456789abcdef b'))
    .action(run(setProvider));
}

async function setProvider(context: CommandContext, text: string, options: { operation: string; as?: string }) {
  const operationId = readId('operation', '--operation', options.operation);
  const provider = readAccount('SLOT', text);
  const { operationById } = await import('../../store/operations/operations.js');
  const row = await context.withDatabase((database) => operationById(database, operationId));
  if (row === null) throw noSuchOperation(operationId);
  refuseSimulator('SLOT', provider, row.environment);
  const changed = await changeOf(context, options.as, { kind: 'provider', operationId, payload: { provider } });
  if (changed.kind === 'account_taken') throw badInput('SLOT', ACCOUNT_TAKEN);
  return changed.kind === 'requested'
    ? answer({ operation_id: operationId, provider: row.provider, requests: [changed.request] })
    : answer({ operation_id: operationId, provider: changed.provider, money: changed.money });
}

function registerSetWebhook(operation: Command, run: Registrar): void {
  operation
    .command('set-webhook')
    .summary('Change where events are delivered')
    .description(
      'Change where the events of an operation are delivered, from the next attempt on.\n\n' +
        'In production this creates a request that a second person approves with "gateway request approve".',
    )
    .addOption(operationOption())
    .argument('<url>', 'https in production, http or https in the sandbox; without credentials')
    .addOption(personOption('who changes it'))
    .addHelpText(
      'after',
      examples('operation set-webhook --operation op_0123456789abcdef0123456789abcdef https://acme.example/hooks'),
    )
    .action(
      run(async (context, text: string, options: { operation: string; as?: string }) => {
        const operationId = readId('operation', '--operation', options.operation);
        const { operationById } = await import('../../store/operations/operations.js');
        const row = await context.withDatabase((database) => operationById(database, operationId));
        if (row === null) throw noSuchOperation(operationId);
        const url = await readWebhookUrl(context, 'URL', text, row.environment as 'sandbox' | 'production');
        const changed = await changeOf(context, options.as, { kind: 'webhook', operationId, payload: { url } });
        if (changed.kind === 'requested')
          return answer({ operation_id: operationId, webhook_url: row.webhookUrl, requests: [changed.request] });
        return answer({ operation_id: operationId, webhook_url: changed.url });
      }),
    );
}
