// What a campaign is played on. Each setting keeps its own results.
import type { DialectName } from '../../providers/dialect-names.js';
import { DIALECTS } from '../../providers/dialects.js';
import type { Shape } from './environment/servers.js';

interface Setting {
  /** The head of its column in docs/faults.md. */
  readonly title: string;
  readonly shape: Shape;
  /** Behind the slot that the operations have. */
  readonly dialect: DialectName;
  readonly help: string;
}

export const SETTINGS = {
  dev: { title: 'dev server', shape: 'dev', dialect: 'simulator', help: "Temporal's dev server (default)" },
  cluster: {
    title: 'cluster',
    shape: 'cluster',
    dialect: 'simulator',
    help:
      "as in production: Temporal's four roles on PostgreSQL, the TLS edge (nginx) in front of the apis, and " +
      'webhooks delivered by workers of their own',
  },
  efi: { title: 'Efí', shape: 'dev', dialect: 'efi', help: 'the dev server, and Efí behind the slot' },
  woovi: { title: 'Woovi', shape: 'dev', dialect: 'woovi', help: 'the dev server, and Woovi behind the slot' },
  'api-pix': {
    title: 'API Pix',
    shape: 'dev',
    dialect: 'api-pix',
    help: 'the dev server, and a bank of the standard behind the slot, which receives only',
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
export const DEFAULT_SETTING: SettingName = 'dev';

/** With a directory that reports who holds a key. */
export const WITH_DIRECTORY: readonly SettingName[] = SETTING_NAMES.filter(
  (name) => DIALECTS[SETTINGS[name].dialect].capabilities.keyOwners === 'directory',
);

/** Where the bank sends payouts. */
export const SENDS_PAYOUTS: readonly SettingName[] = SETTING_NAMES.filter(
  (name) => DIALECTS[SETTINGS[name].dialect].capabilities.sendsPayouts,
);

/** With charges that name their payer. Elsewhere an unsteered payment has an unknown payer. */
export const NAMES_PAYER: readonly SettingName[] = SETTING_NAMES.filter((name) => name !== 'api-pix');

/** Where payments of that kind exist. */
export const PLAYED_WITH: Readonly<Record<'deposit' | 'withdrawal', readonly SettingName[]>> = {
  deposit: SETTING_NAMES,
  withdrawal: SENDS_PAYOUTS,
};

/** For scenarios that are written for the sandbox's own dialect. */
export const OWN_DIALECT: readonly SettingName[] = SETTING_NAMES.filter(
  (name) => SETTINGS[name].dialect === 'simulator',
);
