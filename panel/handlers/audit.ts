// The audit trail: its pages, and all of it as a file.
import { exportAudit } from '../../staff/acts/audit-export.js';
import { readAudit } from '../../staff/reads/panel/audit.js';
import { paged } from '../paged.js';
import type { Handlers } from '../request.js';
import { csvFile, saved } from '../saved.js';
import type { PanelServices } from '../services.js';

export function auditHandlers(services: PanelServices): Handlers<'readAudit' | 'exportAudit'> {
  return {
    readAudit: async ({ viewer, query }) => paged(await readAudit(services.database, viewer, query)),
    exportAudit: async ({ viewer, query, now }) =>
      saved(await exportAudit(services.database, viewer, query), csvFile('audit', now)),
  };
}
