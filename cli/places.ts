// Where each command runs in production: on the machine of the person who types it, or on the gateway's server, with
// the person's session. A command without a row does not start.
import type { Command } from 'commander';
import { STAFF_ROLES, type StaffRole } from '../domain/staff.js';

/**
 * `local`: it works on files of this machine, or with what whoever runs it has. `act`: on the server; the act checks
 * the person's roles. Roles: on the server; it reads, and one of them must hold in every operation.
 */
export type Place = 'local' | 'act' | readonly StaffRole[];

/** As in the panel: contract/panel/routes.ts. */
const STAFF = STAFF_ROLES;
/** Who sees lists and why the rules decide as they do. */
const JUDGES = ['reviewer', 'approver', 'risk_manager', 'auditor'] as const;
const INBOX = ['reviewer', 'approver', 'risk_manager', 'admin', 'auditor'] as const;
const WATCHERS = ['admin', 'risk_manager', 'auditor'] as const;

const PLACES: Readonly<Record<string, Place>> = {
  find: STAFF,
  'operation create': 'act',
  'operation list': STAFF,
  'operation suspend': 'act',
  'operation resume': 'act',
  'operation stop-automatic': 'act',
  'operation resume-automatic': 'act',
  'operation set-webhook': 'act',
  'operation set-provider': 'act',
  'key create': 'act',
  'key list': STAFF,
  'key revoke': 'act',
  'allowlist set': 'act',
  'cert authority': 'local',
  // It signs with the authority's key, and has the certificate recorded by the server (`cert record`).
  'cert issue': 'local',
  'cert list': STAFF,
  'cert record': 'act',
  'cert revoke': 'act',
  'cert revocation-list': 'local',
  'conformance record': 'act',
  'request list': INBOX,
  'request approve': 'act',
  'request reject': 'act',
  'webhook-secret rotate': 'act',
  'list add': 'act',
  'list remove': 'act',
  'list entries': JUDGES,
  'rules set': 'act',
  'rules show': STAFF,
  'rules changes list': STAFF,
  'rules changes show': STAFF,
  'rules changes approve': 'act',
  'rules changes reject': 'act',
  'rules changes recompute': 'act',
  'review list': STAFF,
  'review show': STAFF,
  'review approve': 'act',
  'review refuse': 'act',
  'review return': 'act',
  'review conclude': 'act',
  'review conclude-return': 'act',
  'deposit show': STAFF,
  'withdrawal show': STAFF,
  'player payments': STAFF,
  'player erase': 'act',
  'event redeliver': 'act',
  'event redeliver-range': 'act',
  'endpoint list': STAFF,
  'balance list': STAFF,
  'cash fund': 'act',
  'cash settle': 'act',
  'cash move': 'act',
  'cash credit-suspense': 'act',
  'cash return-suspense': 'act',
  'cash assign-suspense': 'act',
  'cash correct': 'act',
  'cash list': STAFF,
  'suspense list': STAFF,
  'suspense return': 'act',
  'provider pause': 'act',
  'provider resume': 'act',
  'provider pauses': STAFF,
  'provider balance': 'local',
  'provider statement': 'local',
  'provider check': 'local',
  'provider register-webhook': 'local',
  'receipt list': STAFF,
  'payout list': STAFF,
  'dispute list': STAFF,
  'reconcile show': STAFF,
  'reconcile close': 'act',
  'reconcile verify': 'local',
  'reconcile references': STAFF,
  'statement import': 'act',
  'statement remove': 'act',
  'statement differences': STAFF,
  'statement resolve': 'act',
  'statement show': STAFF,
  'statement list': STAFF,
  'decision show': JUDGES,
  'decision replay': JUDGES,
  'audit list': WATCHERS,
  // An auditor's own tool: with a reading role, a copy of the seals and the public key.
  'audit verify': 'local',
  'audit key': 'local',
  'audit export': 'act',
  'ledger verify': STAFF,
  'workflow verify': STAFF,
  'temporal prepare': 'local',
  'temporal renew-access': 'local',
  'deploy status': STAFF,
  'deploy promote': 'act',
  'deploy drained': STAFF,
  'deploy move': 'act',
  'sealing init': 'act',
  'sealing rotate': 'act',
  'sealing rewrap': 'act',
  'sealing reseal': 'act',
  'sealing status': STAFF,
  'sealing retire': 'act',
  'sealing split': 'local',
  alerts: STAFF,
  'alerts resolve': 'act',
  views: STAFF,
  sign: 'local',
  'staff create': 'act',
  'staff list': ['admin', 'auditor'],
  'staff code': 'act',
  'staff disable': 'act',
  'staff enable': 'act',
  'staff forget-passkeys': 'act',
  'staff link': 'act',
  'staff demo': 'act',
  'staff role grant': 'act',
  'staff role revoke': 'act',
  'staff oidc set': 'act',
  'staff oidc remove': 'act',
  'staff login': 'act',
  'staff logout': 'act',
  'staff whoami': 'act',
  'staff break-glass': 'act',
  setup: 'local',
};

/** Options that make another thing of a command. */
const BY_OPTION: Readonly<Record<string, { readonly option: string; readonly place: Place }>> = {
  // Before there is anybody.
  'staff create': { option: 'firstAdmin', place: 'local' },
  'rules set': { option: 'preview', place: JUDGES },
  'workflow verify': { option: 'refresh', place: 'act' },
};

/** The one command that begins a session, with a code instead of one. */
export const LOGIN = 'staff login';

/** The command's words, without the program's: `staff role grant`. */
export function pathOf(command: Command): string {
  const words: string[] = [];
  for (let at: Command = command; at.parent !== null; at = at.parent) words.unshift(at.name());
  return words.join(' ');
}

/** Where the command runs, called as it was. */
export function placeOf(command: Command): Place {
  const path = pathOf(command);
  const other = BY_OPTION[path];
  if (other !== undefined && command.getOptionValue(other.option) === true) return other.place;
  const place = PLACES[path];
  if (place === undefined) throw new Error(`cli/places.ts does not say where "gateway ${path}" runs`);
  return place;
}

/** Every command of the table. */
export const PLACED_COMMANDS: readonly string[] = Object.keys(PLACES);
