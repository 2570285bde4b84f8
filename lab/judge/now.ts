// What must hold at every moment.
import { brl, referenceOf, short } from '../world/story.js';
import {
  alertsOf,
  ByReference,
  cameBackOf,
  type Evidence,
  type Finding,
  hasLeft,
  returnedOf,
  type Row,
  rowsOf,
  type StaffDecision,
} from './evidence.js';
import { judgeAnswers } from './answers.js';
import { judgeDoubts, judgeSends } from './doubts.js';
import { judgeRules } from './rules.js';
import { answersSoon, bookedSoon, movesSoon, restsSoon } from './prompt.js';
import { waitsTooLong } from './waits.js';

/** States in which no money of a withdrawal may have left. */
const NOT_PAID_OUT = ['rejected', 'failed', 'cancelled'];
const CREDITED = ['paid', 'refunded', 'chargeback'];

/** Judges the present moment. */
export async function judgeNow(evidence: Evidence): Promise<Finding[]> {
  const rows = await rowsOf(evidence.database);
  return [
    ...(await balanced(evidence)),
    ...(await returned(evidence)),
    ...sends(evidence, rows),
    ...withdrawalsOf(evidence, rows),
    ...depositsOf(evidence, rows),
    ...(await waitsTooLong(evidence, rows)),
    ...answersSoon(evidence),
    ...judgeAnswers(evidence),
    ...judgeDoubts(evidence, rows),
    ...judgeSends(evidence, rows),
    ...judgeRules(evidence, rows),
    ...(evidence.calmSinceMs === null ? [] : await judgeCalm(evidence, rows)),
  ];
}

async function judgeCalm(evidence: Evidence, rows: readonly Row[]): Promise<Finding[]> {
  return [
    ...movesSoon(evidence, rows, await alertsOf(evidence.database)),
    ...restsSoon(evidence, rows),
    ...(await bookedSoon(evidence, rows)),
  ];
}

/** Double entry: transfers have two sides, balances are sums of entries, nobody spends what is not there. */
async function balanced({ database }: Evidence): Promise<Finding[]> {
  const wrong = await database.query<Record<'rule' | 'detail', string>>(
    `SELECT 'a transfer has two sides at one account that sum to zero' AS rule,
       object_id || ' ' || step || ': ' || sum(amount_minor) AS detail
     FROM ledger_entry GROUP BY object_id, step HAVING sum(amount_minor) <> 0 OR count(*) <> 2 OR min(provider) <> max(provider)
     UNION ALL
     SELECT 'a balance is the sum of its entries',
       provider || ' ' || account || ': ' || balance_minor || ', entries ' || coalesce(total, 0)
     FROM ledger_account LEFT JOIN (
       SELECT operation_id, provider, account, sum(amount_minor) AS total FROM ledger_entry GROUP BY 1, 2, 3
     ) AS entry USING (operation_id, provider, account) WHERE balance_minor <> coalesce(total, 0)
     UNION ALL
     -- Only what banks take, or take back, and what people correct may take more than is there.
     SELECT 'an operation spends of an account what it has there', operation_id || ' at ' || provider || ': ' || balance_minor
     FROM ledger_account AS box WHERE account = 'available' AND balance_minor < 0 AND balance_minor < -(
       (SELECT coalesce(sum(returned_minor), 0) FROM deposit
        WHERE deposit.operation_id = box.operation_id AND deposit.provider = box.provider)
       + (SELECT coalesce(sum(amount_minor), 0) FROM cash_movement AS cash
          WHERE cash.operation_id = box.operation_id AND cash.provider = box.provider AND kind = 'correction_down')
       + (SELECT coalesce(sum(amount_minor), 0) FROM bank_movement AS fee
          WHERE fee.operation_id = box.operation_id AND fee.account = box.provider AND kind = 'fee'))
     UNION ALL
     -- The order of entries is that in which their operation's counter was locked.
     SELECT 'what an operation spends is there at that moment', object_id || ' (' || movement || '): ' || running
     FROM (
       SELECT *, sum(amount_minor) OVER (PARTITION BY operation_id, provider ORDER BY id) AS running
       FROM ledger_entry WHERE account = 'available'
     ) AS entry
     WHERE movement IN ('withdrawal_reserved', 'cash_box_settled', 'cash_box_moved_out') AND running < 0`,
  );
  return wrong;
}

/** What is booked may be read a moment before what the bank has. */
const READ_WITHIN_MS = 1_000;

