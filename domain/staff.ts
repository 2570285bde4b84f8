// The gateway's staff and operators' people: their roles, what each role may do, and how a person must be
// authenticated to act. These are tables, so that code, docs and tests follow one source.

export const STAFF_ROLES = ['support', 'reviewer', 'approver', 'risk_manager', 'admin', 'auditor'] as const;
/**
 * The roles of an operator's own people: who integrates, and who answers questions about payments. Each is held in
 * named operations only, and sees nothing of another.
 */
export const OPERATOR_ROLES = ['integrator', 'operator_desk'] as const;
export const ROLES = [...STAFF_ROLES, ...OPERATOR_ROLES] as const;
export type StaffRole = (typeof ROLES)[number];

/** Whether it is a role of an operator's own people. */
export function isOperators(role: StaffRole): boolean {
  return OPERATOR_ROLES.some((one) => one === role);
}

/** Whether a role may be held for every operation, or only there. An admin is one everywhere. */
export function canHold(role: StaffRole, operationId: string | null): boolean {
  return role === 'admin' ? operationId === null : !isOperators(role) || operationId !== null;
}

/** A role held for every operation. */
export const EVERY_OPERATION = '*';

/** The acts on payments. They are stored before a payment's step performs them. */
export const PAYMENT_ACTS = [
  'deposit.approve',
  'deposit.return',
  'deposit.cancel',
  'withdrawal.approve',
  'withdrawal.refuse',
  'withdrawal.cancel',
  'withdrawal.write_off',
] as const;
export type PaymentActKind = (typeof PAYMENT_ACTS)[number];

/** The acts on a proposed change of rules. */
export const RULE_CHANGE_ACTS = ['rule_change.approve', 'rule_change.reject', 'rule_change.recompute'] as const;
export type RuleChangeActKind = (typeof RULE_CHANGE_ACTS)[number];

/** The acts that are stored before a workflow receives them. */
export const STORED_ACTS = [...PAYMENT_ACTS, ...RULE_CHANGE_ACTS] as const;
export type StoredActKind = (typeof STORED_ACTS)[number];

