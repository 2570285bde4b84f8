// The auditor: it rebuilds from the requests, the states that operators were told, the provider's books and what people
// entered what every account must hold, at each account at a provider, and compares that with the ledger and with
// `/balances`.
import type { BalanceRead, Operator } from '../world/operator.js';
import { short } from '../world/story.js';
import {
  type AlertRow,
  type BookedPayment,
  ByReference,
  cameBackOf,
  cameOf,
  type Evidence,
  type Finding,
  hasLeft,
  returnedOf,
  type Row,
} from './evidence.js';

const ACCOUNTS = ['available', 'pending_in', 'pending_out', 'suspense'] as const;
type Account = (typeof ACCOUNTS)[number];
type Accounts = Record<Account, bigint>;
/** By the account at the provider. */
type Places = Map<string, Accounts>;

/** What must be of one payment. */
interface Holding {
  readonly row: Row;
  /** Where its money truly is. */
  readonly provider: string;
  readonly accounts: Accounts;
}

const nothing = (): Accounts => ({ available: 0n, pending_in: 0n, pending_out: 0n, suspense: 0n });

function placeOf(places: Places, provider: string): Accounts {
  const place = places.get(provider) ?? nothing();
  places.set(provider, place);
  return place;
}

/**
 * What a deposit holds, by its state, the provider's books and what people gave the cash box out of suspense. What the
 * bank returns of that comes out of the cash box again, and its fees do at once. Returns that people enter count by the
 * provider's books alone.
 */
function ofDeposit(row: Row, at: ByReference, given: ReadonlyMap<string, bigint>): Holding {
  const accounts = nothing();
  for (const payment of at.charge(row.id)?.payments ?? []) {
    const isOwn = payment.end_to_end_id === row.end_to_end_id;
    const held = BigInt(payment.amount_minor) - returnedOf(payment);
    accounts.available -= BigInt(payment.fee_minor);
    if (isOwn && ['paid', 'refunded', 'chargeback', 'returned'].includes(row.status)) accounts.available += held;
    else if (isOwn && row.status === 'under_review') accounts.pending_in += held;
    else {
      const wanted = given.get(payment.end_to_end_id) ?? 0n;
      const boxed = wanted < held ? wanted : held;
      accounts.available += boxed;
      accounts.suspense += held - boxed;
    }
  }
  return { row, provider: at.charge(row.id)?.provider ?? row.provider, accounts };
}

/** What a withdrawal takes, by its state and the provider's books. */
function ofWithdrawal(row: Row, at: ByReference): Holding {
  const accounts = nothing();
  const amount = BigInt(row.amount);
  if (['requested', 'under_review', 'approved', 'processing'].includes(row.status)) {
    accounts.available -= amount;
    accounts.pending_out += amount;
  } else if (row.status === 'paid') accounts.available += cameBackOf(at.payout(row.id)) - amount;
  return { row, provider: at.payout(row.id)?.provider ?? row.provider, accounts };
}

/** What people entered. */
function entered(evidence: Evidence, operator: Operator): Places {
  const places: Places = new Map();
  for (const { operationId, kind, amountMinor, provider, to } of evidence.cash) {
    if (operationId !== operator.id) continue;
    const accounts = placeOf(places, provider);
    const amount = BigInt(amountMinor);
    if (kind === 'funding' || kind === 'correction_up') accounts.available += amount;
    if (kind === 'settlement' || kind === 'correction_down' || kind === 'moved') accounts.available -= amount;
    if (to !== null) placeOf(places, to).available += amount;
  }
  return places;
}

/** What people gave cash boxes out of suspense, by payment. */
function givenOf({ cash }: Evidence): ReadonlyMap<string, bigint> {
  const given = new Map<string, bigint>();
  for (const { kind, amountMinor, of } of cash)
    if (of !== null && (kind === 'suspense_credited' || kind === 'suspense_assigned'))
      given.set(of, (given.get(of) ?? 0n) + BigInt(amountMinor));
  return given;
}

function holdingsOf(evidence: Evidence, operator: Operator, rows: readonly Row[]): Holding[] {
  const at = new ByReference(evidence.books);
  const given = givenOf(evidence);
  return rows
    .filter((row) => row.operation_id === operator.id)
    .map((row) => (row.kind === 'deposit' ? ofDeposit(row, at, given) : ofWithdrawal(row, at)));
}

