// The judge of a run. It knows nothing of the gateway's code: it holds the provider's books (what money truly moved),
// what operators were told, and the ledger and rows, and says where they contradict each other or the specification.
import type { LabDatabase } from '../database.js';
import type { Operator, Told } from '../world/operator.js';
import { type BookedCharge, type BookedPayout, type ProviderBooks, referenceOf } from '../world/provider.js';
import { brl, short } from '../world/story.js';

/** Where a payment may go from a state that an operator was told (specification, "States and transitions"). */
const LATER: Readonly<Record<'deposit' | 'withdrawal', Readonly<Record<string, readonly string[]>>>> = {
  deposit: {
    created: [
      'pending',
      'failed',
      'paid',
      'under_review',
      'expired',
      'cancelled',
      'returned',
      'refunded',
      'chargeback',
    ],
    pending: ['paid', 'under_review', 'expired', 'cancelled', 'failed', 'returned', 'refunded', 'chargeback'],
    under_review: ['paid', 'returned', 'refunded', 'chargeback'],
    paid: ['refunded', 'chargeback'],
  },
  withdrawal: {
    requested: ['approved', 'under_review', 'rejected', 'cancelled', 'processing', 'paid', 'failed', 'returned'],
    under_review: ['approved', 'rejected', 'cancelled', 'processing', 'paid', 'failed', 'returned'],
    approved: ['processing', 'cancelled', 'paid', 'failed', 'returned'],
    processing: ['paid', 'failed', 'returned'],
    paid: ['returned'],
  },
};
const OPEN = {
  deposit: ['created', 'pending', 'under_review'],
  withdrawal: ['requested', 'under_review', 'approved', 'processing'],
} as const;
/** States in which no money of a withdrawal may have left. */
const NOT_PAID_OUT = ['rejected', 'failed', 'cancelled'];
const CREDITED = ['paid', 'refunded', 'chargeback'];

interface Row {
  readonly id: string;
  readonly operation_id: string;
  readonly external_id: string;
  readonly status: string;
  readonly version: number;
  readonly amount: string;
  readonly paid_amount: string | null;
  readonly end_to_end_id: string | null;
}

export interface Finding {
  /** What must hold, in one clause. */
  readonly rule: string;
  readonly detail: string;
}

/** What a person decided, as the lab's people did it. */
export interface StaffDecision {
  readonly id: string;
  readonly person: string;
  readonly decision: string;
}

export interface Evidence {
  readonly database: LabDatabase;
  readonly operators: readonly Operator[];
  readonly books: ProviderBooks;
  readonly decisions: readonly StaffDecision[];
}

const sum = (amounts: readonly string[]): bigint => amounts.reduce((total, amount) => total + BigInt(amount), 0n);

/** What an operator was told, checked as it is told. */
export class ToldFacts {
  readonly #byPayment = new Map<string, Told[]>();
  readonly findings: Finding[] = [];

  hear(told: Told): void {
    const known = this.#byPayment.get(told.id) ?? [];
    for (const other of known) {
      if (other.amount !== told.amount) this.#find('an amount never changes', told, other);
      if (other.version === told.version && other.status !== told.status)
        this.#find('one version is one state', told, other);
      const [earlier, later] = other.version < told.version ? [other, told] : [told, other];
      const mayFollow = LATER[told.kind][earlier.status] ?? [];
      if (earlier.version < later.version && earlier.status !== later.status && !mayFollow.includes(later.status))
        this.#find('what operators were told is never contradicted', later, earlier);
    }
    if (!known.some(({ version, status }) => version === told.version && status === told.status))
      this.#byPayment.set(told.id, [...known, told]);
  }

  of(id: string): readonly Told[] {
    return this.#byPayment.get(id) ?? [];
  }

  #find(rule: string, told: Told, other: Told): void {
    const say = ({ status, version, amount, by }: Told) => `${status} (version ${version}, ${brl(amount)}, by ${by})`;
    this.findings.push({ rule, detail: `${told.kind} ${short(told.id)}: ${say(told)} and ${say(other)}` });
  }
}

