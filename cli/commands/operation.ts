// `gateway operation create`: onboards an operation, whole, in one transaction.
import { type Command, Option } from 'commander';
import { answer } from '../context.js';
import { readName, readPerson } from '../inputs/identifiers.js';
import { readNetworks } from '../inputs/networks.js';
import { readWebhookUrl } from '../inputs/webhook-url.js';
import { examples, personOption } from '../options.js';
import { badInput } from '../problem.js';
import type { Registrar } from '../program.js';

interface Options {
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
  readonly provider: 'simulator' | 'a' | 'b';
  readonly webhookUrl?: string;
  readonly rules?: string;
  readonly allow: readonly string[];
  readonly as?: string;
}

export function registerOperationCreate(parent: Command, run: Registrar): void {
  parent
    .command('create')
    .summary('onboard an operation')
    .description(
      'Onboards an operation: ledger accounts, rule set version 1, webhook secret, allowlist and an API key with every scope.\n' +
        'The secrets are printed this one time. In production the key and the allowlist are only requested: see "gateway request".',
    )
    .requiredOption('--name <name>', 'what people call it')
    .addOption(
      new Option('--environment <environment>', 'its environment')
        .choices(['sandbox', 'production'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--provider <provider>', 'its payment provider')
        .choices(['simulator', 'a', 'b'])
        .makeOptionMandatory(),
    )
    .option('--webhook-url <url>', 'where its events are delivered (https in production)')
    .option('--rules <file>', 'its rule set as JSON (default: PIX in BRL without limits, first withdrawal by hand)')
    .option('--allow <cidr...>', 'networks that may call; none: any in the sandbox, nobody in production', [])
    .addOption(personOption('who asks'))
    .addHelpText(
      'after',
      examples(
        'operation create --name "Acme" --environment sandbox --provider simulator --webhook-url http://127.0.0.1:9000/webhooks',
        'operation create --name "Acme" --environment production --provider a --webhook-url https://acme.example/hooks --allow 203.0.113.0/24 --as ana',
      ),
    )
    .action(
      run(async (context, options: Options) => {
        const { environment, provider } = options;
        if (environment === 'production' && provider === 'simulator')
          throw badInput('--provider', 'must not be the simulator in production: it moves no money');
        const order = {
          name: readName('--name', options.name),
          environment,
          provider,
          webhookUrl:
            options.webhookUrl === undefined
              ? null
              : await readWebhookUrl(context, '--webhook-url', options.webhookUrl, environment),
          networks: readNetworks('--allow', options.allow),
          requestedBy: readPerson(options.as),
          ...(await readRules(options.rules)),
        };
        const sealer = await context.sealer();
        const { createOperation } = await import('../../store/operations/provisioning.js');
        const created = await context.withDatabase((database) => createOperation(database, sealer, order));
        return answer({
          operation_id: created.operationId,
          key_id: created.key?.keyId ?? null,
          secret: created.key?.secret ?? null,
          scopes: created.scopes,
          webhook_secret: created.webhookSecret,
          ...(environment === 'production' ? { requests: created.requests } : {}),
        });
      }),
    );
}

async function readRules(path: string | undefined) {
  if (path !== undefined) {
    const { readRuleSetFile } = await import('../inputs/rule-set-file.js');
    return readRuleSetFile('--rules', path);
  }
  const { defaultRuleSet } = await import('../../domain/rules/rule-set.js');
  return { rules: defaultRuleSet(1), engine: null };
}
