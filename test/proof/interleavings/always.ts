// What must hold at every moment, whatever happened: read from Postgres and the provider, and judged by the tables.
import assert from 'node:assert/strict';
import { checkLedger } from '../../../store/ledger/check.js';
import { DEPOSIT_TRANSITIONS } from '../../../domain/deposit.js';
import { WITHDRAWAL_TRANSITIONS } from '../../../domain/withdrawal.js';
import { type StoredPayment, replayed } from '../harness/stored-payment.js';
import { ProvedDeposit } from '../harness/deposit.js';
import type { ProvedWithdrawal } from '../harness/withdrawal.js';
import type { PlayedScenario } from './play.js';

const DEPOSIT_MOVES = Object.values(DEPOSIT_TRANSITIONS);
const WITHDRAWAL_MOVES = Object.values(WITHDRAWAL_TRANSITIONS);
const INITIAL_STATUSES = ['created', 'requested', 'approved', 'under_review'];
/** Before these nothing may have left. */
const NOTHING_SENT = ['requested', 'under_review', 'rejected', 'cancelled'];

export async function assertAlways(play: PlayedScenario): Promise<void> {
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
    ({ transferId, movement, account }) =>
      transferId.startsWith(id) && account === 'available' && /^deposit_(credited|released)$/.test(movement),
  );
  assert.ok(credits.length <= 1, `${id} was credited ${credits.length} times`);
}

function zeros(balances: Readonly<Record<string, bigint>>): Record<string, bigint> {
  return Object.fromEntries(Object.keys(balances).map((account) => [account, 0n]));
}
