// The permission to ask a provider for a charge or a return is given for nothing that the books do not ask for.
import { writeJson } from '../../../domain/money.js';
import { newRecord } from '../../../domain/payments/deposit-record.js';
import assert from 'node:assert/strict';
import { requestReturn } from '../../../domain/payments/deposit-acts.js';
import type { PermissionRefusal } from '../../../domain/payments/permissions.js';
import { insertDeposit } from '../../../store/payments/deposit/insert.js';
import { permitCharge, permitReturn } from '../../../store/payments/deposit/provider-requests.js';
import { type DepositRow, readDeposit } from '../../../store/payments/deposit/read.js';
import { storeDepositChange } from '../../../store/payments/deposit/transition.js';
import { orderItemReturn, refusalToReturn } from '../../../store/ledger/item-returns.js';
import { inTransaction } from '../../../store/transactions.js';
import { documentHash } from '../../../store/sealing/sealer.js';
import { readAct } from '../../../store/staff/acts.js';
import { AT, createdDeposit, depositOrder, pendingDeposit, sealedPayer, useStore } from './fixtures.js';
import { storedAct } from './staff-fixtures.js';

interface Case {
  readonly what: string;
  readonly refusal: PermissionRefusal;
  /** What somebody does to the deposit before its row is read. */
  readonly tamper: (kept: DepositRow) => Promise<unknown>;
}

const NO_RETURN = { actId: '', of: '', amountMinor: 0n, person: '', reason: '', at: AT, returnedBeforeMinor: 0n };

