// The state matrix, executed: every state × every trigger of both objects, allowed and forbidden, through the trigger's
// real door, against the real workflows and PostgreSQL. The cells come from the tables in domain/, so a new state or
// trigger is a new cell.
import assert from 'node:assert/strict';
import {
  DEPOSIT_STATUSES,
  DEPOSIT_TRIGGERS,
  depositAllows,
  EXPIRY_GRACE_SECONDS,
} from '../../domain/payments/deposit.js';
import { WITHDRAWAL_STATUSES, WITHDRAWAL_TRIGGERS, withdrawalAllows } from '../../domain/payments/withdrawal.js';
import { checkLedger } from '../../store/ledger/check.js';
import { eventually } from '../../lab/harness/eventually.js';
import { type Cell, storedOf, executeCell, judge, Pool, titleOf } from './matrix/cells.js';
import { DEPOSIT_CELLS, DEPOSIT_TIMER_CELLS } from './matrix/deposit-cells.js';
import { UNREACHABLE_DEPOSIT_CELLS, UNREACHABLE_WITHDRAWAL_CELLS } from '../../tools/docs/unreachable-cells.js';
import { WITHDRAWAL_CELLS } from './matrix/withdrawal-cells.js';
import type { StoredPayment } from './harness/stored-payment.js';
import { EXPIRES_IN_SECONDS } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { onModel, type Stage, useStage } from './harness/stage.js';

/** All of it is one process: more at once only wait for each other. */
const CELLS_AT_A_TIME = 4;
const MATRIX_TIMEOUT_MS = 240_000;

describe('state matrix', () => {
  const stage = useStage({ start: onModel });

  describe('deposit', () => executeAll(DEPOSIT_CELLS));
  describe('withdrawal', () => executeAll(WITHDRAWAL_CELLS));

  /** All cells at once, each awaited by the test that is named after it. */
  function executeAll(cells: readonly Cell[]): void {
    const results = new Map<Cell, Promise<void>>();
    before(() => {
      const pool = new Pool(CELLS_AT_A_TIME);
      for (const cell of cells) {
        const result = pool.run(() => executeCell(stage(), cell));
        // Each failure is its own test's.
        result.catch(() => undefined);
        results.set(cell, result);
      }
    });
    // Where only some are asked for by --grep, the others are still under way.
    after(async function () {
      this.timeout(MATRIX_TIMEOUT_MS);
      await Promise.allSettled(results.values());
    });
    for (const cell of cells) it(titleOf(cell), () => results.get(cell)).timeout(MATRIX_TIMEOUT_MS);
  }

  // Only here is time skipped.
  describe('deposit, by the timer', () => {
    const stage = useStage({ start: onModel });
    const judgements = new Map<Cell, () => void>();
    before(async function () {
      this.timeout(MATRIX_TIMEOUT_MS);
      const opened = await Promise.all(
        DEPOSIT_TIMER_CELLS.map(async (cell) => ({ cell, payment: (await cell.open(stage())).payment })),
      );
      const earlier = await Promise.all(opened.map(({ payment }) => storedOf(payment)));
      await stage().temporal.sleep((EXPIRES_IN_SECONDS + EXPIRY_GRACE_SECONDS + 60) * 1000);
      await eventually(
        async () =>
          (
            await Promise.all(opened.filter(({ cell }) => cell.isAllowed).map(({ payment }) => storedOf(payment)))
          ).every(({ row }) => row.status === 'expired'),
        'the expiry',
        ACTION_MS,
      );
      const later = await Promise.all(opened.map(({ payment }) => storedOf(payment)));
      DEPOSIT_TIMER_CELLS.forEach((cell, index) =>
        judgements.set(cell, () => judge(cell, earlier[index] as StoredPayment, later[index] as StoredPayment)),
      );
    });
    for (const cell of DEPOSIT_TIMER_CELLS) it(titleOf(cell), () => judgements.get(cell)?.());
    theWholeLedgerHolds(stage);
  });

  describe('afterwards', () => theWholeLedgerHolds(stage));

  function theWholeLedgerHolds(of: () => Stage): void {
    it('the whole ledger holds', async () => {
      assert.deepEqual((await checkLedger(of().database, null)).problems, []);
    });
  }
});

describe('state matrix: what it covers', () => {
  const OBJECTS = [
    {
      name: 'deposit',
      states: DEPOSIT_STATUSES as readonly string[],
      triggers: DEPOSIT_TRIGGERS as readonly string[],
      cells: DEPOSIT_CELLS,
      unreachable: UNREACHABLE_DEPOSIT_CELLS,
      allows: depositAllows,
    },
    {
      name: 'withdrawal',
      states: WITHDRAWAL_STATUSES,
      triggers: WITHDRAWAL_TRIGGERS,
      cells: WITHDRAWAL_CELLS,
      unreachable: UNREACHABLE_WITHDRAWAL_CELLS,
      allows: withdrawalAllows,
    },
  ];

  for (const { name, states, triggers, cells, unreachable, allows } of OBJECTS) {
    it(`every cell of the ${name} is executed, or named with a reason why it cannot be`, () => {
      const executed = new Set(cells.map(({ state, trigger }) => `${state} × ${trigger}`));
      const named = Object.entries(unreachable).flatMap(([trigger, byState]) =>
        Object.entries(byState as Record<string, string>).map(([state, reason]) => ({ state, trigger, reason })),
      );
      for (const { reason } of named) assert.ok(reason.length > 20, 'a reason is a sentence');
      const all = states.flatMap((state) => triggers.map((trigger) => `${state} × ${trigger}`));
      assert.deepEqual([...executed, ...named.map(({ state, trigger }) => `${state} × ${trigger}`)].sort(), all.sort());
    });

    it(`no allowed transition of the ${name} is called unreachable`, () => {
      const may = allows as (trigger: string, state: string) => boolean;
      const wrong = Object.entries(unreachable).flatMap(([trigger, byState]) =>
        Object.keys(byState as object).filter((state) => may(trigger, state)),
      );
      assert.deepEqual(wrong, []);
    });
  }
});
