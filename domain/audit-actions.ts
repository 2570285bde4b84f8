// Every action that an entry of the audit trail may have. Whoever writes one takes it from here, so that the panel can
// name each in the reader's language (panel/web/texts/acts.ts). The stored entry keeps the code.
import { CASE_ACTS } from './case-work.js';

/** Decisions about a payment, as its workflow stores them; the action is `deposit.…` or `withdrawal.…`. */
export const AUDITED_DECISIONS = [
  'approve',
  'refuse',
  'return',
  'cancel',
  'return_requested',
  'item_returned',
  'return_refused',
  'return_withdrawn',
  'request_conclusion',
  'confirm_conclusion',
] as const;

/** Acts that are written before they have an effect, and once more if they were refused. */
const REFUSABLE_ACTIONS = ['payment.look_up', 'deploy.promote', 'deploy.move'] as const;
export type RefusableAction = (typeof REFUSABLE_ACTIONS)[number];

const OTHER_ACTIONS = [
  'alert.assign',
  'alert.resolve',
  'allowlist.request',
  'allowlist.set',
  'audit.download',
  'audit.export',
  'automatic.resume',
  'automatic.resume_request',
  'automatic.stop',
  'case.download',
  'cash.move',
  'cash.request',
  'certificate.issue',
  'certificate.request',
  'certificate.revoke',
  'conformance.record',
  'day.close',
  'event.redeliver',
  'event.redeliver_range',
  'key.create',
  'key.request',
  'key.revoke',
  'list.add',
  'list.remove',
  'list.remove_request',
  'operation.create',
  'operation.resume',
  'operation.resume_request',
  'operation.suspend',
  'payment.reveal',
  'payments.download',
  'player.erase',
  'player.erase_request',
  'provider.pause',
  'provider.request',
  'provider.resume',
  'provider.resume_request',
  'provider.set',
  'request.approve',
  'request.reject',
  'return.conclude',
  'return.conclude_request',
  'rule_change.approve',
  'rule_change.recompute',
  'rule_change.reject',
  'rule_change.request',
  'rules.engine_set',
  'rules.set',
  'sealing.init',
  'sealing.reseal',
  'sealing.retire',
  'sealing.retire_request',
  'sealing.rewrap',
  'sealing.rotate',
  'search.document',
  'search.pix_key',
  'staff.break_glass',
  'staff.break_glass_act',
  'staff.command_code',
  'staff.create',
  'staff.create_request',
  'staff.disable',
  'staff.enable',
  'staff.enable_request',
  'staff.oidc_remove',
  'staff.oidc_request',
  'staff.oidc_set',
  'staff.passkey_add',
  'staff.passkey_confirm',
  'staff.passkey_remove',
  'staff.passkey_reset_request',
  'staff.policy',
  'staff.role_grant',
  'staff.role_request',
  'staff.role_revoke',
  'staff.sessions_end',
  'staff.sign_in',
  'staff.sign_in_code',
  'staff.sign_in_code_request',
  'staff.sign_in_refused',
  'staff.sign_out',
  'statement.import',
  'statement.remove',
  'statement.remove_request',
  'statement.resolve',
  'statement.resolve_request',
  'suspense.return',
  'suspense.return_request',
  'webhook.request',
  'webhook.set',
  'webhook_secret.request',
  'webhook_secret.rotate',
  'workflow.refresh',
] as const;

export type PaymentAction = `${'deposit' | 'withdrawal'}.${(typeof AUDITED_DECISIONS)[number]}`;
/** The actions that have a text of their own. Those of payments are made of the payment's kind and the decision. */
export type NamedAction =
  | (typeof OTHER_ACTIONS)[number]
  | `case.${(typeof CASE_ACTS)[number]}`
  | RefusableAction
  | `${RefusableAction}_refused`;
export type AuditAction = NamedAction | PaymentAction;

export const NAMED_ACTIONS: readonly NamedAction[] = [
  ...OTHER_ACTIONS,
  ...CASE_ACTS.map((act) => `case.${act}` as const),
  ...REFUSABLE_ACTIONS,
  ...REFUSABLE_ACTIONS.map((action) => `${action}_refused` as const),
];