/** What must hold at every moment. */
export async function judgeNow({ database, books, decisions }: Evidence): Promise<Finding[]> {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail });
  for (const { transfer, total } of await database.query<{ transfer: string; total: string }>(
    `SELECT transfer_id AS transfer, sum(amount_minor)::text AS total FROM ledger_entry GROUP BY 1
     HAVING sum(amount_minor) <> 0 OR count(*) <> 2`,
  ))
    find('a transfer has two sides that sum to zero', `${transfer}: ${total}`);
  for (const { account, balance, entries } of await database.query<Record<'account' | 'balance' | 'entries', string>>(
    `SELECT account, balance_minor::text AS balance, coalesce(total, 0)::text AS entries FROM ledger_account LEFT JOIN (
       SELECT operation_id, account, sum(amount_minor) AS total FROM ledger_entry GROUP BY 1, 2
     ) AS entry USING (operation_id, account) WHERE balance_minor <> coalesce(total, 0)`,
  ))
    find('a balance is the sum of its entries', `${account}: ${balance}, entries ${entries}`);
  const { charges, payouts } = byReference(books);
  const withdrawals = await rowsOf(database, 'withdrawal');
  const known = new Map(withdrawals.map((row) => [referenceOf(row.id), row]));
  for (const { reference, sends } of books.payouts) {
    const row = known.get(reference);
    if (sends > 1) find('nothing is sent twice', `${reference}: ${sends} sends`);
    if (row === undefined) find('nothing is sent without a withdrawal', reference);
    else if (sends > 0 && ['requested', 'under_review'].includes(row.status))
      find('nothing is sent without approval', `${short(row.id)} is ${row.status}`);
  }
  findings.push(...(await approvals(database, withdrawals, payouts, decisions)));
  for (const row of withdrawals) {
    const payout = payouts.get(referenceOf(row.id));
    if (NOT_PAID_OUT.includes(row.status) && (payout?.status === 'paid' || payout?.status === 'returned'))
      find('money that left is not given back', `${short(row.id)} is ${row.status}, its payout ${payout.status}`);
    if (row.status === 'paid' && payout?.status !== 'paid' && payout?.status !== 'returned')
      find('paid means that the provider paid', `${short(row.id)}: its payout is ${payout?.status ?? 'not there'}`);
  }
  const credited = new Map<string, string>();
  for (const row of await rowsOf(database, 'deposit')) {
    if (!CREDITED.includes(row.status)) continue;
    const payment = charges.get(referenceOf(row.id))?.payments.find((paid) => paid.end_to_end_id === row.end_to_end_id);
    if (payment === undefined) find('credited means that a player paid', `${short(row.id)} is ${row.status}`);
    else if (payment.amount_minor !== row.amount)
      find('credited is what was charged', `${short(row.id)}: ${brl(payment.amount_minor)} for ${brl(row.amount)}`);
    const other = row.end_to_end_id === null ? undefined : credited.get(row.end_to_end_id);
    if (other !== undefined) find('one payment is credited once', `${short(row.id)} and ${short(other)}`);
    if (row.end_to_end_id !== null) credited.set(row.end_to_end_id, row.id);
  }
  return findings;
}

/** A withdrawal that was under review was sent only after somebody approved it, and never after a refusal. */
async function approvals(
  database: LabDatabase,
  withdrawals: readonly Row[],
  payouts: ReadonlyMap<string, BookedPayout>,
  decisions: readonly StaffDecision[],
): Promise<Finding[]> {
  const reviewed = await database.query<{ id: string; needed: number }>(
    `SELECT id, CASE WHEN 'DUAL_APPROVAL_REQUIRED' = ANY (decision_reasons) THEN 2 ELSE 1 END AS needed FROM withdrawal
     WHERE decision_mode = 'manual' AND id IN (SELECT object_id FROM event WHERE type = 'withdrawal.under_review')`,
  );
  const rows = new Map(withdrawals.map((row) => [row.id, row]));
  return reviewed.flatMap(({ id, needed }) => {
    const payout = payouts.get(referenceOf(id));
    if (payout === undefined || payout.sends === 0 || rows.get(id) === undefined) return [];
    const people = new Set(
      decisions.filter((act) => act.id === id && act.decision === 'approve').map(({ person }) => person),
    );
    return people.size >= needed
      ? []
      : [{ rule: 'nothing is sent without approval', detail: `${short(id)}: ${people.size} of ${needed} approved` }];
  });
}

