// The steps of a deposit over a real PostgreSQL: what they store together, and how many statements that takes.
import assert from 'node:assert/strict';
import { createDepositSteps } from '../../../activities/payments/index.js';
import { raiseAlert } from '../../../activities/alerts.js';
import { createDepositStore } from '../../../activities/payments/rows.js';
import type { DepositSteps } from '../../../activities/payments/types.js';
import type { ChargeCalls } from '../../../activities/provider/charges.js';
import { createRulesEngine } from '../../../activities/rules.js';
import type { DepositOrder, StoredDepositOrder } from '../../../contract/temporal/payment.js';
import type { ReturnResult } from '../../../domain/payments/deposit-acts.js';
import type { PaymentFinding } from '../../../domain/payments/charge-findings.js';
import { chargeReferenceOf } from '../../../domain/identifiers.js';
import { parseRuleSetDraft } from '../../../domain/rules/rule-set.js';
import pino from 'pino';
import { concludeReturn, type Conclusion } from '../../../store/payments/deposit/provider-requests.js';
import { inTransaction } from '../../../store/transactions.js';
import { insertRuleSet } from '../../../store/rules/rule-sets.js';
import { AT, balances, depositOrder, useStore } from './fixtures.js';
import { storedAct } from './staff-fixtures.js';
import { paymentFinding } from '../../../lab/harness/deposit-fixtures.js';
import { statementsOf } from '../../support/sent-statements.js';
import { refusalOf } from '../../support/vouched-creations.js';

const LATER = '2026-11-21T12:05:00.000Z';

