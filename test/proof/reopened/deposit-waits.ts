// The waits of a deposit.
import assert from 'node:assert/strict';
import { EXPIRY_GRACE_SECONDS } from '../../../domain/payments/deposit.js';
import { orderItemReturn } from '../../../store/ledger/item-returns.js';
import { inTransaction } from '../../../store/transactions.js';
import { ProvedDeposit } from '../harness/deposit.js';
import { fundedOperation } from '../harness/stage.js';
import { caseOf, soon } from './cases.js';

type Script = Parameters<typeof caseOf<ProvedDeposit>>[0];

function waits(script: Omit<Script, 'open'> & Partial<Pick<Script, 'open'>>) {
  return caseOf<ProvedDeposit>({
    open: async (stage) => new ProvedDeposit(stage, await fundedOperation(stage)),
    ...script,
  });
}

const CREDITED = { status: 'paid', movements: ['deposit_credited'] } as const;
const RETURNED = { status: 'returned', movements: ['deposit_held', 'deposit_returned'] } as const;

async function isPaid(deposit: ProvedDeposit): Promise<void> {
  await deposit.payAtProvider();
  await deposit.notice();
  await deposit.reaches('paid');
}

async function isInReview(deposit: ProvedDeposit): Promise<void> {
  await deposit.isPending();
  await deposit.payAtProvider('unknown');
  await soon(async () => {
    await deposit.refresh();
    return (await deposit.status()) === 'under_review';
  }, 'it is in review');
  await deposit.workflowReaches('under_review');
}

/** A person decides, once more when the provider did not answer their look-up in time: a busy machine takes long. */
async function isDecided(deposit: ProvedDeposit, decision: 'approve' | 'return'): Promise<void> {
  await soon(async () => {
    const answer = await deposit.review(decision);
    if (answer === 'provider_silent') return false;
    assert.ok(answer === 'done' || answer === 'returning', `${decision} is answered ${answer}`);
    return true;
  }, `${decision} is decided`);
}

/** Asks for a return, of which the provider says nothing. Nobody waits for the answer. */
async function asksForReturn(deposit: ProvedDeposit): Promise<void> {
  await isInReview(deposit);
  deposit.charge.isReturnSilent = true;
  let answer: string | undefined;
  void deposit.review('return').then(
    (kind) => (answer = kind),
    (error: unknown) => (answer = String(error)),
  );
  await soon(async () => {
    const answered = answer;
    const row = await deposit.stage.database.deposit.findUniqueOrThrow({ where: { id: deposit.id } });
    if (row.returnRequest !== null) return true;
    if (answered !== undefined) throw new Error(`the request for the return is not stored: ${answered}`);
    return false;
  }, 'the request is stored');
}

export const CHARGE = waits({
  name: 'the provider has not answered the request for its charge',
  enter: async (deposit) => {
    deposit.charge.isSilent = true;
    void deposit.isCreated().catch(() => undefined);
    await deposit.reaches('created');
  },
  goOn: async (deposit) => {
    deposit.charge.isSilent = false;
    await deposit.reaches('pending');
    await isPaid(deposit);
  },
  end: CREDITED,
});

export const PAYMENT = waits({
  name: 'nobody has paid it',
  enter: (deposit) => deposit.isPending(),
  goOn: isPaid,
  end: CREDITED,
});

export const PAID_UNHEARD = waits({
  name: 'it was paid, and no callback came',
  enter: async (deposit) => {
    await deposit.isPending();
    await deposit.payAtProvider();
  },
  goOn: (deposit) => deposit.reaches('paid'),
  end: CREDITED,
});

export const LOOKED_UP = waits({
  name: 'the provider does not answer the look-up after a callback',
  enter: async (deposit) => {
    await deposit.isPending();
    await deposit.payAtProvider();
    deposit.charge.lookupGate.close();
    await deposit.notice();
    await soon(() => deposit.charge.lookupGate.queue > 0, 'the look-up');
  },
  goOn: async (deposit) => {
    deposit.charge.lookupGate.open();
    await deposit.reaches('paid');
  },
  end: CREDITED,
});

/** Long enough for the creation on a busy machine, in real time. */
const SECONDS_TO_LAST_LOOK = 10;

