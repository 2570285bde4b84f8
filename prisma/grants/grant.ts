// A line of the grants: a right, the roles that have it, and why they need it. And the groups of roles.
import type { Role } from '../roles.js';

/** Columns of a table: all, some, or all but some. */
export type Columns = 'all' | { readonly only: readonly string[] } | { readonly except: readonly string[] };

export interface TableGrant {
  readonly to: readonly Role[];
  readonly select?: Columns;
  readonly insert?: true;
  readonly update?: readonly string[];
  readonly delete?: true;
  /** In databases of this environment alone. */
  readonly in?: 'sandbox';
  readonly because: string;
}

/** By table. */
export type TableGrants = Readonly<Record<string, readonly TableGrant[]>>;

export interface FunctionGrant {
  readonly to: readonly Role[];
  readonly because: string;
}

export const only = (...names: string[]): Columns => ({ only: names });
export const except = (...names: string[]): Columns => ({ except: names });
export const all = 'all';

export const API: readonly Role[] = ['gateway_api'];
export const INGRESS: readonly Role[] = ['gateway_ingress'];
/** Workers that store payments. The payments workers include them. */
export const RULES: readonly Role[] = ['gateway_rules'];
export const PAYMENTS: readonly Role[] = ['gateway_payments'];
export const WEBHOOKS: readonly Role[] = ['gateway_webhooks'];
export const PANEL: readonly Role[] = ['gateway_panel'];
export const COMMAND: readonly Role[] = ['gateway_command'];
/** `gateway staff create --first-admin`. */
export const SETUP: readonly Role[] = ['gateway_setup'];
/** `gateway cert revocation-list`. */
export const CERTIFICATES: readonly Role[] = ['gateway_certificates'];
/** Every process that seals or opens values. */
export const SEALING: readonly Role[] = [
  'gateway_api',
  'gateway_ingress',
  'gateway_rules',
  'gateway_webhooks',
  'gateway_panel',
];
