// The slot that a command is about, with what its account is called with.
import type { ProviderAccount, DialectEntry, OpenProvider } from '../../../providers/dialect-entry.js';
import type { AccountName } from '../../../providers/port.js';
import type { CallSettings } from '../../../providers/settings.js';
import type { CommandContext } from '../../context.js';
import { readAccount } from '../../inputs/provider-account.js';
import { badInput } from '../../problem.js';

export interface Slot {
  readonly name: AccountName;
  readonly environment: 'sandbox' | 'production';
  readonly settings: CallSettings;
  readonly dialect: DialectEntry;
  readonly provider: OpenProvider;
  readonly account: ProviderAccount;
}

/** Opens the slot's connections for as long as `work` runs. */
export async function withSlot<Result>(
  { environment }: CommandContext,
  text: string,
  work: (slot: Slot) => Promise<Result>,
): Promise<Result> {
  const name = readAccount('SLOT', text);
  const { readProvidersConfig } = await import('../../../platform/config/providers.js');
  const { accountVariable } = await import('../../../providers/settings.js');
  const { readStaffConfig } = await import('../../../platform/config/cli.js');
  const settings = readProvidersConfig(environment).providers[name];
  if (settings === undefined)
    throw badInput(accountVariable(name, 'URL'), 'is missing, with its companions: run this where a worker calls it');
  const { DIALECTS } = await import('../../../providers/index.js');
  const dialect = DIALECTS[settings.dialect];
  const [provider, account] = [dialect.open(name, settings, {}), dialect.openAccount(name, settings)];
  try {
    const gateway = readStaffConfig(environment).environment;
    return await work({ name, environment: gateway, settings, dialect, provider, account });
  } finally {
    await Promise.all([provider.close(), account.close()]);
  }
}
