// `gateway ledger verify`: sound books pass in every state of a payment, and each kind of damage is found by name.
import assert from 'node:assert/strict';
import { CASH_MOVEMENTS } from '../../../domain/cash-movements.js';
import type { LedgerMovement } from '../../../domain/ledger.js';
import type { DEPOSIT_STATUSES } from '../../../domain/payments/deposit.js';
import type { WITHDRAWAL_STATUSES } from '../../../domain/payments/withdrawal.js';
import {
  addToBalance,
  insertDeposit,
  insertEntry,
  insertLate,
  insertWithdrawal,
  move,
  moveItem,
  MOVEMENTS,
} from './payments.js';
import { createTestGateway, type TestGateway } from './support.js';

/** What the workflows move on the way to each state. */
const DEPOSIT_MOVEMENTS: Record<(typeof DEPOSIT_STATUSES)[number], readonly LedgerMovement[]> = {
  created: [],
  pending: [],
  under_review: ['deposit_held'],
  paid: ['deposit_held', 'deposit_released'],
  expired: [],
  cancelled: [],
  failed: [],
  returned: ['deposit_held', 'deposit_returned'],
  refunded: ['deposit_credited', 'deposit_refunded'],
  chargeback: ['deposit_credited', 'deposit_charged_back'],
};
const WITHDRAWAL_MOVEMENTS: Record<(typeof WITHDRAWAL_STATUSES)[number], readonly LedgerMovement[]> = {
  requested: ['withdrawal_reserved'],
  under_review: ['withdrawal_reserved'],
  approved: ['withdrawal_reserved'],
  processing: ['withdrawal_reserved'],
  paid: ['withdrawal_reserved', 'withdrawal_paid'],
  rejected: ['withdrawal_reserved', 'withdrawal_released'],
  failed: ['withdrawal_reserved', 'withdrawal_released'],
  cancelled: ['withdrawal_reserved', 'withdrawal_released'],
  returned: ['withdrawal_reserved', 'withdrawal_paid', 'withdrawal_returned'],
};