/** What must hold when the world has been healthy and quiet for long enough. */
export async function judgeQuiet(evidence: Evidence, told: ToldFacts): Promise<Finding[]> {
  const { database, operators, books } = evidence;
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail });
  const { charges, payouts } = byReference(books);
  const alerts = await database.query<{ kind: string; object_id: string | null }>('SELECT kind, object_id FROM alert');
  const isAlerted = (id: string) => alerts.some(({ object_id }) => object_id === id);
  const all = { deposit: await rowsOf(database, 'deposit'), withdrawal: await rowsOf(database, 'withdrawal') };
  for (const kind of ['deposit', 'withdrawal'] as const)
    for (const row of all[kind]) {
      if ((OPEN[kind] as readonly string[]).includes(row.status) && !isAlerted(row.id))
        find('everything ends, or waits for a person with an alert', `${kind} ${short(row.id)} is ${row.status}`);
    }
  for (const row of all.deposit) {
    const charge = charges.get(referenceOf(row.id));
    const received = sum((charge?.payments ?? []).map(({ amount_minor }) => amount_minor));
    if (received > 0n && row.paid_amount === null)
      find('money that a player paid is known', `${short(row.id)} is ${row.status}, ${brl(received)} were paid`);
  }
  for (const row of all.withdrawal) {
    const payout = payouts.get(referenceOf(row.id));
    const isLeft = payout?.status === 'paid' || payout?.status === 'returned';
    if (isLeft && row.status !== payout.status && !(row.status === 'paid' && partlyReturned(payout)))
      find("a withdrawal's end is the provider's", `${short(row.id)} is ${row.status}, its payout ${payout.status}`);
  }
  for (const operator of operators) findings.push(...(await judgeOperation(evidence, operator, told)));
  return findings;
}

function partlyReturned({ amount_minor, returns }: BookedPayout): boolean {
  return sum(returns.map((part) => part.amount_minor)) < BigInt(amount_minor ?? '0');
}

/** The money of one operation, and what its operator knows. */
async function judgeOperation({ database, books }: Evidence, operator: Operator, told: ToldFacts): Promise<Finding[]> {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail: `${operator.name}: ${detail}` });
  const { charges, payouts } = byReference(books);
  const deposits = (await rowsOf(database, 'deposit')).filter((row) => row.operation_id === operator.id);
  const withdrawals = (await rowsOf(database, 'withdrawal')).filter((row) => row.operation_id === operator.id);
  findings.push(...(await judgeBooks(database, operator, [...deposits, ...withdrawals], { charges, payouts })));
  const accounts = await database.query<{ account: string; balance: string }>(
    'SELECT account, balance_minor::text AS balance FROM ledger_account WHERE operation_id = $1',
    [operator.id],
  );
  const balance = (name: string) => BigInt(accounts.find(({ account }) => account === name)?.balance ?? '0');
  const reserved = sum(withdrawals.filter(({ status }) => isOpen('withdrawal', status)).map(({ amount }) => amount));
  if (balance('pending_out') !== reserved)
    find('every reserve ends', `reserved ${balance('pending_out')}, open withdrawals ${reserved}`);
  const waiting = sum(
    deposits.filter(({ status }) => status === 'under_review').map(({ paid_amount }) => paid_amount ?? '0'),
  );
  if (balance('pending_in') !== waiting)
    find('what is held ends', `held ${balance('pending_in')}, under review ${waiting}`);
  for (const { externalId, kind, id } of operator.asked) {
    const rows = (kind === 'deposit' ? deposits : withdrawals).filter((row) => row.external_id === externalId);
    if (rows.length > 1) find('one request makes one payment', `${externalId}: ${rows.length}`);
    if (id !== null && rows[0]?.id !== id) find('a payment that was answered is there', `${externalId}: ${short(id)}`);
  }
  for (const { externalId, refusedAs, kind } of operator.asked)
    if (refusedAs !== null && refusedAs !== 'duplicate_external_id') {
      const rows = kind === 'deposit' ? deposits : withdrawals;
      if (rows.some((row) => row.external_id === externalId))
        find('a refusal makes no payment', `${externalId} was refused (${refusedAs})`);
    }
  for (const detail of operator.refused) find('what an operator gets is right', detail);
  findings.push(...(await judgeEvents(database, operator, told, [...deposits, ...withdrawals])));
  return findings;
}

/**
 * Alerts that tell people of money that moved and is not in the books: parts that went back, and returns of what was
 * never credited. Where one names the payment, the difference is known, and its people enter it.
 */
const TELLS_OF_DIFFERENCE = [
  ...['PARTIAL_REVERSAL', 'REVERSAL_OUTSIDE_PAID', 'REVERSAL_ABOVE_PAYMENT', 'RETURN_CONTRADICTION'],
  ...['PARTIAL_PAYOUT_RETURN', 'PAYOUT_CONTRADICTION'],
];

