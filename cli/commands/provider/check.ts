// `gateway provider check`: whether a slot's account is set up, step by step.
import type { Command } from 'commander';
import { ACCOUNT_HELP } from '../../inputs/provider-account.js';
import { answerOnTerminal, type CommandContext, type Registrar } from '../../context.js';
import { examples } from '../../options.js';
import type { Check } from './checks.js';
import { type EdgeOptions, webhookOrder, edgeOptions } from './edge.js';
import { withSlot } from './slot.js';

interface Options extends EdgeOptions {
  readonly charge: boolean;
}

export function registerCheck(provider: Command, run: Registrar): void {
  const check = provider
    .command('check')
    .summary('Check an account, step by step')
    .description(
      'Check environment, certificate, credentials, scopes, clock, webhook, the lists of what was received, ' +
        'sent and disputed, and the balance. With --charge a charge of R$ 1,00 is made, which nobody pays: it shows whether ' +
        'the key receives, and whether its codes are paid with real money.\n\nThe exit code is 1 if anything is wrong.',
    )
    .argument('<slot>', ACCOUNT_HELP)
    .option('--charge', 'make a charge that nobody pays', false);
  for (const option of edgeOptions('what should be registered')) check.addOption(option);
  check
    .addHelpText('after', examples('provider check a', 'provider check a --edge https://edge.example:8443 --charge'))
    .action(run(checkSlot));
}

async function checkSlot(context: CommandContext, text: string, options: Options) {
  const order =
    options.edge === undefined ? null : await webhookOrder(context, text, { ...options, edge: options.edge });
  const { checksOf } = await import('./checks.js');
  return withSlot(context, text, async (slot) => {
    const webhooks = order === null ? null : slot.account.webhooksFor(order);
    const checks: Check[] = [];
    for await (const check of checksOf(slot, { webhooks, withCharge: options.charge, nowMs: Date.now() })) {
      context.explain(lineOf(check));
      checks.push(check);
    }
    const wrong = checks.filter(({ result }) => result === 'wrong').length;
    const { name, settings, environment } = slot;
    const value = { slot: name, dialect: settings.dialect, environment, wrong, checks };
    const summary = `\nslot ${name}, ${settings.dialect}, ${environment}: ${wrong} of ${checks.length} checks wrong`;
    // The lines were printed one by one, while people waited.
    return { ...answerOnTerminal(value, [summary]), exitCode: wrong === 0 ? 0 : 1 } as const;
  });
}

const MARKS = { ok: '✓', wrong: '✗', unclear: '?', not_reported: '–' } as const satisfies Record<
  Check['result'],
  string
>;
const NAME_WIDTH = 14;

function lineOf({ check, result, found, advice }: Check): string {
  const line = `${MARKS[result]} ${check.padEnd(NAME_WIDTH)} ${found}`;
  return advice === null ? line : `${line}\n  ${' '.repeat(NAME_WIDTH)} → ${advice}`;
}
