// What is sent on about an alert, to whom, and when again. It has no text of the alert's own and no name of a person:
// who reads it looks the alert up.
import { ALERT_CLASSES, type AlertClass } from './alert-definition.js';
import { alertDefinition } from './alerts.js';

/** Where alerts are sent on to: each is set by variables of its own (platform/config/alert-targets.ts). */
export const NOTICE_TARGETS = ['webhook', 'email', 'pager'] as const;
export type NoticeTarget = (typeof NOTICE_TARGETS)[number];

/** The targets that are set, and what is sent to all of them. */
export interface AlertTargets {
  /** `secret` signs as the secret of an operation signs its webhooks. */
  readonly webhook: { readonly url: string; readonly secret: string } | null;
  readonly email: EmailTarget | null;
  /** A pager with the Events API v2 of PagerDuty. */
  readonly pager: { readonly url: string; readonly routingKey: string } | null;
  /** The least grave class that is sent. `abuse` always is. */
  readonly leastClass: AlertClass;
}

export interface EmailTarget {
  readonly from: string;
  readonly to: readonly string[];
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** TLS from the first byte. Without it, STARTTLS, which production insists on. */
    readonly isTls: boolean;
    readonly login: { readonly user: string; readonly password: string } | null;
  };
}

/** An alert that is sent on. */
export interface AlertNotice {
  readonly alertId: string;
  readonly kind: string;
  readonly operationId: string | null;
  readonly raisedAt: Date;
}

/** Pauses after a failed attempt; after the last one it is repeated without end. */
const NOTICE_PAUSES_SECONDS = [10, 60, 300, 900, 3_600] as const;

/** How long to wait after so many attempts that failed. */
export function noticePauseSeconds(attempts: number): number {
  return NOTICE_PAUSES_SECONDS[attempts - 1] ?? (NOTICE_PAUSES_SECONDS.at(-1) as number);
}

/** The targets that have to accept the alert. A kind that this build does not know may be abuse. */
export function targetsOf(kind: string, targets: AlertTargets): NoticeTarget[] {
  const of = alertDefinition(kind)?.class ?? 'abuse';
  const isSent = ALERT_CLASSES.indexOf(of) <= ALERT_CLASSES.indexOf(targets.leastClass);
  return isSent ? NOTICE_TARGETS.filter((name) => targets[name] !== null) : [];
}

/** The body of the webhook, JSON. */
export function webhookBody(notice: AlertNotice, environment: string): string {
  const { meaning, safeAction, of } = described(notice);
  return JSON.stringify({
    id: notice.alertId,
    type: 'alert.raised',
    environment,
    kind: notice.kind,
    class: of,
    operation_id: notice.operationId,
    raised_at: notice.raisedAt.toISOString(),
    meaning,
    safe_action: safeAction,
  });
}

const PAGER_SEVERITIES = { abuse: 'critical', critical: 'critical', error: 'error', warning: 'warning' } as const;

/** An event for the pager, JSON. Its `dedup_key` is the alert's id: sent twice, it is one incident. */
export function pagerEvent(notice: AlertNotice, environment: string, routingKey: string): string {
  const { meaning, safeAction, of } = described(notice);
  return JSON.stringify({
    routing_key: routingKey,
    event_action: 'trigger',
    dedup_key: notice.alertId,
    payload: {
      summary: `${notice.kind}: ${meaning}`.slice(0, 1_024),
      source: `operator-payments-gateway (${environment})`,
      severity: PAGER_SEVERITIES[of],
      timestamp: notice.raisedAt.toISOString(),
      class: of,
      custom_details: { alert_id: notice.alertId, operation_id: notice.operationId, safe_action: safeAction },
    },
  });
}

/** The e-mail's subject and text. */
export function emailText(
  notice: AlertNotice,
  environment: string,
): { readonly subject: string; readonly text: string } {
  const { meaning, safeAction, of } = described(notice);
  const text = [
    `${notice.kind} (${of}), raised at ${notice.raisedAt.toISOString()}`,
    `alert ${notice.alertId}${notice.operationId === null ? '' : `, operation ${notice.operationId}`}`,
    meaning,
    safeAction,
    'The panel and "gateway alerts --all" show whom it is about.',
  ];
  return { subject: `[payments gateway, ${environment}] ${notice.kind}`, text: `${text.join('\n\n')}\n` };
}

function described({ kind }: AlertNotice): { meaning: string; safeAction: string; of: AlertClass } {
  const { meaning = '', safeAction = '', class: of = 'abuse' } = alertDefinition(kind) ?? {};
  return { meaning, safeAction, of };
}