describe('store: what is asked of a provider for a deposit is what the books ask for', () => {
  const fixture = useStore('once');
  /** What a case did to the operation, the player or the provider is undone. */
  afterEach(async () => {
    const { database, sealer, operationId } = fixture;
    await database.player.updateMany({ data: { documentHash: documentHash(sealer, operationId, '52998224725') } });
    await database.operation.updateMany({ data: { environment: 'sandbox' } });
    await database.providerPause.deleteMany();
  });

  const idOf = ({ record: { snapshot } }: DepositRow) => snapshot.id;
  const set = ({ record: { snapshot } }: DepositRow, assignment: string) =>
    fixture.database.$executeRawUnsafe(
      `UPDATE deposit SET ${assignment}, revision = revision + 1 WHERE id = '${snapshot.id}'`,
    );

  async function read(id: string): Promise<DepositRow> {
    const { database, operationId } = fixture;
    const kept = await readDeposit(database, { id, operationId });
    assert.ok(kept);
    return kept;
  }

  async function changed(kept: DepositRow, change: Parameters<typeof storeDepositChange>[1]['change']) {
    const { database, sealer } = fixture;
    const written = await storeDepositChange({ database, sealer }, { row: kept, change, at: AT, decision: null });
    assert.ok(written);
    return written;
  }

  async function created(): Promise<DepositRow> {
    const order = depositOrder(fixture);
    const insertion = {
      order,
      record: newRecord(createdDeposit(order)),
      playerRevision: null,
      decision: null,
    } as const;
    const { kind } = await insertDeposit(fixture.database, fixture.sealer, { ...insertion, environment: 'sandbox' });
    assert.equal(kind, 'inserted');
    return read(order.id);
  }

  /** Paid by an unknown payer, so that people decide. */
  async function reviewed(): Promise<DepositRow> {
    const kept = await pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
    const fields = {
      paidAmountMinor: 5000n,
      endToEndId: `E${idOf(kept)}`,
      paidAt: AT,
      reviewReasons: ['PAYER_UNKNOWN'],
    } as const;
    return changed(kept, { trigger: 'payment_in_doubt', fields });
  }

  /** A person asked for its return, as the step does it. */
  async function returning(): Promise<DepositRow> {
    const kept = await reviewed();
    const actId = await storedAct(fixture, 'deposit.return', kept.record.snapshot);
    const act = requestReturn(kept.record, { actId, stored: await readAct(fixture.database, actId), at: AT });
    assert.ok(typeof act === 'object');
    return changed(kept, act);
  }

  /** Somebody writes a request into the row that names this act. */
  async function requested(kept: DepositRow, actId: string): Promise<void> {
    const whole = { of: kept.record.snapshot.endToEndId, amountMinor: 5000n, returnedBeforeMinor: 0n };
    const request = { actId, person: 'ana', reason: 'checked', at: AT, ...whole };
    await fixture.database.$executeRaw`
      UPDATE deposit SET return_request = ${writeJson(request)}::jsonb WHERE id = ${idOf(kept)}`;
  }

  const charge = (kept: DepositRow) => permitCharge(fixture.database, fixture.sealer, kept, 'sandbox');
  const giveBack = (kept: DepositRow) => {
    const { returnRequest, snapshot } = kept.record;
    const own = { of: snapshot.endToEndId ?? '', amountMinor: snapshot.paidAmountMinor ?? 0n };
    return permitReturn(fixture.database, kept, { ...NO_RETURN, ...returnRequest, ...own }, 'sandbox');
  };

  const everywhere: readonly Case[] = [
    {
      what: 'of an operation of another environment',
      refusal: 'other_environment',
      tamper: () => fixture.database.operation.updateMany({ data: { environment: 'production' } }),
    },
  ];

  const CHARGES: readonly Case[] = [
    ...everywhere,
    {
      what: 'at a paused provider',
      refusal: 'provider_paused',
      tamper: () =>
        fixture.database.providerPause.create({ data: { provider: 'simulator', pausedBy: 'ana', reason: 'x' } }),
    },
    {
      what: 'of another amount than was ordered',
      refusal: 'other_amount',
      tamper: (kept) => set(kept, 'amount_minor = 5001'),
    },
    {
      what: 'in another currency than was ordered',
      refusal: 'other_amount',
      tamper: (kept) => set(kept, `currency = 'USD'`),
    },
    {
      what: 'for another document than the player has',
      refusal: 'other_document',
      tamper: () => fixture.database.$executeRaw`UPDATE player SET document_hash = '\\x01'`,
    },
    { what: 'that was made already', refusal: 'changed', tamper: (kept) => set(kept, `status = 'pending'`) },
  ];

  for (const { what, refusal, tamper } of CHARGES)
    it(`no charge (${refusal}) ${what}`, async () => {
      const kept = await created();
      await tamper(kept);
      assert.equal(await charge(await read(idOf(kept))), refusal);
    });

  const RETURNS: readonly Case[] = [
    ...everywhere,
    {
      what: 'that nobody asked for: the act is invented',
      refusal: 'not_decided',
      tamper: (kept) => requested(kept, 'act_invented'),
    },
    {
      what: 'by an act that was stored and not done',
      refusal: 'not_decided',
      tamper: async (kept) => requested(kept, await storedAct(fixture, 'deposit.return', kept.record.snapshot)),
    },
    {
      what: 'by an act that approves',
      refusal: 'not_decided',
      tamper: async (kept) => requested(kept, await usedAct(kept, { kind: 'deposit.approve' })),
    },
    {
      what: 'by an act on another version',
      refusal: 'not_decided',
      tamper: async (kept) => requested(kept, await usedAct(kept, { version: 2 })),
    },
    {
      what: 'by another deposit’s act',
      refusal: 'not_decided',
      tamper: async (kept) => requested(kept, await usedAct(await reviewed())),
    },
    {
      what: 'of more than was received',
      refusal: 'not_in_ledger',
      tamper: (kept) => set(kept, 'paid_amount_minor = 99000'),
    },
    {
      what: 'of what was credited',
      refusal: 'not_in_ledger',
      tamper: async (kept) => {
        await changed(kept, { trigger: 'approve' });
        const request = writeJson(kept.record.returnRequest);
        await fixture.database.$executeRaw`
          UPDATE deposit SET status = 'under_review', version = 3, return_request = ${request}::jsonb
          WHERE id = ${idOf(kept)}`;
      },
    },
    {
      what: 'of another deposit’s payment',
      refusal: 'other_payment',
      tamper: async (kept) => set(kept, `end_to_end_id = 'E${idOf(await reviewed())}'`),
    },
    { what: 'that is done', refusal: 'changed', tamper: (kept) => set(kept, `status = 'returned'`) },
    {
      what: 'that people have concluded',
      refusal: 'changed',
      tamper: ({ record: { snapshot, returnRequest } }) =>
        fixture.database.$executeRaw`
          INSERT INTO return_conclusion (return_act_id, deposit_id, result, evidence, reason, requested_by)
          VALUES (${returnRequest?.actId}, ${snapshot.id}, 'never', 'ticket 4711', 'stuck', 'ana')`,
    },
  ];

  /** A paid deposit with a second payment, whose return people ordered. */
  async function itemOrdered(): Promise<DepositRow> {
    const kept = await pendingDeposit(fixture.database, fixture.sealer, depositOrder(fixture));
    const fields = { paidAmountMinor: 5000n, endToEndId: `E${idOf(kept)}`, paidAt: AT } as const;
    const paid = await changed(kept, { trigger: 'payment_matched', fields });
    const payment = `X${idOf(kept)}`;
    const payer = sealedPayer(fixture.sealer, kept.record.snapshot);
    const { operationId } = fixture;
    const suspense = { of: payment, amountMinor: 700n, paidAt: AT, sealedPayer: payer };
    await changed(paid, { trigger: null, extraPayment: payment, suspense });
    const { database } = fixture;
    const order = { operationId, payment, amount: { amount: '700', currency: 'BRL' }, reason: 'paid twice' };
    const people = { requestedBy: 'ana', approval: null };
    assert.equal((await inTransaction(database, (one) => orderItemReturn(one, order, people))).kind, 'done');
    assert.deepEqual(
      await inTransaction(database, (one) => refusalToReturn(one, order)),
      { kind: 'not_in_suspense', payment, why: 'return_under_way', leftMinor: 700n },
      'one return of a deposit at a time',
    );
    return read(idOf(kept));
  }

  const giveItemBack = (kept: DepositRow) => {
    return permitReturn(fixture.database, kept, kept.record.returnRequest ?? NO_RETURN, 'sandbox');
  };

  const ITEM_RETURNS: readonly Case[] = [
    ...everywhere,
    {
      what: 'that nobody ordered',
      refusal: 'not_decided',
      tamper: (kept) => set(kept, `return_request = return_request || '{"actId": "ret_invented"}'`),
    },
    {
      what: 'of another amount than was ordered',
      refusal: 'not_decided',
      tamper: (kept) => set(kept, `return_request = return_request || '{"amountMinor": "701"}'`),
    },
    {
      what: 'of the deposit’s own payment',
      refusal: 'changed',
      tamper: (kept) => set(kept, `return_request = return_request || jsonb_build_object('of', end_to_end_id)`),
    },
    {
      what: 'of what is not in suspense any more',
      refusal: 'not_in_ledger',
      tamper: ({ record: { snapshot } }) =>
        fixture.database.suspenseItem.updateMany({ where: { objectId: snapshot.id }, data: { leftMinor: 699 } }),
    },
    {
      what: 'of another deposit’s payment',
      refusal: 'other_payment',
      tamper: async ({ record: { returnRequest } }) => set(await reviewed(), `end_to_end_id = '${returnRequest?.of}'`),
    },
    {
      what: 'that people have concluded',
      refusal: 'changed',
      tamper: ({ record: { snapshot, returnRequest } }) =>
        fixture.database.$executeRaw`
          INSERT INTO return_conclusion (return_act_id, deposit_id, result, evidence, reason, requested_by)
          VALUES (${returnRequest?.actId}, ${snapshot.id}, 'never', 'ticket 4711', 'stuck', 'ana')`,
    },
  ];

  for (const { what, refusal, tamper } of ITEM_RETURNS)
    it(`no return out of suspense (${refusal}) ${what}`, async () => {
      const kept = await itemOrdered();
      assert.equal(await giveItemBack(kept), 'given');
      await tamper(kept);
      assert.equal(await giveItemBack(await read(idOf(kept))), refusal);
    });

  /** An act on it, used up as any role with that right can. */
  async function usedAct(
    { record: { snapshot } }: DepositRow,
    {
      kind = 'deposit.return',
      version = snapshot.version,
    }: { kind?: 'deposit.return' | 'deposit.approve'; version?: number } = {},
  ): Promise<string> {
    const id = await storedAct(fixture, kind, { id: snapshot.id, version });
    await fixture.database.staffAct.update({ where: { id }, data: { consumedAt: new Date(), outcome: 'done' } });
    return id;
  }

  for (const { what, refusal, tamper } of RETURNS)
    it(`no return (${refusal}) ${what}`, async () => {
      const kept = await returning();
      await tamper(kept);
      assert.equal(await giveBack(await read(idOf(kept))), refusal);
    });

  it('permit neither for a row that changed since it was read', async () => {
    const [first, second] = [await created(), await returning()];
    for (const kept of [first, second]) await set(kept, 'updated_at = updated_at');
    assert.deepEqual([await charge(first), await giveBack(second)], ['changed', 'changed']);
  });

  it('permit a charge and a return that agree with their rows', async () => {
    assert.deepEqual([await charge(await created()), await giveBack(await returning())], ['given', 'given']);
  });

  it('a deposit of another environment is not inserted', async () => {
    const order = depositOrder(fixture);
    const insertion = {
      order,
      record: newRecord(createdDeposit(order)),
      playerRevision: null,
      decision: null,
    } as const;
    const inserted = await insertDeposit(fixture.database, fixture.sealer, { ...insertion, environment: 'production' });
    assert.deepEqual(inserted, { kind: 'other_environment' });
    assert.equal(await fixture.database.deposit.count({ where: { id: order.id } }), 0);
  });
});