/** What the provider said has gone back or come back is done there: while it is under way, it may still be refused. */
async function returned({ database, books, nowMs }: Evidence): Promise<Finding[]> {
  const booked = await database.query<Record<'id' | 'kind' | 'bank' | 'amount', string>>(
    `SELECT object_id AS id, kind, bank_id AS bank, sum(amount_minor)::text AS amount FROM bank_movement
     WHERE kind IN ('returned_to_payer', 'returned_to_us') AND said_by = 'provider'
       AND recorded_at < to_timestamp($1::float8 / 1000) GROUP BY 1, 2, 3`,
    [nowMs - READ_WITHIN_MS],
  );
  const at = new ByReference(books);
  return booked.flatMap(({ id, kind, bank, amount }) => {
    const payment = at.charge(id)?.payments.find((paid) => paid.end_to_end_id === bank);
    const done =
      kind === 'returned_to_us' ? cameBackOf(at.payout(id)) : payment === undefined ? 0n : returnedOf(payment);
    if (BigInt(amount) <= done) return [];
    const detail = `${short(id)}: ${brl(amount)} is booked, ${brl(done.toString())} is done`;
    return [{ rule: 'what goes back is booked once the bank has done it', detail }];
  });
}

/** Nothing leaves twice, nothing without a withdrawal, nothing without approval. */
function sends({ books, decisions, stops }: Evidence, rows: readonly Row[]): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail });
  const known = new Map(rows.map((row) => [referenceOf(row.id), row]));
  const sent = new Map<string, number>();
  for (const { reference, sends: times } of books.payouts) sent.set(reference, (sent.get(reference) ?? 0) + times);
  for (const [reference, times] of sent) {
    const row = known.get(reference);
    // An account that does not cover it refuses it, and is asked again.
    const wasShort = stops.some(({ what, of }) => what === 'balance' && of === row?.provider);
    if (times > 1 && !wasShort) find('nothing is sent twice', `${reference}: ${times} sends`);
    if (row === undefined) find('nothing is sent without a withdrawal', reference);
    else if (times > 0 && ['requested', 'under_review'].includes(row.status))
      find('nothing is sent without approval', `${short(row.id)} is ${row.status}`);
    else if (times > 0 && !isApproved(row, decisions))
      find('nothing is sent without approval', `${short(row.id)}: not by those who must`);
  }
  return findings;
}

/** One that was under review was approved by one person, or by two where two must. */
function isApproved(
  { id, is_manual: isManual, needs_two: needsTwo, review_since: since }: Row,
  decisions: readonly StaffDecision[],
): boolean {
  if (!isManual || since === null) return true;
  const approved = decisions.filter((act) => act.id === id && act.decision === 'approve');
  return new Set(approved.map(({ person }) => person)).size >= (needsTwo ? 2 : 1);
}

function withdrawalsOf({ books, illSlot }: Evidence, rows: readonly Row[]): Finding[] {
  const findings: Finding[] = [];
  const at = new ByReference(books);
  for (const { id, kind, status, amount, provider } of rows) {
    if (kind !== 'withdrawal') continue;
    const payout = at.payout(id);
    if (NOT_PAID_OUT.includes(status) && hasLeft(payout))
      findings.push({
        rule: 'money that left is not given back',
        detail: `${short(id)} is ${status}, its payout ${payout?.status}`,
      });
    if (['paid', 'returned'].includes(status) && !hasLeft(payout))
      findings.push({
        rule: 'paid means that the provider paid',
        detail: `${short(id)} is ${status}, its payout ${payout?.status ?? 'not there'}`,
      });
    if (payout?.amount_minor != null && payout.amount_minor !== amount)
      findings.push({
        rule: 'what is sent is what was asked for',
        detail: `${short(id)}: ${brl(payout.amount_minor)}`,
      });
    if (payout !== undefined && payout.provider !== provider && provider !== illSlot)
      findings.push({
        rule: 'a payment stays at its account',
        detail: `${short(id)} is at ${provider}, sent by ${payout.provider}`,
      });
  }
  return findings;
}

function depositsOf({ books }: Evidence, rows: readonly Row[]): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail });
  const at = new ByReference(books);
  const credited = new Map<string, string>();
  for (const { id, kind, status, amount, end_to_end_id: endToEndId } of rows) {
    if (kind !== 'deposit' || !CREDITED.includes(status)) continue;
    const payment = at.charge(id)?.payments.find((paid) => paid.end_to_end_id === endToEndId);
    if (payment === undefined) find('credited means that a player paid', `${short(id)} is ${status}`);
    else if (payment.amount_minor !== amount)
      find('credited is what was charged', `${short(id)}: ${brl(payment.amount_minor)} for ${brl(amount)}`);
    const other = endToEndId === null ? undefined : credited.get(endToEndId);
    if (other !== undefined) find('one payment is credited once', `${short(id)} and ${short(other)}`);
    if (endToEndId !== null) credited.set(endToEndId, id);
  }
  return findings;
}
