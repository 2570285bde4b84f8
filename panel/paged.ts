// A page of a list, or the refusal of a cursor that is not the panel's.
import { type Refusal, refuse } from './refusal.js';

export function paged<Page>(page: Page | 'bad_cursor'): Page | Refusal {
  return page === 'bad_cursor' ? badCursor() : page;
}

function badCursor(): Refusal {
  return refuse('invalid', { issues: [{ path: 'cursor', problem: 'is not a cursor of this list' }] });
}

/** The same for a list of one operation. `null` if the viewer sees no such operation. */
export function pagedOf<Page>(page: Page | 'bad_cursor' | null): Page | Refusal {
  return page === null ? refuse('not_found') : paged(page);
}
