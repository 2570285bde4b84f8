// The acts of people, as steps read them.
import { alertOf } from '../domain/alert-records.js';
import type { StaffAct } from '../domain/staff.js';
import type { GatewayAlert } from '../store/alerts/alerts.js';
import type { Database } from '../store/database.js';
import { readAct } from '../store/staff/acts.js';

/** Reads acts. One that is stored as signed but was not raises an alert: its author can write to the table of acts. */
export function actReader(
  database: Database,
  raiseAlert: (alert: GatewayAlert) => Promise<void>,
): (id: string) => Promise<StaffAct | null> {
  return async (id) => {
    const act = await readAct(database, id);
    if (act === null || !act.isForged) return act;
    const { kind, operationId, subjectId, handle } = act;
    await raiseAlert({
      ...alertOf('ACT_NOT_SIGNED', 'asked', { act: kind, subject: subjectId }),
      occasion: null,
      operationId,
      objectId: id,
      at: new Date().toISOString(),
      causedBy: handle,
    });
    return act;
  };
}
