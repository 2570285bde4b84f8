// The cases that an operation's rules decided, page by page, newest first, each with the decision that counted. A case
// that was decided again (facts had changed, a wait continued) is counted once.
import type { DecidedCase, LaterDecision, StoredDecision } from '../../domain/rules/proof/redecide.js';
import type { Database } from '../database.js';
import { rowsOf, sqlFile } from '../statements.js';

const CASES = sqlFile('rules/decided-cases.sql');

/** Facts are a few kilobytes each: a page is a few megabytes at most. */
const PAGE = 500;

export interface CaseWindow {
  readonly operationId: string;
  /** Inclusive, RFC 3339. */
  readonly from: string;
  /** Exclusive, RFC 3339; also for later decisions. */
  readonly through: string;
}

/** Pages of decided cases. Every row is found by an index in the order of the page; nothing is sorted. */
export async function* decidedCases(database: Database, window: CaseWindow): AsyncGenerator<DecidedCase[]> {
  let before = { beforeAt: window.through, beforeId: '0' };
  for (;;) {
    const rows: CaseRow[] = await rowsOf<CaseRow>(
      database,
      CASES({ ...window, ...before, page: PAGE }),
      'for_its_values',
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(caseOf);
    if (rows.length < PAGE) return;
    before = { beforeAt: last.decided_at, beforeId: last.id };
  }
}

interface CaseRow {
  readonly id: string;
  readonly object_id: string;
  readonly stage: DecidedCase['stage'];
  /** RFC 3339. */
  readonly decided_at: string;
  readonly facts: object;
  readonly outcome: StoredDecision['outcome'];
  readonly timezone: string;
  readonly later: LaterDecision | null;
  readonly player_ref: string | null;
  readonly amount_minor: bigint | null;
}

function caseOf(row: CaseRow): DecidedCase {
  return {
    objectId: row.object_id,
    stage: row.stage,
    decidedAt: row.decided_at,
    playerRef: row.player_ref,
    amountMinor: row.amount_minor,
    decision: { facts: row.facts, outcome: row.outcome, timezone: row.timezone },
    later: row.later,
  };
}
