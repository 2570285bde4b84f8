// What must hold at every moment, whatever happened: read from Postgres and the provider, and judged by the tables.
import assert from 'node:assert/strict';
import { checkLedger } from '../../../store/ledger/check.js';
import { DEPOSIT_TRANSITIONS } from '../../../domain/payments/deposit.js';
import { WITHDRAWAL_TRANSITIONS } from '../../../domain/payments/withdrawal.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { ProvedDeposit } from './deposit.js';
import type { Stage } from './stage.js';
import { type StoredPayment, replayed } from './stored-payment.js';
import type { ProvedWithdrawal } from './withdrawal.js';

interface Played {
  readonly stage: Stage;
  readonly operationId: string;
  readonly payments: readonly (ProvedDeposit | ProvedWithdrawal)[];
}

const DELIVERED_WITHIN_MS = 15_000;

const DEPOSIT_MOVES = Object.values(DEPOSIT_TRANSITIONS);
const WITHDRAWAL_MOVES = Object.values(WITHDRAWAL_TRANSITIONS);
const INITIAL_STATUSES = ['created', 'requested', 'approved', 'under_review'];
/** Before these nothing may have left. */
const NOTHING_SENT = ['requested', 'under_review', 'rejected', 'cancelled'];

export async function assertAlways(play: Played): Promise<void> {
  for (const payment of play.payments) {
    // The provider first: what it has not yet taken cannot have been booked.
    const sends = payment instanceof ProvedDeposit ? 0 : payment.payout.sends;
    const stored = await payment.read();
    if (stored === null) continue;
    assertVersions(payment, stored);
    assertOneCredit(payment, stored);
    assert.deepEqual(
      stored.balances,
      { ...zeros(stored.balances), ...replayed(stored.entries) },
      'every balance is the sum of its entries',
    );
    if (payment instanceof ProvedDeposit) continue;
    assert.ok(sends <= 1, `${payment.id} was sent ${sends} times`);
    assert.ok(
      sends === 0 || !NOTHING_SENT.includes(stored.row.status),
      `${payment.id} was sent and is ${stored.row.status}`,
    );
  }
  const { problems } = await checkLedger(play.stage.database, play.operationId);
  assert.deepEqual(problems, [], 'the ledger holds');
}

/**
 * Every version has its event, and each follows from the one before by the state table: so no end is ever left but as
 * it says.
 */
function assertVersions(payment: ProvedDeposit | ProvedWithdrawal, { events, row }: StoredPayment): void {
  const moves = payment instanceof ProvedDeposit ? DEPOSIT_MOVES : WITHDRAWAL_MOVES;
  const isBornSilently = events[0]?.endsWith('@2') ?? row.version === 1;
  let version = isBornSilently ? 1 : 0;
  let status: string | null = isBornSilently ? (payment instanceof ProvedDeposit ? 'created' : 'requested') : null;
  for (const event of events) {
    const follows = moves.find(
      ({ event: type, from }) =>
        event === `${type}@${version + 1}` && (status === null || (from as readonly string[]).includes(status)),
    );
    assert.ok(
      follows !== undefined && (status !== null || INITIAL_STATUSES.includes(follows.to)),
      `${payment.id}: ${event} follows ${status ?? 'nothing'}@${version} of ${events.join(', ')}`,
    );
    ({ to: status } = follows);
    version += 1;
  }
  assert.deepEqual(
    { status: row.status, version: row.version },
    { status: status ?? row.status, version },
    `${payment.id}: row and events agree (${events.join(', ')})`,
  );
}

function assertOneCredit({ id }: { id: string }, { entries }: StoredPayment): void {
  const credits = entries.filter(
    ({ objectId, movement, account }) =>
      objectId === id && account === 'available' && /^deposit_(credited|released)$/.test(movement),
  );
  assert.ok(credits.length <= 1, `${id} was credited ${credits.length} times`);
}

function zeros(balances: Readonly<Record<string, bigint>>): Record<string, bigint> {
  return Object.fromEntries(Object.keys(balances).map((account) => [account, 0n]));
}

/** Every transition is delivered to the operator. */
export async function assertPublished({ stage }: Pick<Played, 'stage'>, { id }: { id: string }): Promise<void> {
  const events = await stage.database.event.findMany({ where: { objectId: id }, select: { id: true, type: true } });
  const undelivered = () => events.filter((event) => !stage.delivered.has(event.id)).map(({ type }) => type);
  // A delivery is its own workflow: the payment's may end before it.
  await eventually(() => undelivered().length === 0, 'the deliveries', DELIVERED_WITHIN_MS).catch(() => undefined);
  assert.deepEqual(undelivered(), [], `${id}: events that were never delivered`);
}
