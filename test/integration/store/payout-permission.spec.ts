// The permission to send is given for nothing that the books do not ask for: whatever one row was made to say, the
// sealed request, the ledger, the rules' decision, the acts of people and the operation must say it too.
import assert from 'node:assert/strict';
import type { PermissionRefusal } from '../../../domain/payments/permissions.js';
import { documentHash } from '../../../store/sealing/sealer.js';
import { addToList } from '../../../store/rules/lists.js';
import { closeAct } from '../../../store/staff/acts.js';
import { insertDecision } from '../../../store/rules/decisions.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { claimPayoutSend, clearPayoutSend } from '../../../store/payments/withdrawal/payout-sends.js';
import { useStore } from './fixtures.js';
import { storedAct } from './staff-fixtures.js';
import { approvedBy, decisionOn, fund, inserted, read, store, underReview } from './withdrawal-fixtures.js';

/** What somebody did to a withdrawal, up to the moment before the checks of the send. */
interface Case {
  readonly what: string;
  readonly refusal: PermissionRefusal;
  readonly arrange: () => Promise<WithdrawalRow>;
}

const FIRST = ['FIRST_WITHDRAWAL'];
const DUAL = ['FIRST_WITHDRAWAL', 'DUAL_APPROVAL_REQUIRED'];

