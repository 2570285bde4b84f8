// A page of a list that one operation has, by a moment and, of one moment, by a key.
import type { Database } from '../../../store/database.js';
import { operationExists } from '../../../store/operations/operations.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';

/** The position of a row in its list. */
export interface Place {
  readonly at: Date;
  readonly key: string;
}

export interface OperationList<Row, Item> {
  readonly pageSize: number;
  /** At most `take` rows in the list's order: from its beginning, or those after a place. */
  read(take: number, after: Place | null): Promise<readonly Row[]>;
  placeOf(row: Row): Place;
  present(row: Row): Item;
}

interface Page<Item> {
  items: Item[];
  /** `null` after the last page. */
  next: string | null;
}

/** `null` if there is no such operation, or the viewer may not see it. */
export async function readOperationPage<Row, Item>(
  database: Database,
  viewer: Viewer,
  { operationId, cursor }: { readonly operationId: string; readonly cursor: string | undefined },
  list: OperationList<Row, Item>,
): Promise<Page<Item> | 'bad_cursor' | null> {
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return null;
  const after = cursor === undefined ? null : placeIn(cursor);
  if (after === 'bad_cursor') return after;
  const rows = await list.read(list.pageSize + 1, after);
  const shown = rows.slice(0, list.pageSize);
  const last = shown.at(-1);
  const next = rows.length > list.pageSize && last !== undefined ? list.placeOf(last) : null;
  return {
    items: shown.map((row) => list.present(row)),
    next: next === null ? null : writeCursor([next.at.toISOString(), next.key]),
  };
}

function placeIn(cursor: string): Place | 'bad_cursor' {
  const [moment = '', key = ''] = readCursor(cursor, 2) ?? [];
  const at = new Date(moment);
  return Number.isNaN(at.getTime()) || key === '' ? 'bad_cursor' : { at, key };
}