/** For every act of a person, the roles that allow it. One of them is enough. */
export const PERMISSIONS = {
  'deposit.approve': ['reviewer', 'approver'],
  'deposit.return': ['reviewer', 'approver'],
  // The operator can cancel, too: it releases money, and sends none.
  'deposit.cancel': ['support', 'reviewer', 'approver', 'risk_manager'],
  'withdrawal.approve': ['reviewer', 'approver'],
  'withdrawal.refuse': ['reviewer', 'approver', 'risk_manager'],
  'withdrawal.cancel': ['support', 'reviewer', 'approver', 'risk_manager'],
  'withdrawal.write_off': ['reviewer', 'approver'],
  'list.change': ['risk_manager'],
  // What a case is about, onto the block list, with its decision. It stops money, and never lets any go.
  'list.block': ['reviewer', 'approver', 'risk_manager'],
  'player.erase': ['admin'],
  'rules.set': ['risk_manager'],
  'rule_change.approve': ['risk_manager', 'approver'],
  'rule_change.reject': ['risk_manager', 'approver'],
  'rule_change.recompute': ['risk_manager', 'approver'],
  'operation.create': ['admin'],
  'operation.webhook': ['admin', 'integrator'],
  'operation.provider': ['admin'],
  // Everyone who may act at all may stop an operation.
  'operation.suspend': ['support', 'reviewer', 'approver', 'risk_manager', 'admin'],
  'operation.resume': ['risk_manager', 'admin'],
  'automatic.stop': ['support', 'reviewer', 'approver', 'risk_manager', 'admin'],
  'automatic.resume': ['risk_manager', 'admin'],
  'provider.pause': ['support', 'reviewer', 'approver', 'risk_manager', 'admin'],
  'provider.resume': ['risk_manager', 'admin'],
  // Of a return to a payer that the provider never finishes (domain/payments/returns.ts).
  'return.conclude': ['reviewer', 'approver', 'risk_manager'],
  // Funding, settlement, suspense and corrections (domain/cash-movements.ts).
  'cash.move': ['risk_manager', 'admin'],
  'webhook_secret.rotate': ['admin', 'integrator'],
  'key.request': ['admin', 'integrator'],
  'key.revoke': ['support', 'risk_manager', 'admin', 'integrator'],
  'allowlist.request': ['admin', 'integrator'],
  // Requests for changes that open or end access, or let money move again (domain/approvals.ts).
  'access.approve': ['approver', 'admin'],
  'access.reject': ['approver', 'admin'],
  'risk.approve': ['approver', 'risk_manager', 'admin'],
  // An erasure gives no access. It is approved with the command, which has the keys and the sealed values.
  'destruction.approve': ['approver', 'admin'],
  'risk.reject': ['approver', 'risk_manager', 'admin'],
  'certificate.issue': ['admin'],
  'certificate.revoke': ['support', 'risk_manager', 'admin'],
  'sealing.change': ['admin'],
  'deploy.change': ['admin'],
  'alert.resolve': ['support', 'reviewer', 'approver', 'risk_manager', 'admin'],
  // Who has a case, until when it waits, and notes. It decides nothing.
  'case.work': ['support', 'reviewer', 'approver', 'risk_manager'],
  // What the operator says to a question of such a person: by itself, or noted by them.
  'case.answer': ['support', 'reviewer', 'approver', 'risk_manager', 'operator_desk'],
  'event.redeliver': ['support', 'admin', 'integrator'],
  // Evidence that an operator's program may go live.
  'conformance.record': ['risk_manager', 'admin'],
  'day.close': ['risk_manager', 'admin'],
  'statement.import': ['risk_manager', 'admin'],
  'statement.remove': ['risk_manager', 'admin'],
  'statement.resolve': ['risk_manager', 'admin'],
  'workflow.refresh': ['support', 'risk_manager', 'admin'],
  'audit.export': ['admin'],
  'staff.manage': ['admin'],
  // Those who may move money, while no one can sign.
  'staff.break_glass': ['reviewer', 'approver'],
} as const satisfies Readonly<Record<string, readonly StaffRole[]>> & Readonly<Record<StoredActKind, unknown>>;

export type StaffActKind = keyof typeof PERMISSIONS;

/** The acts that are stored and used up in the transaction that performs them. */
export const ACCESS_ACTS = [
  'operation.create',
  'webhook_secret.rotate',
  'list.change',
  'player.erase',
  'operation.webhook',
  'operation.provider',
  'operation.suspend',
  'operation.resume',
  'automatic.stop',
  'automatic.resume',
  'provider.pause',
  'provider.resume',
  'return.conclude',
  'cash.move',
  'key.request',
  'key.revoke',
  'allowlist.request',
  'certificate.issue',
  'certificate.revoke',
  'sealing.change',
  'statement.remove',
  'statement.resolve',
  'staff.manage',
  'access.approve',
  'access.reject',
  'risk.approve',
  'risk.reject',
  'destruction.approve',
] as const satisfies readonly StaffActKind[];
export type AccessActKind = (typeof ACCESS_ACTS)[number];

/** The roles that may perform the act. */
export function rolesFor(kind: StaffActKind): readonly StaffRole[] {
  return PERMISSIONS[kind];
}

/** A role that a person holds. `operationId` is `null` if it holds in every operation. */
export interface HeldRole {
  readonly role: StaffRole;
  readonly operationId: string | null;
}

/** The operations that a person reaches: all, or these. */
export type Reach = 'every' | readonly string[];

/** Where a person holds one of these roles. */
export function reachOf(held: readonly HeldRole[], enough: readonly StaffRole[]): Reach {
  const counted = held.filter(({ role }) => enough.includes(role));
  if (counted.some(({ operationId }) => operationId === null)) return 'every';
  return [...new Set(counted.flatMap(({ operationId }) => operationId ?? []))];
}

