// What the simulator needs to play a provider of some dialect: its routes, and its callbacks.
import type { Router } from '@koa/router';
import type { SimulatedAccount } from '../../platform/config/simulator.js';
import type { AccountName } from '../../providers/port.js';
import type { Bank } from './bank.js';
import type { Delays } from './delays.js';
import type { KeyBudget, KeyDirectory } from './key-directory.js';
import type { ServerDialect } from './server-dialect.js';
import type { ProviderBooks } from './state.js';
import type { ClientCertificate } from './trial.js';
import type { CallbackFormat } from './callback-format.js';

/** One simulated provider. */
export interface Psp {
  readonly provider: AccountName;
  readonly account: SimulatedAccount;
  readonly bank: Bank;
  readonly books: ProviderBooks;
  readonly directory: KeyDirectory;
  readonly delays: Delays;
  /** What it shows to those that it calls; null without one. */
  readonly certificate: ClientCertificate | null;
  /** Where charge payloads are served, without scheme. */
  readonly locationBase: string;
}

/** One that speaks a dialect of API Pix. */
export interface PixApiPsp extends Psp {
  readonly dialect: ServerDialect;
}

export interface SimulatedDialect extends CallbackFormat {
  /** What the bank lets a client look up in the key directory; absent where only a test sets a limit. */
  readonly keyBudget?: KeyBudget;
  /** All routes of the provider, under `/{slot}`. */
  readonly router: (psp: Psp) => Router;
}