describe('store: the steps of a deposit', () => {
  const fixture = useStore();
  let order: DepositOrder;
  let steps: DepositSteps;
  let payments: PaymentFinding[];
  let orders: StoredDepositOrder[];
  let contract: string;
  let returnAnswer: ReturnResult;
  beforeEach(async () => {
    const { database, sealer, operationId } = fixture;
    const rules = parseRuleSetDraft({ currencies: { BRL: {} } });
    await insertRuleSet(database, { operationId, rules, createdBy: 'test' });
    order = depositOrder(fixture);
    payments = [];
    orders = [];
    contract = 'bank 1';
    returnAnswer = { kind: 'done', amountMinor: 5000n, at: AT };
    steps = createDepositSteps({
      deposits: createDepositStore({ database, sealer }, (alert) =>
        raiseAlert(database, pino({ level: 'silent' }), alert),
      ),
      rules: createRulesEngine({ database, sealer }),
      charges: provider(),
      sealer,
      environment: 'sandbox',
    });
  });

  /** Answers at once, and keeps the orders that it was asked about. */
  function provider(): ChargeCalls {
    const expiresAt = '2026-11-21T12:40:00.000Z';
    const instructions = { copyPaste: '00020101', qrCodePngBase64: null, expiresAt };
    return {
      contractOf: () => contract,
      createCharge: async (input) => {
        orders.push(input.order);
        return { kind: 'created', instructions, expiresAt };
      },
      lookUpCharge: async (input) => {
        orders.push(input.order);
        return { status: 'paid', payments };
      },
      returnPayment: async () => returnAnswer,
    };
  }

  const payment = (change: Partial<PaymentFinding> = {}) => paymentFinding(fixture.sealer, order, change);
  const ref = (seenVersion: number) => {
    const { id, operationId, provider: name } = order;
    return { id, operationId, seenVersion, at: LATER, provider: name };
  };
  const open = () => steps.openDeposit({ order, at: AT, chargeWithinMs: 5_000 });
  const row = () => fixture.database.deposit.findUniqueOrThrow({ where: { id: order.id } });
  const audited = async () =>
    (
      await fixture.database.auditEntry.findMany({
        where: { subject: order.id },
        orderBy: { sequence: 'asc' },
      })
    ).map(({ action }) => action);

  it('open: facts; row, player and decision; charge', async () => {
    assert.deepEqual(await statementsOf(fixture.database, open), ['WITH', 'WITH', 'WITH']);
    const { status, revision, expiresAt, contract: readBy } = await row();
    assert.deepEqual([status, revision, expiresAt.toISOString()], ['pending', 2, '2026-11-21T12:40:00.000Z']);
    assert.equal(readBy, 'bank 1');
    const decisions = await fixture.database.decision.findMany();
    assert.deepEqual(
      decisions.map(({ objectId, stage }) => [objectId, stage]),
      [[order.id, 'creation']],
    );
  });

  it('examine: row; facts; payment with its decision', async () => {
    await open();
    payments = [payment()];
    // The bank's document has changed since.
    contract = 'bank 2';
    assert.deepEqual(await statementsOf(fixture.database, () => steps.lookUpChargeBriefly(ref(2))), [
      'SELECT',
      'WITH',
      'WITH',
    ]);
    const { status, contract: readBy } = await row();
    assert.deepEqual([status, readBy], ['paid', 'bank 2']);
    assert.deepEqual(await balances(fixture), { available: '5000', provider_clearing: '-5000' });
    assert.equal(await fixture.database.decision.count({ where: { stage: 'payment' } }), 1);
    assert.deepEqual(await statementsOf(fixture.database, () => steps.lookUpChargeBriefly(ref(3))), ['SELECT']);
  });

  it('asks the provider about the row: the order of a stored deposit is the one that opened it', async () => {
    await open();
    await steps.lookUpCharge({ ...ref(2), rules: 'asked' });
    const { expiresInSeconds, proof: _, ...same } = order;
    assert.deepEqual(orders, [
      { ...same, expiresInSeconds },
      // The provider gave it another term.
      { ...same, expiresInSeconds: 2_400 },
    ]);
  });

  it('a return: the request and its answer are acts of their own, with the person in the row only', async () => {
    await open();
    payments = [payment({ payerMatch: 'mismatch' })];
    await steps.lookUpChargeBriefly(ref(2));
    const actId = await storedAct(fixture, 'deposit.return', { id: order.id, version: 3 });
    const asked = await steps.requestReturn({ ...ref(3), actId });
    assert.equal(asked.state.isReturning, true);
    assert.deepEqual(await audited(), ['deposit.return_requested']);
    const returned = await steps.followReturn(ref(3));
    assert.deepEqual([returned.outcome, returned.state.snapshot.decidedBy], ['done', []]);
    assert.deepEqual(await audited(), ['deposit.return_requested', 'deposit.return']);
    const { status, decidedBy, returnRequest } = await row();
    assert.deepEqual(
      [status, decidedBy, returnRequest],
      ['returned', [{ actId, person: 'ana', decision: 'return', reason: 'checked', at: LATER }], null],
    );
    assert.deepEqual(await balances(fixture), { pending_in: '0', provider_clearing: '0' });
  });

  describe('a return that the provider never finishes', () => {
    const DAY_MS = 86_400_000;
    const returnAct = async () => ((await row()).returnRequest as { actId: string } | null)?.actId ?? '';
    /** Requested a day ago, and pending. */
    beforeEach(async () => {
      await open();
      payments = [payment({ payerMatch: 'mismatch' })];
      await steps.lookUpChargeBriefly(ref(2));
      const actId = await storedAct(fixture, 'deposit.return', { id: order.id, version: 3 });
      await steps.requestReturn({ ...ref(3), actId });
      returnAnswer = { kind: 'pending' };
      await assert.rejects(steps.followReturn(ref(3)), { type: 'NotYet' });
    });

    const conclude = async (result: 'done' | 'never', change: Partial<Conclusion> = {}) => {
      const { database, operationId } = fixture;
      const returnId = result === 'done' ? `D${'1'.repeat(31)}` : null;
      const named = { operationId, depositId: order.id, returnActId: await returnAct() };
      const conclusion = { ...named, result, returnId, evidence: 'ticket 4711', reason: 'stuck', ...change };
      const people = { requestedBy: 'ben', approval: null };
      return inTransaction(database, (transaction) => concludeReturn(transaction, conclusion, people));
    };
    /** A step at this many seconds from now, as its clock is PostgreSQL's. */
    const later = (seenVersion: number, seconds: number) => ({
      ...ref(seenVersion),
      at: new Date(Date.now() + seconds * 1_000).toISOString(),
    });
    const reported = (state: 'pending' | 'done' | 'refused') => {
      const reversal = {
        kind: 'refund',
        amountMinor: 5000n,
        reference: chargeReferenceOf(order.id),
        state,
      } as const;
      payments = [payment({ payerMatch: 'mismatch', reversals: [{ ...reversal, at: LATER }] })];
    };
    const alerts = async () => (await fixture.database.alert.findMany()).map(({ kind }) => kind);
    const entries = () => fixture.database.ledgerEntry.count();

    it('is concluded once, and not before a day has passed', async () => {
      const { database } = fixture;
      const at = new Date(Date.now() - DAY_MS + 60_000).toISOString();
      await database.$executeRaw`
        UPDATE deposit SET return_request = jsonb_set(return_request, '{at}', to_jsonb(${at}::text))`;
      const notBefore = new Date(Date.parse(at) + DAY_MS).toISOString();
      assert.deepEqual(await conclude('never'), { kind: 'return_too_recent', notBefore });
      const before = new Date(Date.now() - DAY_MS - 1_000).toISOString();
      await database.$executeRaw`
        UPDATE deposit SET return_request = jsonb_set(return_request, '{at}', to_jsonb(${before}::text))`;
      assert.deepEqual(await conclude('never', { returnActId: 'act_of_another' }), { kind: 'not_returning' });
      assert.deepEqual(await conclude('never', { operationId: 'op_other' }), { kind: 'not_returning' });
      assert.deepEqual(await conclude('never'), { kind: 'done', depositId: order.id });
      assert.deepEqual(await conclude('done'), { kind: 'not_returning' });
    });

    it('done: the money leaves once; the provider’s own report afterwards changes nothing', async () => {
      await conclude('done');
      await assert.rejects(steps.followReturn(later(3, 14)), { type: 'NotYet' });
      assert.deepEqual(await balances(fixture), { pending_in: '5000', provider_clearing: '-5000' });
      const settled = await Promise.all([1, 2, 3].map(() => steps.followReturn(later(3, 16))));
      assert.ok(settled.every(({ outcome }) => outcome === 'done'));
      assert.deepEqual(await balances(fixture), { pending_in: '0', provider_clearing: '0' });
      const before = await entries();
      const [audited] = await fixture.database.auditEntry.findMany({ where: { action: 'deposit.return' } });
      assert.deepEqual((JSON.parse(audited?.detail ?? '{}') as { evidence: string }).evidence, 'ticket 4711');
      assert.equal(await fixture.database.returnId.count({ where: { depositId: order.id } }), 1);
      reported('done');
      await steps.lookUpCharge({ ...later(4, 20), rules: 'asked' });
      assert.deepEqual([await entries(), await alerts()], [before, []]);
    });

    it('never: no money moves; the next return has its own id, and one of the two returns the deposit', async () => {
      await conclude('never');
      assert.equal((await steps.followReturn(later(3, 16))).outcome, 'refused');
      const { status, returnRequest, returns } = await row();
      assert.deepEqual([status, returnRequest, returns], ['under_review', null, 1]);
      assert.deepEqual(await balances(fixture), { pending_in: '5000', provider_clearing: '-5000' });
      assert.deepEqual(await audited(), ['deposit.return_requested', 'deposit.return_withdrawn']);
      const actId = await storedAct(fixture, 'deposit.return', { id: order.id, version: 3 });
      await steps.requestReturn({ ...later(3, 17), actId });
      assert.equal((await row()).returns, 2);
      returnAnswer = { kind: 'done', amountMinor: 5000n, at: AT };
      reported('done');
      await Promise.all([steps.followReturn(later(3, 18)), steps.lookUpCharge({ ...later(3, 18), rules: 'asked' })]);
      assert.deepEqual(await balances(fixture), { pending_in: '0', provider_clearing: '0' });
    });
  });

  it('a refused order stays refused when the rules would allow it', async () => {
    const { database, operationId } = fixture;
    const rules = (min: string) => parseRuleSetDraft({ currencies: { BRL: { deposit_min: min } } });
    await insertRuleSet(database, { operationId, rules: rules('5001'), createdBy: 'test' });
    assert.deepEqual(await statementsOf(database, open), ['WITH', 'SELECT', 'SELECT']);
    await insertRuleSet(database, { operationId, rules: rules('1'), createdBy: 'test' });
    assert.equal(refusalOf(await open()), 'amount_below_minimum');
    assert.equal(await database.deposit.count(), 0);
  });
});