/**
 * Whether this operation is within reach. `null`, the whole gateway, is within reach of people who reach every
 * operation.
 */
export function isReached(reach: Reach, operationId: string | null): boolean {
  return reach === 'every' || (operationId !== null && reach.includes(operationId));
}

/**
 * Whether these roles allow the act in the operation. The statement that stores the act checks it again in the
 * database.
 */
export function mayDo(held: readonly HeldRole[], kind: StaffActKind, operationId: string | null): boolean {
  return isReached(reachOf(held, rolesFor(kind)), operationId);
}

/**
 * The acts by which money moves, an access opens or rules change. In production the person signs each of them with a
 * passkey; no session is enough.
 */
export const SIGNED_ACTS = [
  'deposit.approve',
  'deposit.return',
  'withdrawal.approve',
  'withdrawal.write_off',
  'rule_change.approve',
  'access.approve',
  'risk.approve',
] as const satisfies readonly StaffActKind[];
export type SignedActKind = (typeof SIGNED_ACTS)[number];

/**
 * What a person does to their own keys and sessions, without a role for it. It is signed with a key that they have: a
 * session of the panel is not enough to make another key, or a session of the command line.
 */
export const OWN_ACTS = ['passkey.add', 'passkey.remove', 'session.command'] as const;
export type OwnActKind = (typeof OWN_ACTS)[number];

/** Whatever is signed with a passkey. */
export const PASSKEY_ACTS = [...SIGNED_ACTS, ...OWN_ACTS] as const;
export type PasskeyActKind = (typeof PASSKEY_ACTS)[number];

/** Whether acts of this kind, as it is stored, are signed. */
export function isPasskeyAct(kind: string): kind is PasskeyActKind {
  return PASSKEY_ACTS.some((signed) => signed === kind);
}

export function isSignedAct(kind: StaffActKind): kind is SignedActKind {
  return SIGNED_ACTS.some((signed) => signed === kind);
}

/** How a person was authenticated, and where that is enough. */
export const MEANS = {
  /** `--as NAME`: a claim. */
  claim: ['sandbox'],
  /** The sandbox's own reviewers (`/sandbox/withdrawals/{id}/approve`). */
  simulated: ['sandbox'],
  /** A session of the panel that began with a one-time link and the code that the person types. */
  link: ['sandbox'],
  /** A session of `gateway staff login`. */
  command_line: ['sandbox', 'production'],
  /** A session of `gateway staff break-glass`, for an hour. */
  break_glass: ['sandbox', 'production'],
  /** A session of the panel that began with a passkey. */
  passkey: ['sandbox', 'production'],
  /** A session of the panel that began at the company's identity provider (OpenID Connect). It signs nothing. */
  oidc: ['sandbox', 'production'],
  /** The act itself is signed with a passkey. */
  signature: ['sandbox', 'production'],
} as const satisfies Readonly<Record<string, readonly ('sandbox' | 'production')[]>>;

export type StaffMeans = keyof typeof MEANS;
export const STAFF_MEANS = Object.keys(MEANS) as StaffMeans[];

/** Whether the text is the name of a means. */
export function isMeans(text: unknown): text is StaffMeans {
  return typeof text === 'string' && Object.hasOwn(MEANS, text);
}

/**
 * Who does something, for the audit trail: the person, how they were authenticated, and the stored act, if there is
 * one.
 */
export interface Doer {
  readonly handle: string;
  readonly means: StaffMeans;
  readonly actId?: string | null;
  /** Where the act's request came from. */
  readonly address?: string | null;
}

/** By name alone, without a means: for what the gateway does on a person's behalf. */
export type DoneBy = string | Doer;

export function nameOf(by: DoneBy): string {
  return typeof by === 'string' ? by : by.handle;
}

