// The alerts of abuse, which are part of the table of all alerts, and whom they are kept from.
import type { AlertDefinition } from './alert-definition.js';

/** The gateway ends none of them: each is an incident. The database has the same list (keep_abuse_alert.sql). */
export const ABUSE_ALERTS = {
  WORKFLOW_IMPOSTOR: {
    meaning:
      'The workflow under the id of an open payment or rule change was not started by the gateway. The hourly ' +
      'check ended it and reopened the payment from its row.',
    safeAction:
      'Treat it as an intrusion into Temporal: find out who can reach it, and change its credentials. Believe ' +
      'the row and the ledger, not what the API said of the payment since the workflow was started.',
    kind: 'incident',
    class: 'abuse',
  },
  AUDIT_CHAIN_BROKEN: {
    meaning:
      'The audit trail, its seals or their export were changed: an entry is missing or differs from the sealed ' +
      'one. The workers that seal notice within seconds and stop sealing; the nightly verification checks ' +
      'everything.',
    safeAction:
      'Run `gateway audit verify`: it names the first entry. Treat it as an intrusion until it is explained; ' +
      'keep the export and the backups. It stays open until a person resolves it, also if the trail is put right.',
    kind: 'incident',
    class: 'abuse',
  },
  DECISION_NOT_REPRODUCED: {
    meaning: 'Evaluating the stored facts and rules of a decision again gives another result than the stored one.',
    safeAction:
      'Run `gateway decision show ID` and `gateway decision replay`: ' +
      'either the row was changed, or the rules’ code decides differently under the same version.',
    kind: 'incident',
    class: 'abuse',
  },
  ACT_NOT_SIGNED: {
    meaning:
      'An act is stored as signed by a person, but none of their passkeys signed it. Either the step that ' +
      'should perform it noticed and did nothing, or the nightly verification found it after the act was done ' +
      'in the panel; then access may have been granted.',
    safeAction:
      'Treat it as an intrusion into the panel or the database. Suspend the operation, ask the person, and ' +
      'check the audit trail for other acts at that time.',
    kind: 'incident',
    class: 'abuse',
  },
  UNPROVEN_ORDER: {
    meaning:
      'A payment’s workflow was started in Temporal without a valid order of the gateway’s api, or for a ' +
      'payment that does not exist. Nothing was stored, charged or sent.',
    safeAction:
      'Treat it as an intrusion into Temporal: find out who can reach it, and change its credentials. Look for ' +
      'other workflows started at that time.',
    kind: 'incident',
    class: 'abuse',
  },
  NOT_IN_THE_BOOKS: {
    meaning:
      'A payout, charge or return was refused just before the call to the provider, because the database does ' +
      'not support it: no money is reserved, nobody decided it, or the row has another amount, key, document ' +
      'or payment than the order. Normal use cannot cause this. Nothing was sent.',
    safeAction:
      'Treat it as an intrusion into a process or the database: suspend the operation, run `gateway ledger ' +
      'verify` and `gateway audit verify`, and find out who wrote the row. Refuse or cancel the payment; do ' +
      'not correct its row.',
    kind: 'incident',
    class: 'abuse',
  },
  STEP_FORGED: {
    meaning:
      'A step was scheduled in Temporal that the gateway’s workflows never schedule: for a payment that does ' +
      'not exist, with an act that nobody stored, too early, or with a result that no step returned. Nothing ' +
      'was done.',
    safeAction:
      'Compare the clocks of the workers: one that is minutes behind also causes this. Otherwise treat it as ' +
      'an intrusion into Temporal: find out who can reach it, and change its credentials.',
    kind: 'incident',
    class: 'abuse',
  },
  BREAK_GLASS: {
    meaning:
      'Somebody started a break-glass session: for an hour they can decide payments on the command line, ' +
      'unsigned.',
    safeAction:
      'Every admin: check the ticket with the person. If it is not theirs, `gateway staff disable` them at once. ' +
      'Read what they did (`gateway audit list`); then somebody else resolves the alert.',
    kind: 'incident',
    class: 'abuse',
  },
  ROLE_GRANTED: {
    meaning: 'Somebody has a new role. Two people decided it, and for a day it decides nothing with who gave it.',
    safeAction:
      'Every admin: ask the person, and who asked for it (`gateway request list --all`). If nobody knows, run ' +
      '`gateway staff disable` at once, suspend the operations, and treat it as an intrusion. Otherwise resolve the ' +
      'alert.',
    kind: 'incident',
    class: 'abuse',
  },
  PASSKEY_ADDED: {
    meaning: 'Somebody has a new passkey. Its holder can sign acts in that person’s name.',
    safeAction:
      'Every admin: ask the person whether it is theirs. If it is not, run `gateway staff forget-passkeys` at ' +
      'once, suspend the operations, and treat it as an intrusion into the panel. If it is, somebody else ' +
      'resolves the alert, at the earliest after twelve hours.',
    kind: 'incident',
    class: 'abuse',
  },
} as const satisfies Record<string, AlertDefinition & { kind: 'incident'; class: 'abuse' }>;

/** How long the alert of a new passkey stays open, so that every admin can read it. */
const PASSKEY_ALERT_HOURS = 12;

/** What decides who may look after an alert, and who may end it. */
export interface AlertCase {
  readonly kind: string;
  readonly createdAt: Date;
  /** The person whose act raised it, and the one who gained by the act; `null` where nobody of the staff is known. */
  readonly causedBy: string | null;
  readonly gainedBy: string | null;
}

/** Why an open alert stays open for now. */
export type StaysOpen = 'open_too_short' | 'about_you';

/** Whether an alert of abuse is about this person: they neither look after it nor resolve it. */
export function isAbout({ kind, causedBy, gainedBy }: Omit<AlertCase, 'createdAt'>, handle: string): boolean {
  return kind in ABUSE_ALERTS && (causedBy === handle || gainedBy === handle);
}

/** Why this person may not resolve the alert now; null if they may. The database refuses the same of any role. */
export function whyStaysOpen(alert: AlertCase, handle: string, now: Date): StaysOpen | null {
  if (isAbout(alert, handle)) return 'about_you';
  if (alert.kind !== ('PASSKEY_ADDED' satisfies keyof typeof ABUSE_ALERTS)) return null;
  return now.getTime() < alert.createdAt.getTime() + PASSKEY_ALERT_HOURS * 3_600_000 ? 'open_too_short' : null;
}