export const LAST_LOOK = waits({
  // Its grace period is nearly over when it is created.
  open: async (stage) =>
    new ProvedDeposit(stage, await fundedOperation(stage), SECONDS_TO_LAST_LOOK - EXPIRY_GRACE_SECONDS),
  name: 'it is looked up once more before it expires',
  enter: async (deposit) => {
    await deposit.isPending();
    deposit.charge.lookupGate.close();
    await soon(() => deposit.charge.lookupGate.queue > 0, 'the last look');
    await deposit.payAtProvider();
  },
  goOn: async (deposit) => {
    deposit.charge.lookupGate.open();
    await deposit.workflowReaches('under_review');
    await isDecided(deposit, 'return');
  },
  end: RETURNED,
});

export const REVIEW = waits({
  name: 'nobody has decided',
  enter: isInReview,
  goOn: (deposit) => isDecided(deposit, 'approve'),
  end: { status: 'paid', movements: ['deposit_held', 'deposit_released'] },
});

export const REVERSED_IN_REVIEW = waits({
  name: 'nobody has decided, and the payment went back meanwhile',
  enter: async (deposit) => {
    await isInReview(deposit);
    deposit.reverseAtProvider('chargeback');
  },
  goOn: (deposit) => deposit.reaches('returned'),
  end: RETURNED,
});

export const RETURN = waits({
  name: 'a return was asked for, and the provider has not answered',
  enter: asksForReturn,
  goOn: async (deposit) => {
    assert.equal(await deposit.review('approve'), 'invalid_state', 'no approval beside a return');
    deposit.charge.isReturnSilent = false;
    await deposit.reaches('returned');
  },
  end: RETURNED,
});

/** What is left of its payments in suspense. */
async function leftInSuspense({ stage: { database }, id }: ProvedDeposit): Promise<string | null> {
  const { _sum: sum } = await database.suspenseItem.aggregate({ where: { objectId: id }, _sum: { leftMinor: true } });
  return sum.leftMinor?.toString() ?? null;
}

export const ITEM_RETURN = waits({
  name: 'it is credited, the return of a second payment was ordered, and the provider has not answered',
  enter: async (deposit) => {
    await deposit.isPending();
    await isPaid(deposit);
    const { endToEndId: payment } = await deposit.payAtProvider('other', 700n);
    await deposit.notice();
    await soon(async () => (await leftInSuspense(deposit)) === '700', 'the second payment is in suspense');
    deposit.charge.isReturnSilent = true;
    const { stage, operationId } = deposit;
    const order = { operationId, payment, amount: { amount: '700', currency: 'BRL' }, reason: 'paid twice' };
    const people = { requestedBy: 'ana', approval: null };
    const ordered = await inTransaction(stage.database, (transaction) => orderItemReturn(transaction, order, people));
    assert.equal(ordered.kind, 'done');
    await deposit.refresh();
  },
  goOn: async (deposit) => {
    deposit.charge.isReturnSilent = false;
    await soon(async () => (await leftInSuspense(deposit)) === '0', 'the second payment has gone back');
  },
  end: { status: 'paid', movements: ['deposit_credited', 'late_payment_received', 'suspense_reversed'] },
});

export const CLOSED = waits({
  name: 'it is over, and a look-up is requested',
  enter: async (deposit) => {
    await deposit.isPending();
    await isPaid(deposit);
    await deposit.ended();
    deposit.reverseAtProvider('refund');
    deposit.charge.lookupGate.close();
    await deposit.notice();
    await soon(() => deposit.charge.lookupGate.queue > 0, 'the look-up');
  },
  goOn: async (deposit) => {
    deposit.charge.lookupGate.open();
    await deposit.reaches('refunded');
  },
  end: { status: 'refunded', movements: ['deposit_credited', 'deposit_refunded'] },
});

export const LATE = waits({
  name: 'it is over without a payment, and one came late',
  enter: async (deposit) => {
    await deposit.isPending();
    await deposit.cancel();
    await deposit.payAtProvider();
  },
  goOn: (deposit) => deposit.notice(),
  end: { status: 'cancelled', movements: ['late_payment_received'] },
});