/** Compares the ledger and `/balances` with what must be. `read`: what the operator was told; `null`: no answer. */
export async function judgeBooks(
  evidence: Evidence,
  operator: Operator,
  {
    rows,
    alerts,
    read,
  }: { readonly rows: readonly Row[]; readonly alerts: readonly AlertRow[]; readonly read: BalanceRead | null },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail: `${operator.name}: ${detail}` });
  const holdings = holdingsOf(evidence, operator, rows);
  const at = new ByReference(evidence.books);
  const must = entered(evidence, operator);
  for (const { row, provider, accounts } of holdings) {
    const place = placeOf(must, provider);
    for (const account of ACCOUNTS) place[account] += accounts[account];
    if (row.provider === evidence.illSlot) continue;
    // An account that does not cover a return may refuse it in the words of any other refusal.
    const wasShort = evidence.stops.some(({ what, of }) => what === 'balance' && of === row.provider);
    findings.push(...ofState(row, at), ...(wasShort ? [] : ofRefusals(row, at, alerts)));
  }
  // What happened at an account that is down for good, nobody here knows.
  if (rows.some(({ provider }) => provider === evidence.illSlot)) return findings;
  const held = await accountsOf(evidence, operator);
  for (const provider of new Set([...held.keys(), ...must.keys()])) {
    const [found, expected] = [placeOf(held, provider), placeOf(must, provider)];
    for (const account of ACCOUNTS)
      if (found[account] !== expected[account])
        find(
          "the books are the provider's books",
          `${account} at ${provider} is ${found[account]}, and must be ${expected[account]}`,
        );
  }
  if (findings.length > 0)
    findings.push(
      ...(await byPayment(
        evidence,
        operator,
        holdings.map(({ row }) => row),
      )),
    );
  if (read === null) find('an operator can read its balances', 'no answer');
  else {
    const served = { available: read.available, pending_in: read.pendingIn, pending_out: read.pendingOut };
    // Below zero is served as zero.
    const total = (account: Account) => [...must.values()].reduce((sum, accounts) => sum + accounts[account], 0n);
    const available = total('available') < 0n ? 0n : total('available');
    const expected = { available, pending_in: total('pending_in'), pending_out: total('pending_out') };
    for (const account of ['available', 'pending_in', 'pending_out'] as const)
      if (BigInt(served[account]) !== expected[account])
        find(
          'an operator is told its true balances',
          `${account} ${served[account]}, and must be ${expected[account]}`,
        );
  }
  return findings;
}

/** A state says of the money what the provider says. */
function ofState(row: Row, at: ByReference): Finding[] {
  const { id, status } = row;
  const find = (rule: string, detail: string): Finding[] => [{ rule, detail: `${short(id)} is ${status}: ${detail}` }];
  if (row.kind === 'withdrawal') {
    const payout = at.payout(id);
    const isPartly = payout?.status === 'paid' && status === 'paid';
    if (hasLeft(payout) && status !== payout?.status && !isPartly)
      return find("a withdrawal's end is the provider's", `its payout is ${payout?.status}`);
    if (payout?.status === 'failed' && !['failed', 'cancelled'].includes(status))
      return find("a withdrawal's end is the provider's", 'its payout failed');
    return [];
  }
  const payments = at.charge(id)?.payments ?? [];
  if (payments.length > 0 && row.paid_amount === null) return find('money that a player paid is known', 'it was paid');
  const own = payments.find(({ end_to_end_id: paid }) => paid === row.end_to_end_id);
  if (own === undefined) return [];
  const [wentBack, came] = [returnedOf(own), BigInt(own.amount_minor)];
  const isBack = ['refunded', 'chargeback', 'returned'].includes(status);
  if (isBack && wentBack !== came) return find("a deposit's end is the provider's", `${wentBack} of ${came} went back`);
  if (['paid', 'under_review'].includes(status) && wentBack === came)
    return find("a deposit's end is the provider's", 'all of it went back');
  const end = endOf(own);
  if (isBack && status !== 'returned' && end !== null && status !== end)
    return find('a chargeback is told as one, a refund as one', `the provider says ${end}`);
  return [];
}

/** By whom the money was taken back; `null` if parts of it were by both. */
function endOf({ reversals }: BookedPayment): 'refunded' | 'chargeback' | null {
  const done = reversals.filter(({ status }) => status === 'DEVOLVIDO');
  const forced = done.filter(({ nature }) => nature === 'MED_FRAUDE');
  if (forced.length === 0) return 'refunded';
  return forced.length === done.length ? 'chargeback' : null;
}

/** Every return that people decide reaches the provider: it refuses no more of them than it was asked for. */
function ofRefusals({ id, kind }: Row, at: ByReference, alerts: readonly AlertRow[]): Finding[] {
  if (kind !== 'deposit') return [];
  const reversals = (at.charge(id)?.payments ?? []).flatMap((payment) => payment.reversals);
  if (reversals.some(({ status }) => status !== 'NAO_REALIZADO')) return [];
  const told = alerts.filter((alert) => alert.object_id === id && alert.kind === 'RETURN_REFUSED').length;
  if (told <= reversals.length) return [];
  const detail = `${short(id)}: ${told} refusals of ${reversals.length} returns at the provider`;
  return [{ rule: 'a return that was refused can be made again', detail }];
}

async function accountsOf({ database }: Evidence, operator: Operator): Promise<Places> {
  const rows = await database.query<{ provider: string; account: string; balance: string }>(
    'SELECT provider, account, balance_minor::text AS balance FROM ledger_account WHERE operation_id = $1',
    [operator.id],
  );
  const held: Places = new Map();
  for (const { provider, account, balance } of rows)
    if ((ACCOUNTS as readonly string[]).includes(account))
      placeOf(held, provider)[account as Account] = BigInt(balance);
  return held;
}

/** Which payments the books have differently, for people who read a finding. */
async function byPayment({ database, books }: Evidence, operator: Operator, rows: readonly Row[]): Promise<Finding[]> {
  const at = new ByReference(books);
  const booked = await database.query<{ id: string; held: string }>(
    `SELECT object_id AS id, (-sum(amount_minor))::text AS held FROM ledger_entry
     WHERE account = 'provider_clearing' AND operation_id = $1 GROUP BY 1`,
    [operator.id],
  );
  return rows.flatMap(({ id, status }) => {
    const payout = at.payout(id);
    const moved =
      cameOf(at.charge(id)) - (hasLeft(payout) ? BigInt(payout?.amount_minor ?? '0') : 0n) + cameBackOf(payout);
    const held = BigInt(booked.find((row) => row.id === id)?.held ?? '0');
    if (held === moved) return [];
    return [{ rule: 'of which', detail: `${short(id)} is ${status}: the ledger has ${held}, the provider ${moved}` }];
  });
}
