// What needs a second person in production: one row per kind of request. A request alone changes nothing. Its author
// may withdraw it; another person, with a role for it, approves or rejects it.
import type { NamedAction } from './audit-actions.js';
import { type AccessActKind, rolesFor, STAFF_ROLES, type StaffActKind, type StaffRole } from './staff.js';

interface ApprovalKind {
  /** What its approval does, in words for people. */
  readonly does: string;
  /** The act of the person who makes the request. */
  readonly asks: AccessActKind;
  /** The acts of the person who approves or rejects it. */
  readonly approves: AccessActKind;
  readonly rejects: AccessActKind;
  /** The audit trail's names for the request, and for the change if one person is enough. */
  readonly audited: { readonly asked: NamedAction; readonly done: NamedAction };
}

export const APPROVAL_KINDS = {
  key: {
    does: 'creates an API key',
    asks: 'key.request',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'key.request', done: 'key.create' },
  },
  allowlist: {
    does: 'replaces the networks that may call',
    asks: 'allowlist.request',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'allowlist.request', done: 'allowlist.set' },
  },
  webhook: {
    does: 'changes where events are delivered',
    asks: 'operation.webhook',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'webhook.request', done: 'webhook.set' },
  },
  provider: {
    does: 'sends new payments through another slot',
    asks: 'operation.provider',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'provider.request', done: 'provider.set' },
  },
  certificate: {
    does: 'lets one client certificate be issued, within seven days',
    asks: 'certificate.issue',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'certificate.request', done: 'certificate.issue' },
  },
  webhook_secret: {
    does: 'lets one new secret that signs webhooks be made, within seven days',
    asks: 'webhook_secret.rotate',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'webhook_secret.request', done: 'webhook_secret.rotate' },
  },
  sealing_key: {
    does: 'retires a sealing key for good',
    asks: 'sealing.change',
    approves: 'destruction.approve',
    rejects: 'access.reject',
    audited: { asked: 'sealing.retire_request', done: 'sealing.retire' },
  },
  resume: {
    does: 'lets a suspended operation call again',
    asks: 'operation.resume',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'operation.resume_request', done: 'operation.resume' },
  },
  automatic_resume: {
    does: 'lets withdrawals be decided automatically again',
    asks: 'automatic.resume',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'automatic.resume_request', done: 'automatic.resume' },
  },
  provider_resume: {
    does: 'lets charges and payouts go to a paused provider again',
    asks: 'provider.resume',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'provider.resume_request', done: 'provider.resume' },
  },
  list_removal: {
    does: 'takes an entry off the block list',
    asks: 'list.change',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'list.remove_request', done: 'list.remove' },
  },
  cash_movement: {
    does: 'moves money into or out of the cash box, or out of suspense',
    asks: 'cash.move',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'cash.request', done: 'cash.move' },
  },
  player_erasure: {
    does: 'erases who a player is, for good',
    asks: 'player.erase',
    approves: 'destruction.approve',
    rejects: 'access.reject',
    audited: { asked: 'player.erase_request', done: 'player.erase' },
  },
  statement_removal: {
    does: 'takes back a day of a provider’s statement that was imported wrongly',
    asks: 'statement.remove',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'statement.remove_request', done: 'statement.remove' },
  },
  statement_resolution: {
    does: 'explains a difference between a provider’s account and the books that stays',
    asks: 'statement.resolve',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'statement.resolve_request', done: 'statement.resolve' },
  },
  item_return: {
    does: 'returns a late or extra payment to its payer, through its provider',
    asks: 'cash.move',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'suspense.return_request', done: 'suspense.return' },
  },
  return_conclusion: {
    does: 'concludes a return that its provider never finishes, by the provider’s statement',
    asks: 'return.conclude',
    approves: 'risk.approve',
    rejects: 'risk.reject',
    audited: { asked: 'return.conclude_request', done: 'return.conclude' },
  },
  // Its person asks for it by making the passkey, with any role or none; an admin may withdraw it.
  passkey: {
    does: 'lets a new passkey sign from now on',
    asks: 'staff.manage',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'staff.passkey_add', done: 'staff.passkey_confirm' },
  },
  person: {
    does: 'lets one person be created, within seven days',
    asks: 'staff.manage',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'staff.create_request', done: 'staff.create' },
  },
  role: {
    does: 'lets one role be given to a person, within seven days',
    asks: 'staff.manage',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'staff.role_request', done: 'staff.role_grant' },
  },
  sign_in_code: {
    does: 'lets one code be given, with which a person makes their first passkey, within seven days',
    asks: 'staff.manage',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'staff.sign_in_code_request', done: 'staff.sign_in_code' },
  },
  passkey_reset: {
    does: 'lets all passkeys of a person be removed and a code be given, within seven days',
    asks: 'staff.manage',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'staff.passkey_reset_request', done: 'staff.passkey_remove' },
  },
  account: {
    does: 'lets an account of the identity provider sign a person in, within seven days',
    asks: 'staff.manage',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'staff.oidc_request', done: 'staff.oidc_set' },
  },
  person_enable: {
    does: 'lets one disabled person be enabled again, within seven days',
    asks: 'staff.manage',
    approves: 'access.approve',
    rejects: 'access.reject',
    audited: { asked: 'staff.enable_request', done: 'staff.enable' },
  },
} as const satisfies Readonly<Record<string, ApprovalKind>>;

export type RequestKind = keyof typeof APPROVAL_KINDS;

/** Kinds whose approval changes nothing by itself: a command uses it up when it makes what was asked for. */
export type UsedRequestKind = Extract<RequestKind, 'certificate' | 'webhook_secret'> | PeopleRequestKind;

/** What is asked about people. Only the command makes them: the panel's role in the database cannot. */
export type PeopleRequestKind = Extract<
  RequestKind,
  'person' | 'role' | 'sign_in_code' | 'passkey_reset' | 'account' | 'person_enable'
>;

/** How long the approval of such a request may wait to be used. */
export const UNUSED_APPROVAL_DAYS = 7;

/** What waits for a second person: the requests above, changes of rules, and payouts that are lost. */
export type InboxKind = RequestKind | 'rule_change' | 'write_off';

/** The acts of what waits in the inbox and is no request. Who may refuse a withdrawal sees its write-off. */
const OTHER_ACTS: Readonly<Record<Exclude<InboxKind, RequestKind>, readonly StaffActKind[]>> = {
  rule_change: ['rule_change.approve', 'rule_change.reject'],
  write_off: ['withdrawal.write_off', 'withdrawal.refuse'],
};

/** They see whatever waits, in the operations where they hold the role. */
const OVERSEERS: readonly StaffRole[] = ['admin', 'auditor'];

/** The roles that see what waits of this kind: who may ask for it or decide it, and who oversees. */
export function inboxReaders(kind: InboxKind): readonly StaffRole[] {
  const acts = isRequestKind(kind) ? actsOf(APPROVAL_KINDS[kind]) : OTHER_ACTS[kind];
  return STAFF_ROLES.filter((role) => OVERSEERS.includes(role) || acts.some((act) => rolesFor(act).includes(role)));
}

function actsOf({ asks, approves, rejects }: ApprovalKind): readonly StaffActKind[] {
  return [asks, approves, rejects];
}

export const REQUEST_KINDS = Object.keys(APPROVAL_KINDS) as RequestKind[];

function isRequestKind(kind: InboxKind): kind is RequestKind {
  return Object.hasOwn(APPROVAL_KINDS, kind);
}
