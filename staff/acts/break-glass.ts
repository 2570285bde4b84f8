// Begins a break-glass session, for people who may decide payments in some operation.
import { rolesFor } from '../../domain/staff.js';
import type { Database } from '../../store/database.js';
import { breakGlass, type BreakGlass } from '../../store/staff/break-glass.js';
import { holdsRoleAnywhere } from '../../store/staff/people.js';
import type { NewSession } from '../../store/staff/sessions.js';

/** `null` if the person may not decide payments in any operation. */
export async function beginBreakGlass(database: Database, glass: BreakGlass): Promise<NewSession | null> {
  const may = await holdsRoleAnywhere(database, glass.handle, rolesFor('staff.break_glass'));
  return may ? breakGlass(database, glass) : null;
}