/** The means by which a session of the panel begins. */
export const PANEL_MEANS = ['link', 'passkey', 'oidc'] as const satisfies readonly StaffMeans[];
export type PanelMeans = (typeof PANEL_MEANS)[number];

/** The signed acts that a break-glass session may also perform: on payments, as the first or only person. */
const BREAK_GLASS_ACTS = [
  'deposit.approve',
  'deposit.return',
  'withdrawal.approve',
  'withdrawal.write_off',
] as const satisfies readonly SignedActKind[];

/** How long a break-glass session lasts, used or not. */
export const BREAK_GLASS_MINUTES = 60;

/** In production, the means that are enough for the acts that are signed. */
export const MEANS_OF_SIGNED_ACTS: Readonly<Record<SignedActKind, readonly StaffMeans[]>> = Object.fromEntries(
  SIGNED_ACTS.map((kind) => [
    kind,
    (BREAK_GLASS_ACTS as readonly SignedActKind[]).includes(kind) ? ['signature', 'break_glass'] : ['signature'],
  ]),
) as unknown as Record<SignedActKind, readonly StaffMeans[]>;

/** The means that are enough in an environment for acts that are not signed. */
export function meansIn(environment: 'sandbox' | 'production'): StaffMeans[] {
  return STAFF_MEANS.filter((means) => (MEANS[means] as readonly string[]).includes(environment));
}

/** The means by which people sign in to the panel. `hasOidc` is true if an identity provider is configured. */
export function panelMeansIn(environment: 'sandbox' | 'production', hasOidc: boolean): PanelMeans[] {
  return PANEL_MEANS.filter((means) => meansIn(environment).includes(means) && (means !== 'oidc' || hasOidc));
}

/**
 * Whether a session that began by this means may add and remove passkeys. A session of the identity provider may not:
 * its administrators could then sign as anyone, with a passkey of their own.
 */
export function changesPasskeys(means: StaffMeans): boolean {
  return means !== 'oidc';
}

/** How long a session lasts without use, and how many hours in any case. */
export const SESSION_LIMITS = { idleMinutes: 30, hours: 10 } as const;

/** Who made the first people. No person is called this: handles are plain letters. */
export const INSTALLATION = '(installation)';
/** Who has not proved to be anybody, in the audit trail. */
export const NOBODY = '(nobody)';

/** What a code is good for: signing in (sandbox), making a first passkey (production), or the command line. */
export type CodePurpose = 'sign_in' | 'enrolment' | 'command';

/** How long a sign-in code is valid. */
export const SIGN_IN_CODE_MINUTES = 15;
/**
 * How long a link of the sandbox is valid. It is longer, because people who start a sandbox may open the link later.
 */
export const SANDBOX_LINK_MINUTES = 24 * 60;
/** How long the codes of the first admins are valid: nobody could give them others. */
export const FIRST_CODE_MINUTES = 24 * 60;

/** Whether the text can be the handle of a person whom an admin creates: plain letters, so that no two look alike. */
export function isHandle(text: string): boolean {
  return /^[a-z][a-z0-9._-]{1,31}$/.test(text);
}

/**
 * How long a stored act may wait until it is performed. A provider may be slow, but a person's decision must not take
 * effect much later.
 */
export const ACT_LASTS_SECONDS = 900;

/** An act of a person as a step reads it. */
export interface StaffAct {
  readonly id: string;
  readonly kind: StoredActKind;
  readonly operationId: string;
  /** The payment or the change of rules that it is about. */
  readonly subjectId: string;
  /** The payment's version that the person saw; the version that a change of rules is based on. */
  readonly subjectVersion: number;
  /** The digest of the report that the person approves; `null` for every other act. */
  readonly subjectDigest: string | null;
  readonly handle: string;
  readonly reason: string;
  /** For a write-off the reference of the provider's written statement; empty for every other act. */
  readonly evidence: string;
  /** Done, or closed after its refusal. */
  readonly isUsed: boolean;
  readonly isDone: boolean;
  readonly isExpired: boolean;
  /** Whether the person is not disabled and holds a role for it in the operation, now. */
  readonly isPermitted: boolean;
  /** Whether the means is enough for the act in the operation's environment. */
  readonly isMeansEnough: boolean;
  readonly means: StaffMeans;
  /** Where the person's request came from; `null` without one, as from a sandbox's command. */
  readonly address: string | null;
  /** With whom the person decides nothing together for now (people_close_to). */
  readonly closeTo: readonly string[];
}

