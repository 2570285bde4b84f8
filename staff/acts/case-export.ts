// A case as a file: all that its page and its payment's page show to this person, as masked as there. The audit trail
// has it before the person does.
import { PANEL_ROUTES } from '../../contract/panel/routes.js';
import { appendAudit } from '../../store/audit/audit.js';
import { takeToken } from '../../store/rate-buckets.js';
import type { Export } from './export.js';
import { type CaseReads, readCase } from '../reads/panel/case.js';
import { readPaymentPage } from '../reads/panel/payment-page.js';
import type { Viewer } from '../viewer.js';

const RATE = { perSecond: 1 / 60, burst: 10 } as const;

export async function exportCase(
  reads: CaseReads & { readonly tracesUi: string | null },
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<Export> {
  const { database } = reads;
  const [shown, payment] = [await readCase(reads, viewer, id, now), await readPaymentPage(reads, viewer, id)];
  if (shown === null || payment === null) return { kind: 'not_found' };
  const retryAfterSeconds = await takeToken(database, `case_export:${viewer.handle}`, RATE);
  if (retryAfterSeconds > 0) return { kind: 'rate_limited', retryAfterSeconds };
  const { id: operationId } = shown.operation;
  await appendAudit(database, { person: viewer, action: 'case.download', operationId, subject: id });
  // As when they are served: nothing that the contract does not name.
  const file = {
    exported_at: now,
    exported_by: viewer.handle,
    case: PANEL_ROUTES.readCase.answer.parse(shown),
    payment: PANEL_ROUTES.readPayment.answer.parse(payment),
  };
  return { kind: 'exported', text: once(`${JSON.stringify(file, null, 2)}\n`) };
}

async function* once(text: string) {
  yield text;
}
