// The audit trail: its pages, and all of it as a file.
import type { Answering } from '../../contract/panel/routes.js';
import { exportAudit } from '../../staff/acts/audit-export.js';
import { readAudit } from '../../staff/reads/panel/audit.js';
import { paged } from '../paged.js';
import { type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import type { PanelServices } from '../services.js';

export function auditHandlers(services: PanelServices): Handlers<'readAudit' | 'exportAudit'> {
  return {
    readAudit: async ({ viewer, query }) => paged(await readAudit(services.database, viewer, query)),
    exportAudit: (request) => exportTrail(services, request),
  };
}

async function exportTrail(
  { database }: PanelServices,
  { viewer, query, now }: HandlerRequest<'exportAudit'>,
): Promise<Answering<'exportAudit'> | Refusal> {
  const outcome = await exportAudit(database, viewer, query);
  if (outcome.kind === 'rate_limited')
    return refuse('rate_limited', { retry_after_seconds: outcome.retryAfterSeconds });
  return {
    name: `audit-${now.toISOString().replace(/\D/g, '').slice(0, 14)}Z.csv`,
    type: 'text/csv',
    text: outcome.text,
  };
}