/** A person's act: its id, the act stored under it (`null` if there is none), and when it is done. */
export interface PersonAct {
  readonly actId: string;
  readonly stored: StaffAct | null;
  /** RFC 3339. */
  readonly at: string;
}

/** Why an act is refused. Nothing changed. */
export const STAFF_ACT_REFUSALS = {
  unknown_act: 'nobody stored this act',
  other_subject: 'the act is about something else',
  used_act: 'the act was used or closed already',
  expired_act: 'the act is too old',
  subject_changed: 'it changed after the person saw it',
  not_permitted: 'the person may not do this',
  never_second: 'a break-glass session is never the second person',
  too_close: 'one of the two people is new, and one made the other or somebody made both',
} as const;

export type StaffActRefusal = keyof typeof STAFF_ACT_REFUSALS;

/** Whether this is a refusal of the act itself. */
export function isStaffActRefusal(outcome: string): outcome is StaffActRefusal {
  return Object.hasOwn(STAFF_ACT_REFUSALS, outcome);
}

/** The current state of what an act refers to. */
export interface ActSubject {
  readonly id: string;
  readonly operationId: string;
  readonly version: number;
  /** The digest of the report that an approval is for. */
  readonly digest?: string | null;
}

/**
 * Why the act on this subject is refused; `null` if it is not. The caller checks first whether the act is done already.
 */
export function staffActRefusal(
  act: StaffAct | null,
  kind: StoredActKind,
  subject: ActSubject,
  /** People who decided before. */
  others: readonly string[] = [],
): StaffActRefusal | null {
  if (act === null) return 'unknown_act';
  if (!isAbout(act, kind, subject)) return 'other_subject';
  if (act.isUsed) return 'used_act';
  if (act.isExpired) return 'expired_act';
  if (!act.isPermitted || !act.isMeansEnough) return 'not_permitted';
  if (act.means === 'break_glass' && others.length > 0) return 'never_second';
  if (others.some((other) => act.closeTo.includes(other))) return 'too_close';
  const isUnchanged = act.subjectVersion === subject.version && act.subjectDigest === (subject.digest ?? null);
  return isUnchanged ? null : 'subject_changed';
}

function isAbout(act: StaffAct, kind: StoredActKind, { id, operationId }: ActSubject): boolean {
  return act.kind === kind && act.subjectId === id && act.operationId === operationId;
}

/** Whether this act was done to the subject: a repeat of its step gets the same answer. */
export function isDoneTo(act: StaffAct | null, kind: StoredActKind, subject: ActSubject): boolean {
  return act !== null && act.isDone && isAbout(act, kind, subject);
}

/** The stored act, or why it is refused for this subject. */
export function permittedAct(...asked: Parameters<typeof staffActRefusal>): StaffAct | StaffActRefusal {
  const [act] = asked;
  return staffActRefusal(...asked) ?? act ?? 'unknown_act';
}

/** The act that a change performs. The statement that stores the change uses the act up, or stores nothing. */
export interface UsedAct {
  readonly id: string;
  readonly kind: StoredActKind;
  /** For the audit trail. */
  readonly means: StaffMeans;
  readonly address: string | null;
  /** People who decided before and must be others. */
  readonly others: readonly string[];
}

export function usedAct(
  { id, means, address }: StaffAct,
  kind: StoredActKind,
  others: readonly string[] = [],
): UsedAct {
  return { id, kind, means, address, others };
}