describe('gateway ledger verify', () => {
  let gateway: TestGateway;
  let id: string;
  beforeEach(async () => {
    gateway = await createTestGateway();
    id = (await gateway.operation())['operation_id'];
    await insertDeposit(gateway, id, { status: 'paid', amount: '100000', movements: ['deposit_credited'] });
  });
  afterEach(() => gateway.close());

  const verify = async (...more: string[]) => {
    const { exitCode, stdout, stderr } = await gateway.run('ledger', 'verify', ...more);
    return {
      exitCode,
      stderr,
      report: JSON.parse(stdout) as {
        ok: boolean;
        accounts: number;
        transfers: number;
        problems: Record<string, string | null>[];
      },
    };
  };

  const moveCash = (name: string, ...more: string[]) =>
    gateway.json('cash', name, '--operation', id, '100', '--document', 'slip 7', '--reason', 'as agreed', ...more);

  /** All that the damage makes: kind, account, subject, what must be there, and what is. */
  const assertFound = async (...expected: readonly (readonly (string | null)[])[]) => {
    const { exitCode, stderr, report } = await verify();
    assert.deepEqual([exitCode, report.ok], [1, false]);
    assert.equal(stderr, `gateway: the ledger does not hold: ${expected.length} problems\n`);
    assert.deepEqual(
      report.problems.map((one) => [
        one['kind'],
        one['account'],
        one['subject'],
        one['expected_minor'],
        one['found_minor'],
      ]),
      expected,
    );
    for (const { detail, operation_id: operation, provider, currency } of report.problems)
      assert.deepEqual([detail !== '', operation, provider, currency], [true, id, 'simulator', 'BRL']);
  };

  it('passes an empty ledger and the books of every state', async () => {
    for (const [status, movements] of Object.entries(DEPOSIT_MOVEMENTS))
      await insertDeposit(gateway, id, { status, movements });
    for (const [status, movements] of Object.entries(WITHDRAWAL_MOVEMENTS))
      await insertWithdrawal(gateway, id, { status, movements });
    await insertDeposit(gateway, id, {
      status: 'under_review',
      amount: '5000',
      paidAmount: '4999',
      movements: ['deposit_held'],
    });
    await insertLate(gateway, id, { payment: 'E123', amount: '5000' });
    const charged = await insertDeposit(gateway, id, { status: 'under_review', movements: ['deposit_held'] });
    await gateway.rows(`UPDATE deposit SET fees = '{"E1": "85", "E2": "15"}' WHERE id = $1`, charged);
    await move(gateway, id, `${charged}:fee:E1`, 'fee_apart', '85');
    await move(gateway, id, `${charged}:fee:E2`, 'fee_apart', '15');
    const sent = await insertWithdrawal(gateway, id, { status: 'paid', movements: WITHDRAWAL_MOVEMENTS.paid });
    await gateway.rows('UPDATE withdrawal SET fee_minor = 30 WHERE id = $1', sent);
    await move(gateway, id, `${sent}:2:fee`, 'fee_with_payment', '30');
    const reversed = await insertLate(gateway, id, { payment: 'E125', amount: '5000' });
    await moveCash('credit-suspense', '--document', 'E125');
    await moveItem(gateway, id, `${reversed}:recalled:E125:R1`, 'suspense_recalled', 'E125', '100');
    await moveItem(gateway, id, `${reversed}:returned:E125:R1`, 'suspense_reversed', 'E125', '5000');
    await gateway.rows(
      `UPDATE deposit SET returned_minor = 5000, suspense_credits = '{"E125": "0"}',
         returned_parts = '[{"of": "E125", "reference": "R1", "amountMinor": "5000"}]' WHERE id = $1`,
      reversed,
    );
    const parted = await insertDeposit(gateway, id, { status: 'paid', movements: ['deposit_credited'] });
    await move(gateway, id, `${parted}:returned:E126:R1`, 'deposit_refunded_in_part', '1000');
    await move(gateway, id, `${parted}:returned:E126:R2`, 'deposit_charged_back_in_part', '700');
    await gateway.rows('UPDATE deposit SET returned_minor = 1700 WHERE id = $1', parted);
    const backInPart = await insertWithdrawal(gateway, id, { status: 'paid', movements: WITHDRAWAL_MOVEMENTS.paid });
    await move(gateway, id, `${backInPart}:returned:E127:D1`, 'withdrawal_returned_in_part', '300');
    await gateway.rows('UPDATE withdrawal SET returned_minor = 300 WHERE id = $1', backInPart);
    const halved = await insertDeposit(gateway, id, { status: 'under_review', movements: ['deposit_held'] });
    await move(gateway, id, `${halved}:returned:E128:R1`, 'deposit_returned', '2000');
    await gateway.rows('UPDATE deposit SET returned_minor = 2000 WHERE id = $1', halved);
    for (const name of ['fund', 'settle']) await moveCash(name);
    for (const name of ['credit-suspense', 'assign-suspense']) await moveCash(name, '--document', 'E123');
    await moveCash('return-suspense', '--document', 'E123', '--return-id', `D${'1'.repeat(31)}`);
    for (const direction of ['up', 'down']) await moveCash('correct', '--direction', direction);
    await moveCash('fund', '--account', 'a');
    await moveCash('move', '--from', 'a', '--to', 'simulator');
    const ofCash = Object.values(CASH_MOVEMENTS).map(({ moves }): LedgerMovement => moves);
    const used = new Set(
      [...Object.values(DEPOSIT_MOVEMENTS), ...Object.values(WITHDRAWAL_MOVEMENTS), ofCash]
        .flat()
        .concat('cash_box_moved_in', 'late_payment_received', 'suspense_recalled', 'fee_with_payment', 'fee_apart')
        .concat('deposit_refunded_in_part', 'deposit_charged_back_in_part', 'withdrawal_returned_in_part'),
    );
    assert.deepEqual([...used].sort(), [...MOVEMENTS].sort(), 'the test knows every movement');
    const { exitCode, stderr, report } = await verify();
    assert.deepEqual(report.problems, []);
    assert.deepEqual([exitCode, stderr, report.ok, report.accounts], [0, '', true, 7]);
    const [{ transfers } = {}] = await gateway.rows(
      'SELECT count(DISTINCT (object_id, step))::int AS transfers FROM ledger_entry',
    );
    assert.equal(report.transfers, transfers);
  });

  it('finds a part that is missing in the row, and one of another amount at the bank', async () => {
    const deposit = await insertDeposit(gateway, id, { status: 'paid', movements: ['deposit_credited'] });
    await move(gateway, id, `${deposit}:returned:E1:R1`, 'deposit_refunded_in_part', '2000');
    await assertFound(['cash_box_differs', 'available', deposit, '5000', '3000']);
    await gateway.rows('UPDATE deposit SET returned_minor = 2000 WHERE id = $1', deposit);
    await gateway.rows('ALTER TABLE bank_movement DISABLE TRIGGER USER');
    await gateway.rows(`UPDATE bank_movement SET amount_minor = 1999 WHERE object_id = $1 AND part = 'R1'`, deposit);
    await assertFound(['bank_movement_differs', null, deposit, '1999', '2000']);
    await gateway.rows(`DELETE FROM bank_movement WHERE object_id = $1 AND part = 'R1'`, deposit);
    await assertFound(['bank_movement_differs', null, deposit, '0', '2000']);
  });

  it('finds an item in suspense that its deposit, its entries or the ledger have differently', async () => {
    const deposit = await insertLate(gateway, id, { payment: 'E9', amount: '900' });
    await gateway.rows(`UPDATE deposit SET suspense_credits = '{"E9": "200"}' WHERE id = $1`, deposit);
    await assertFound(['suspense_differs', 'suspense', 'E9', '700', '900']);
    await gateway.rows(`UPDATE deposit SET suspense_credits = '{}' WHERE id = $1`, deposit);
    await gateway.rows(`UPDATE suspense_item SET left_minor = 800 WHERE object_id = $1`, deposit);
    const { report } = await verify();
    assert.deepEqual(
      report.problems.map(({ kind, subject, found_minor }) => [kind, subject, found_minor]),
      [1, 2].map(() => ['suspense_differs', 'E9', '800']),
    );
    await gateway.rows(`UPDATE suspense_item SET left_minor = 900 WHERE object_id = $1`, deposit);
    await move(gateway, id, `${deposit}:received:E10`, 'late_payment_received', '100');
    await assertFound(['suspense_differs', 'suspense', deposit, '0', '100']);
  });

  it('finds a fee that is in the row and not in the ledger', async () => {
    const deposit = await insertDeposit(gateway, id, { status: 'paid', movements: ['deposit_credited'] });
    await gateway.rows(`UPDATE deposit SET fees = '{"E1": "85"}' WHERE id = $1`, deposit);
    await assertFound(['cash_box_differs', 'available', deposit, '4915', '5000']);
  });

  it('finds a transfer with one side only', async () => {
    await insertEntry(gateway, id, 'manual:1', 'manual', 'provider_clearing', '70');
    await addToBalance(gateway, id, 'provider_clearing', '70');
    await assertFound(['transfer_not_balanced', null, 'manual', '0', '70']);
  });

  it('finds a transfer whose sides differ by the smallest unit of a 37-digit amount', async () => {
    const huge = '9999999999999999999999999999999999999';
    await insertEntry(gateway, id, 'manual:1', 'manual', 'suspense', huge);
    await insertEntry(gateway, id, 'manual:1', 'manual', 'provider_clearing', `-${huge.slice(0, -1)}8`);
    await gateway.rows(
      `UPDATE ledger_account SET balance_minor = (SELECT sum(amount_minor) FROM ledger_entry e WHERE e.operation_id = $1
        AND e.account = ledger_account.account) WHERE operation_id = $1 AND account IN ('suspense', 'provider_clearing')`,
      id,
    );
    const { report } = await verify();
    assert.deepEqual(
      report.problems.map(({ kind, found_minor }) => [kind, found_minor]),
      [
        ['suspense_differs', huge],
        ['transfer_not_balanced', '1'],
      ],
    );
  });

  it('finds a transfer that balances only across two operations', async () => {
    const other = (await gateway.operation())['operation_id'];
    await insertEntry(gateway, id, 'manual:1', 'manual', 'suspense', '70');
    await insertEntry(gateway, other, 'manual:1', 'manual', 'provider_clearing', '-70');
    await addToBalance(gateway, id, 'suspense', '70');
    await addToBalance(gateway, other, 'provider_clearing', '-70');
    const { report } = await verify();
    assert.deepEqual(
      report.problems.map(({ kind, operation_id, found_minor }) => [kind, operation_id, found_minor]).sort(),
      [
        ['suspense_differs', id, '70'],
        ['transfer_not_balanced', id, '70'],
        ['transfer_not_balanced', other, '-70'],
      ].sort(),
    );
  });

  it('finds a changed balance, and a missing account', async () => {
    await addToBalance(gateway, id, 'available', '1');
    await assertFound(['balance_differs', 'available', null, '100000', '100001']);
    await gateway.rows(`DELETE FROM ledger_account WHERE operation_id = $1 AND account = 'available'`, id);
    await assertFound(['balance_differs', 'available', null, '100000', '0']);
  });

  it('finds deleted entries', async () => {
    await gateway.rows('ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only');
    await gateway.rows('DELETE FROM ledger_entry');
    const { exitCode, report } = await verify();
    assert.equal(exitCode, 1);
    assert.deepEqual(
      report.problems.map(({ kind }) => kind),
      ['balance_differs', 'balance_differs', 'bank_movement_differs', 'cash_box_differs'],
    );
  });

  it('finds an open withdrawal without its reservation, and money reserved for nothing', async () => {
    const withdrawal = await insertWithdrawal(gateway, id, { status: 'approved', amount: '300' });
    await assertFound(
      ['cash_box_differs', 'available', withdrawal, '-300', '0'],
      ['reservation_differs', 'pending_out', withdrawal, '300', '0'],
    );
    await gateway.rows(`UPDATE withdrawal SET status = 'cancelled' WHERE id = $1`, withdrawal);
    await move(gateway, id, 'manual:1', 'withdrawal_reserved', '300');
    await assertFound(
      ['cash_box_differs', 'available', 'manual', '0', '-300'],
      ['reservation_differs', 'pending_out', 'manual', '0', '300'],
    );
  });

  it('finds a reservation of another amount, even when the totals agree', async () => {
    const one = await insertWithdrawal(gateway, id, { status: 'approved', amount: '300' });
    const other = await insertWithdrawal(gateway, id, { status: 'approved', amount: '500' });
    await move(gateway, id, `${one}:1`, 'withdrawal_reserved', '500');
    await move(gateway, id, `${other}:1`, 'withdrawal_reserved', '300');
    const { report } = await verify();
    assert.deepEqual(
      report.problems
        .filter(({ kind }) => kind === 'reservation_differs')
        .map(({ subject }) => subject)
        .sort(),
      [one, other].sort(),
    );
  });

  it('finds a deposit under review whose money is not held, or not in full', async () => {
    const deposit = await insertDeposit(gateway, id, { status: 'under_review', amount: '5000', paidAmount: '4000' });
    await assertFound(['held_deposit_differs', 'pending_in', deposit, '4000', '0']);
    await move(gateway, id, `${deposit}:3`, 'deposit_held', '5000');
    await assertFound(['held_deposit_differs', 'pending_in', deposit, '4000', '5000']);
  });

  it('finds a deposit credited twice, and a paid one that was not credited', async () => {
    const movements = ['deposit_credited', 'deposit_credited'] as const;
    const twice = await insertDeposit(gateway, id, { status: 'paid', movements });
    await assertFound(['cash_box_differs', 'available', twice, '5000', '10000']);
    await move(gateway, id, `${twice}:9`, 'deposit_refunded', '5000');
    const never = await insertDeposit(gateway, id, { status: 'paid' });
    await assertFound(['cash_box_differs', 'available', never, '5000', '0']);
  });

  it('finds money in the cash box under a name that no payment and no cash movement has', async () => {
    await move(gateway, id, 'grant:1', 'cash_box_funded', '700');
    await assertFound(['cash_box_differs', 'available', 'grant', '0', '700']);
  });

  it('finds money that arrived at another operation than its payment belongs to', async () => {
    const other = (await gateway.operation())['operation_id'];
    const deposit = await insertDeposit(gateway, id, { status: 'paid' });
    await move(gateway, other, `${deposit}:3`, 'deposit_credited', '5000');
    const { report } = await verify();
    assert.deepEqual(
      report.problems.map(({ operation_id, found_minor }) => [operation_id, found_minor]).sort(),
      [
        [id, '0'],
        [other, '5000'],
      ].sort(),
    );
  });

  it('--operation looks at one operation only', async () => {
    const other = (await gateway.operation())['operation_id'];
    await addToBalance(gateway, id, 'available', '1');
    assert.equal((await verify('--operation', id)).exitCode, 1);
    const { exitCode, report } = await verify('--operation', other);
    assert.deepEqual([exitCode, report], [0, { ok: true, accounts: 5, transfers: 0, overdrawn: [], problems: [] }]);
    await gateway.fails(1, /no such operation/, 'ledger', 'verify', '--operation', 'op_0');
    await gateway.fails(2, /--operation/, 'ledger', 'verify', '--operation', 'x');
  });
});
