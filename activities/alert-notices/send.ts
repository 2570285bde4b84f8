// Sends alerts on: takes the notices that are due, sends each to the targets that have not accepted it, and plans the
// next attempt. Nothing is lost with the process: who takes a notice has it for a minute.
import type { Logger } from 'pino';
import {
  type AlertNotice,
  type AlertTargets,
  emailText,
  noticePauseSeconds,
  type NoticeTarget,
  pagerEvent,
  targetsOf,
  webhookBody,
} from '../../domain/alert-notices.js';
import { count } from '../../platform/telemetry/instruments.js';
import { endNotice, repeatNotice, takeDueNotices, type TakenNotice } from '../../store/alerts/notices.js';
import type { Database } from '../../store/database.js';
import { type Egress, post } from '../webhooks/egress.js';
import { signedHeaders } from '../../contract/http/webhooks.js';
import { sendEmail } from './email.js';

export interface NoticeDependencies extends Egress {
  readonly database: Database;
  readonly targets: AlertTargets;
  readonly logger: Logger;
}

/** Each is at most three calls of ten seconds, at the same time. */
const NOTICES_AT_ONCE = 10;

/** Makes one attempt for each notice that is due. Answers whether more may be due at once. */
export async function sendDueNotices(dependencies: NoticeDependencies): Promise<boolean> {
  const taken = await takeDueNotices(dependencies.database, NOTICES_AT_ONCE);
  await Promise.all(taken.map((notice) => attempt(dependencies, notice)));
  return taken.length === NOTICES_AT_ONCE;
}

async function attempt(dependencies: NoticeDependencies, notice: TakenNotice): Promise<void> {
  const { database, targets, logger } = dependencies;
  const left = targetsOf(notice.kind, targets).filter((target) => !notice.sentTo.includes(target));
  const reasons = await Promise.all(left.map((target) => sendTo(dependencies, notice, target)));
  left.forEach((target, index) => {
    const reason = reasons[index] ?? null;
    count('gateway_alert_notices_total', { target, result: reason === null ? 'sent' : 'failed' });
    if (reason !== null) logger.warn({ alertId: notice.alertId, target, reason }, 'an alert could not be sent on');
  });
  const sentTo = left.filter((_, index) => reasons[index] === null);
  if (sentTo.length === left.length) return endNotice(database, notice.alertId);
  const pauseSeconds = noticePauseSeconds(notice.attempts + 1);
  return repeatNotice(database, { alertId: notice.alertId, sentTo, pauseSeconds });
}

/** Why the target did not accept it; `null` if it did. */
async function sendTo(
  { targets: { webhook, email, pager }, logger, ...egress }: NoticeDependencies,
  notice: AlertNotice,
  target: NoticeTarget,
): Promise<string | null> {
  const { environment } = egress.rules;
  if (target === 'webhook' && webhook !== null) {
    const body = Buffer.from(webhookBody(notice, environment));
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = signedHeaders({ secrets: [webhook.secret], timestampSeconds, id: notice.alertId, body });
    return reasonOf(await post(egress, { url: webhook.url, headers, body }));
  }
  if (target === 'pager' && pager !== null) {
    const body = Buffer.from(pagerEvent(notice, environment, pager.routingKey));
    return reasonOf(await post(egress, { url: pager.url, headers: {}, body }));
  }
  if (target === 'email' && email !== null) {
    const answer = await sendEmail(email, egress.rules, { id: notice.alertId, ...emailText(notice, environment) });
    if (answer.kind === 'delivered' && answer.refused > 0)
      logger.warn({ alertId: notice.alertId, refused: answer.refused }, 'recipients of an alert were refused');
    return reasonOf(answer);
  }
  return null;
}

function reasonOf(answer: { readonly kind: 'delivered' } | { readonly kind: 'failed'; readonly reason: string }) {
  return answer.kind === 'failed' ? answer.reason : null;
}