describe('store: the permission to send is for what the books ask for', () => {
  const fixture = useStore('once');
  before(async () => {
    await fund(fixture, 1_000_000);
  });
  /** What a case did to the operation or the player is undone. */
  afterEach(async () => {
    const { database, sealer, operationId } = fixture;
    await database.player.updateMany({ data: { documentHash: documentHash(sealer, operationId, '52998224725') } });
    await database.operation.updateMany({
      data: { status: 'active', environment: 'sandbox', automaticStoppedAt: null },
    });
    await database.listEntry.deleteMany();
  });

  const clear = (held: WithdrawalRow) => clearPayoutSend(fixture.database, held, null);
  const permission = (held: WithdrawalRow, environment: 'sandbox' | 'production' = 'sandbox') =>
    claimPayoutSend(fixture.database, fixture.sealer, held, { attempt: 'one', environment });
  const idOf = ({ record }: WithdrawalRow) => record.snapshot.id;

  /** Sets it to `approved` as any role that may write transitions can: no act, no event. */
  async function approveByHand(held: WithdrawalRow, mode = 'manual'): Promise<WithdrawalRow> {
    await fixture.database.$executeRaw`
      UPDATE withdrawal SET status = 'approved', judgement = 'passed', decision_mode = ${mode}, version = version + 1,
        revision = revision + 1
      WHERE id = ${idOf(held)}`;
    return held;
  }

  /** An act on it, used up as any role with that right can. */
  async function usedAct(
    held: WithdrawalRow,
    person: string,
    {
      kind = 'withdrawal.approve',
      version = held.record.snapshot.version,
      id = idOf(held),
    }: { kind?: 'withdrawal.approve' | 'withdrawal.refuse'; version?: number; id?: string } = {},
  ): Promise<void> {
    const actId = await storedAct(fixture, kind, { id, version }, { person });
    await fixture.database.staffAct.update({ where: { id: actId }, data: { consumedAt: new Date(), outcome: 'done' } });
  }

  /** As the owner of the tables: roles may not. */
  async function changeEntries(held: WithdrawalRow, statement: string): Promise<WithdrawalRow> {
    const { database } = fixture;
    await database.$transaction([
      database.$executeRawUnsafe('ALTER TABLE ledger_entry DISABLE TRIGGER USER'),
      database.$executeRawUnsafe(`${statement} WHERE object_id = '${idOf(held)}' AND step = '1'`),
      database.$executeRawUnsafe('ALTER TABLE ledger_entry ENABLE TRIGGER USER'),
    ]);
    return held;
  }

  async function approved(reasons: readonly string[], ...people: string[]): Promise<WithdrawalRow> {
    let held = await underReview(fixture, reasons);
    for (const person of people) held = await approvedBy(fixture, held, person);
    return held;
  }

  /** The row is changed after everything else was honest. */
  async function changed(assignment: string): Promise<WithdrawalRow> {
    const held = await approved(FIRST, 'ana');
    await fixture.database.$executeRawUnsafe(
      `UPDATE withdrawal SET ${assignment}, revision = revision + 1 WHERE id = '${idOf(held)}'`,
    );
    return held;
  }

  const CASES: readonly Case[] = [
    {
      what: 'a review that nobody approved',
      refusal: 'not_decided',
      arrange: async () => approveByHand(await underReview(fixture, FIRST)),
    },
    {
      what: 'a review said to have been automatic, although the rules’ decision would allow it',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, FIRST);
        await insertDecision(
          fixture.database,
          decisionOn({ ...held.order, operatorReasons: 0, proof: '' }, 'automatic'),
        );
        return approveByHand(held, 'automatic');
      },
    },
    {
      what: 'one said to be automatic that the rules did not decide',
      refusal: 'not_decided',
      arrange: async () => approveByHand(await inserted(fixture, 'requested'), 'automatic'),
    },
    {
      what: 'one person where two are needed',
      refusal: 'not_decided',
      arrange: async () => approveByHand(await approved(DUAL, 'ana')),
    },
    {
      what: 'one person where the row’s reasons ask for two, and the rules’ decision does not',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, FIRST);
        await usedAct(held, 'ana');
        await fixture.database.$executeRaw`
          UPDATE withdrawal SET decision_reasons = ${DUAL} WHERE id = ${idOf(held)}`;
        return approveByHand(held);
      },
    },
    {
      what: 'one person, the reason for two taken from the row',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, DUAL);
        await usedAct(held, 'ana');
        await fixture.database.$executeRaw`
          UPDATE withdrawal SET decision_reasons = ${FIRST} WHERE id = ${idOf(held)}`;
        return approveByHand(held);
      },
    },
    {
      what: 'one person twice where two are needed',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, DUAL);
        await usedAct(held, 'ana');
        await usedAct(held, 'Ana');
        return approveByHand(held);
      },
    },
    {
      what: 'an approval that was stored and not done',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, FIRST);
        await storedAct(fixture, 'withdrawal.approve', held.record.snapshot);
        return approveByHand(held);
      },
    },
    {
      what: 'an approval that was closed as refused',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, FIRST);
        await closeAct(fixture.database, await storedAct(fixture, 'withdrawal.approve', held.record.snapshot));
        return approveByHand(held);
      },
    },
    {
      what: 'an act that refuses',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, FIRST);
        await usedAct(held, 'ana', { kind: 'withdrawal.refuse' });
        return approveByHand(held);
      },
    },
    {
      what: 'an approval of another version',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, FIRST);
        await usedAct(held, 'ana', { version: 7 });
        return approveByHand(held);
      },
    },
    {
      what: 'an approval of another withdrawal',
      refusal: 'not_decided',
      arrange: async () => {
        const held = await underReview(fixture, FIRST);
        await usedAct(held, 'ana', { id: idOf(await underReview(fixture, FIRST)) });
        return approveByHand(held);
      },
    },
    {
      what: 'one that was cancelled, whose money was released',
      refusal: 'not_in_ledger',
      arrange: async () => {
        const held = await inserted(fixture);
        assert.notEqual(await store(fixture, held, { trigger: 'cancel' }), null);
        return approveByHand(held, 'automatic');
      },
    },
    {
      what: 'one without a reservation',
      refusal: 'not_in_ledger',
      arrange: async () => changeEntries(await inserted(fixture), 'DELETE FROM ledger_entry'),
    },
    {
      what: 'a reservation of less',
      refusal: 'not_in_ledger',
      arrange: async () =>
        changeEntries(await inserted(fixture), 'UPDATE ledger_entry SET amount_minor = amount_minor / 2'),
    },
    {
      what: 'a reservation of another operation',
      refusal: 'not_in_ledger',
      arrange: async () => changeEntries(await inserted(fixture), `UPDATE ledger_entry SET operation_id = 'op_other'`),
    },
    {
      what: 'another amount, reserved as well',
      refusal: 'other_amount',
      arrange: async () => {
        const held = await changed('amount_minor = 99000');
        return changeEntries(held, 'UPDATE ledger_entry SET amount_minor = amount_minor * 99');
      },
    },
    {
      what: 'another key in the row than in the request',
      refusal: 'other_destination',
      arrange: () => changed(`destination_hash = '\\x01'`),
    },
    {
      what: 'another document of the player than in the request',
      refusal: 'other_document',
      arrange: async () => {
        const held = await approved(FIRST, 'ana');
        await fixture.database.$executeRaw`UPDATE player SET document_hash = '\\x01'`;
        return held;
      },
    },
    {
      what: 'a player that is not there',
      refusal: 'other_document',
      arrange: () => changed(`player_ref = 'nobody'`),
    },
    {
      what: 'a suspended operation, however fresh the checks',
      refusal: 'operation_suspended',
      arrange: async () => {
        await fixture.database.operation.updateMany({ data: { status: 'suspended' } });
        return inserted(fixture);
      },
    },
    {
      what: 'an automatic one of an operation whose automatic withdrawals a person has stopped',
      refusal: 'automatic_stopped',
      arrange: async () => {
        await fixture.database.operation.updateMany({ data: { automaticStoppedAt: new Date() } });
        return inserted(fixture);
      },
    },
    ...(['player', 'document', 'pix_key'] as const).map((kind) => ({
      what: `a ${kind} that came onto the block list, however fresh the checks`,
      refusal: 'listed' as const,
      arrange: async () => {
        const { database, sealer, operationId } = fixture;
        const value = kind === 'player' ? 'player-1' : '52998224725';
        await addToList(database, sealer, { operationId, list: 'block', kind, value, person: 'test' });
        return inserted(fixture);
      },
    })),
    {
      what: 'an operation of another environment',
      refusal: 'other_environment',
      arrange: async () => {
        await fixture.database.operation.updateMany({ data: { environment: 'production' } });
        return inserted(fixture);
      },
    },
  ];

  for (const { what, refusal, arrange } of CASES)
    it(`refused (${refusal}): ${what}`, async () => {
      const held = await read(fixture, await arrange());
      assert.ok(await clear(held));
      const cleared = await read(fixture, held);
      assert.equal(await permission(cleared), refusal);
      const after = await read(fixture, held);
      assert.deepEqual([after.record.send?.state, after.record.revision], ['cleared', cleared.record.revision]);
    });

  for (const [what, arrange] of [
    ['by the rules alone', () => inserted(fixture)],
    ['by one person', () => approved(FIRST, 'ana')],
    ['by two people', () => approved(DUAL, 'ana', 'ben')],
    [
      'by a person, while what is automatic is stopped',
      async () => {
        await fixture.database.operation.updateMany({ data: { automaticStoppedAt: new Date() } });
        return approved(FIRST, 'ana');
      },
    ],
  ] as const)
    it(`given to what was decided ${what}`, async () => {
      const held = await arrange();
      assert.ok(await clear(held));
      assert.equal(await permission(await read(fixture, held)), 'given');
    });
});
