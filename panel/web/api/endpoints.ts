// Where each route of the panel is. The contract's table also holds its schemas; the page takes its types only, so that
// the browser loads no validator, and the compiler compares the two.
import type { PANEL_ROUTES, PanelRouteName } from '../../../contract/panel/routes.js';

type Place<Name extends PanelRouteName> = {
  readonly method: (typeof PANEL_ROUTES)[Name]['method'];
  readonly path: (typeof PANEL_ROUTES)[Name]['path'];
};

export const ENDPOINTS = {
  signIn: { method: 'POST', path: '/session' },
  readSignIn: { method: 'GET', path: '/sign-in' },
  askProvider: { method: 'POST', path: '/oidc/address' },
  signInByProvider: { method: 'POST', path: '/oidc/sign-in' },
  askSignIn: { method: 'POST', path: '/passkeys/sign-in-options' },
  signInByPasskey: { method: 'POST', path: '/passkeys/sign-in' },
  askEnrolment: { method: 'POST', path: '/passkeys/enrolment-options' },
  enrol: { method: 'POST', path: '/passkeys/enrolment' },
  readPasskeys: { method: 'GET', path: '/passkeys' },
  askRegistration: { method: 'POST', path: '/passkeys/registration-options' },
  addPasskey: { method: 'POST', path: '/passkeys' },
  removePasskey: { method: 'POST', path: '/passkeys/:id/removal' },
  askSignature: { method: 'POST', path: '/passkeys/signing-options' },
  readSession: { method: 'GET', path: '/session' },
  readSessions: { method: 'GET', path: '/sessions' },
  makeCommandCode: { method: 'POST', path: '/sessions/command-code' },
  endSession: { method: 'POST', path: '/sessions/:id/end' },
  signOut: { method: 'DELETE', path: '/session' },
  readQueue: { method: 'GET', path: '/queue' },
  readShift: { method: 'GET', path: '/shift' },
  readCase: { method: 'GET', path: '/cases/:id' },
  claimCase: { method: 'POST', path: '/cases/:id/claim' },
  workOnCase: { method: 'POST', path: '/cases/:id/work' },
  decideCase: { method: 'POST', path: '/cases/:id/decision' },
  revealField: { method: 'POST', path: '/payments/:id/reveal' },
  readPayment: { method: 'GET', path: '/payments/:id' },
  readWait: { method: 'GET', path: '/payments/:id/wait' },
  readReplay: { method: 'GET', path: '/payments/:id/replay' },
  actOnPayment: { method: 'POST', path: '/payments/:id/acts' },
  search: { method: 'POST', path: '/search' },
  readPayments: { method: 'GET', path: '/operations/:operation/payments' },
  exportPayments: { method: 'GET', path: '/operations/:operation/payments/export' },
  readPlayer: { method: 'GET', path: '/operations/:operation/players/:ref' },
  readApprovals: { method: 'GET', path: '/approvals' },
  readWriteOffs: { method: 'GET', path: '/write-offs' },
  decideApproval: { method: 'POST', path: '/approvals/:id' },
  readAlerts: { method: 'GET', path: '/alerts' },
  actOnAlert: { method: 'POST', path: '/alerts/:id' },
  readAudit: { method: 'GET', path: '/audit' },
  exportAudit: { method: 'GET', path: '/audit/export' },
  readRules: { method: 'GET', path: '/rules/:operation' },
  tryRules: { method: 'POST', path: '/operations/:operation/rules/trials' },
  proposeRules: { method: 'POST', path: '/operations/:operation/rules/proposals' },
  readRuleChanges: { method: 'GET', path: '/rule-changes' },
  readRuleChange: { method: 'GET', path: '/rule-changes/:id' },
  actOnRuleChange: { method: 'POST', path: '/rule-changes/:id' },
  readLists: { method: 'GET', path: '/lists/:operation' },
  readOperations: { method: 'GET', path: '/operations' },
  readOperation: { method: 'GET', path: '/operations/:operation' },
  readCashMovements: { method: 'GET', path: '/operations/:operation/cash-movements' },
  readSuspense: { method: 'GET', path: '/operations/:operation/suspense' },
  readDays: { method: 'GET', path: '/operations/:operation/days' },
  readDayExceptions: { method: 'GET', path: '/operations/:operation/days/:day/:currency/exceptions' },
  readDisputes: { method: 'GET', path: '/operations/:operation/disputes' },
  readStatements: { method: 'GET', path: '/statements' },
  readStatement: { method: 'GET', path: '/statements/:provider/:day' },
  readDeliveries: { method: 'GET', path: '/operations/:operation/deliveries' },
  redeliverRange: { method: 'POST', path: '/operations/:operation/redeliveries' },
  redeliverEvent: { method: 'POST', path: '/events/:id/redeliveries' },
  stopOperation: { method: 'POST', path: '/operations/:operation/stops' },
  changeOperation: { method: 'POST', path: '/operations/:operation/changes' },
  revokeKey: { method: 'POST', path: '/keys/:key/revocation' },
  readStaff: { method: 'GET', path: '/staff' },
  actOnPerson: { method: 'POST', path: '/staff/:handle' },
  stream: { method: 'GET', path: '/stream' },
} as const satisfies { readonly [Name in PanelRouteName]: Place<Name> };

type Reader<Name extends PanelRouteName> = (typeof PANEL_ROUTES)[Name]['who'];

/** The roles that may read the restricted pages. The menu hides the others. */
export const READERS = {
  approvals: ['reviewer', 'approver', 'risk_manager', 'admin', 'auditor'] satisfies Reader<'readApprovals'>,
  people: ['support', 'reviewer', 'approver', 'risk_manager', 'auditor'] satisfies Reader<'exportPayments'>,
  shift: ['support', 'reviewer', 'approver', 'risk_manager', 'auditor'] satisfies Reader<'readShift'>,
  lists: ['reviewer', 'approver', 'risk_manager', 'auditor'] satisfies Reader<'readLists'>,
  audit: ['admin', 'risk_manager', 'auditor'] satisfies Reader<'readAudit'>,
  staff: ['admin', 'auditor'] satisfies Reader<'readStaff'>,
} as const;
