// `gateway provider`: setting up the accounts behind the slots.
import type { Command } from 'commander';
import type { Registrar } from '../../context.js';
import { registerAccount } from './account.js';
import { registerCheck } from './check.js';
import { registerPause } from './pause.js';
import { registerWebhook } from './webhook.js';

export function registerProvider(program: Command, run: Registrar): void {
  const provider = program
    .command('provider')
    .description(
      'Set up the accounts at payment providers, and pause them. The commands that call a provider read ' +
        'PROVIDER_<SLOT>_… as a payments worker does, and change nothing here.',
    );
  registerCheck(provider, run);
  registerWebhook(provider, run);
  registerAccount(provider, run);
  registerPause(provider, run);
}