/** The ledger holds for each payment what the provider moved for it. */
async function judgeBooks(
  database: LabDatabase,
  operator: Operator,
  rows: readonly Row[],
  { charges, payouts }: ReturnType<typeof byReference>,
): Promise<Finding[]> {
  const booked = await database.query<{ id: string; held: string }>(
    `SELECT split_part(transfer_id, ':', 1) AS id, (-sum(amount_minor))::text AS held FROM ledger_entry
     WHERE account = 'provider_clearing' AND operation_id = $1 GROUP BY 1`,
    [operator.id],
  );
  const told = await database.query<{ object_id: string }>('SELECT object_id FROM alert WHERE kind = ANY ($1)', [
    TELLS_OF_DIFFERENCE,
  ]);
  return rows.flatMap(({ id, status }) => {
    const moved = movedBy(charges.get(referenceOf(id)), payouts.get(referenceOf(id)));
    const held = BigInt(booked.find((row) => row.id === id)?.held ?? '0');
    if (held === moved || told.some((alert) => alert.object_id === id)) return [];
    const detail = `${operator.name}: ${short(id)} is ${status}, the ledger has ${held}, the provider ${moved}`;
    return [{ rule: "the books are the provider's books", detail }];
  });
}

/** What the provider holds for a payment. */
function movedBy(charge: BookedCharge | undefined, payout: BookedPayout | undefined): bigint {
  const payments = charge?.payments ?? [];
  const came = sum(payments.map(({ amount_minor }) => amount_minor));
  const wentBack = sum(payments.flatMap(({ reversals }) => reversals.filter(isDone).map((part) => part.amount_minor)));
  const isLeft = payout?.status === 'paid' || payout?.status === 'returned';
  const left = isLeft ? BigInt(payout.amount_minor ?? '0') : 0n;
  return came - wentBack - left + sum((payout?.returns ?? []).map((part) => part.amount_minor));
}

/** Every change has an event, in order, and reached the operator. */
async function judgeEvents(
  database: LabDatabase,
  operator: Operator,
  told: ToldFacts,
  rows: readonly Row[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail: `${operator.name}: ${detail}` });
  const events = await database.query<{ id: string; object_id: string; version: number; type: string }>(
    `SELECT id, object_id, object_version AS version, type FROM event WHERE operation_id = $1 ORDER BY sequence`,
    [operator.id],
  );
  const alerts = await database.query<{ object_id: string }>(
    `SELECT object_id FROM alert WHERE kind = 'WEBHOOK_EXHAUSTED' AND operation_id = $1`,
    [operator.id],
  );
  for (const { id, type, object_id } of events)
    if (!operator.accepted.has(id) && !alerts.some((alert) => alert.object_id === id))
      find('every event reaches its operator', `${type} of ${short(object_id)}`);
  for (const row of rows) {
    const versions = events.filter((event) => event.object_id === row.id);
    const last = versions.at(-1);
    if (last !== undefined && (last.version !== row.version || last.type.split('.')[1] !== row.status))
      find('the last event is the present state', `${short(row.id)} is ${row.status} (${row.version}), ${last.type}`);
    const born = row.id.startsWith('dep_') ? 2 : (versions[0]?.version ?? 1);
    versions.forEach(({ version, type }, index) => {
      if (version !== born + index) find('every version has its event', `${short(row.id)}: ${type} is ${version}`);
    });
    const best = [...told.of(row.id)].sort((one, other) => one.version - other.version).at(-1);
    if (best !== undefined && best.version > row.version)
      find('what operators were told is in the rows', `${short(row.id)}: told ${best.version}, row ${row.version}`);
  }
  return findings;
}

const isDone = ({ status }: { readonly status: string }): boolean => status === 'DEVOLVIDO';
const isOpen = (kind: 'deposit' | 'withdrawal', status: string) => (OPEN[kind] as readonly string[]).includes(status);

function byReference({ charges, payouts }: ProviderBooks) {
  return {
    charges: new Map<string, BookedCharge>(charges.map((charge) => [charge.txid, charge])),
    payouts: new Map<string, BookedPayout>(payouts.map((payout) => [payout.reference, payout])),
  };
}

function rowsOf(database: LabDatabase, table: 'deposit' | 'withdrawal'): Promise<Row[]> {
  const more =
    table === 'deposit'
      ? 'paid_amount_minor::text AS paid_amount, end_to_end_id'
      : 'NULL AS paid_amount, psp_reference AS end_to_end_id';
  return database.query<Row>(
    `SELECT id, operation_id, external_id, status, version, amount_minor::text AS amount, ${more} FROM ${table}
     ORDER BY sequence`,
  );
}
