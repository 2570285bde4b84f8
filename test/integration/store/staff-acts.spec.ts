// Acts of staff in a real PostgreSQL: the statement that stores a decision uses up the act, or stores nothing.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { actReader } from '../../../activities/staff-acts.js';
import { withOrigin } from '../../../store/audit/origin.js';
import { insertAlert } from '../../../store/alerts/alerts.js';
import type { ActSignature, SignedAct } from '../../../domain/signed-act.js';
import { approve, refuse } from '../../../domain/payments/withdrawal-acts.js';
import type { AccessActKind, PaymentActKind, StaffAct, StaffMeans, UsedAct } from '../../../domain/staff.js';
import type { WithdrawalChange, WithdrawalRecord } from '../../../domain/payments/withdrawal-record.js';
import { closeAct, mayAct, readAct } from '../../../store/staff/acts.js';
import { ensureClaimedPerson, handleOf } from '../../../store/staff/people.js';
import { inTransaction } from '../../../store/transactions.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { type Query, signedWithNewPasskey } from '../../support/signed-acts.js';
import { storeDepositChange } from '../../../store/payments/deposit/transition.js';
import { AT, depositOrder, pendingDeposit, useStore } from './fixtures.js';
import { storedAct } from './staff-fixtures.js';
import { fund, inserted, read, store } from './withdrawal-fixtures.js';

const DUAL = ['DUAL_APPROVAL_REQUIRED'];

describe('store: acts of staff', () => {
  const fixture = useStore();
  let held: WithdrawalRow;
  beforeEach(async () => {
    await fund(fixture, 10_000);
    held = await inserted(fixture, 'under_review');
  });

  const act = (kind: PaymentActKind = 'withdrawal.approve', person = 'ana', of = held.record.snapshot) =>
    storedAct(fixture, kind, of, { person });
  /** The change of a step that believed the act: only the statement stands between it and the row. */
  const believing = (uses: UsedAct, handle = 'ana'): WithdrawalChange => {
    const { snapshot } = held.record;
    const entry = { actId: uses.id, person: handle, decision: 'approve', reason: '', at: AT } as const;
    const decision = { ...snapshot.decision, decidedBy: [...snapshot.decision.decidedBy, entry] };
    return { trigger: 'approve', fields: { decision }, uses };
  };
  const tryWith = async (id: string, more: Partial<UsedAct> = {}) => {
    const uses = { id, kind: 'withdrawal.approve', means: 'claim', address: null, others: [], ...more } as const;
    return (await store(fixture, held, believing(uses))) === null ? 'changed' : 'stored';
  };
  const nothingStored = async () => {
    const now = await read(fixture, held);
    const { status, version, decision } = now.record.snapshot;
    const audited = await fixture.database.auditEntry.count({ where: { subject: held.record.snapshot.id } });
    assert.deepEqual(
      [status, version, now.record.revision, decision.decidedBy, audited],
      ['under_review', 1, held.record.revision, [], 0],
    );
  };
  const setAct = (id: string, sql: string) =>
    fixture.database.$transaction([
      fixture.database.$executeRawUnsafe(`ALTER TABLE staff_act DISABLE TRIGGER staff_act_kept`),
      fixture.database.$executeRawUnsafe(`UPDATE staff_act SET ${sql} WHERE id = '${id}'`),
      fixture.database.$executeRawUnsafe(`ALTER TABLE staff_act ENABLE TRIGGER staff_act_kept`),
    ]);

  const session = async (means: StaffMeans) => {
    const ticket = means === 'break_glass' ? 'INC-1' : null;
    const data = {
      id: `ses_${randomBytes(4).toString('hex')}`,
      tokenHash: Uint8Array.from(randomBytes(32)),
      staffHandle: 'ana',
      means,
      ticket,
    };
    return (await fixture.database.staffSession.create({ data })).id;
  };
  const query: Query = (sql, ...values) => fixture.database.$executeRawUnsafe(sql, ...values);
  /** Ana's signature over the act, with a passkey of hers. */
  const signed = async (id: string, change: Partial<SignedAct> = {}): Promise<ActSignature> => {
    const { subjectId, subjectVersion, subjectDigest, reason, evidence } =
      await fixture.database.staffAct.findUniqueOrThrow({ where: { id } });
    const words = { subjectId, subjectVersion, subjectDigest, reason, evidence };
    const signature = await signedWithNewPasskey(query, 'ana', { kind: 'withdrawal.approve', ...words, ...change });
    await setAct(id, `created_at = now()`);
    return signature;
  };
  /** An act of somebody who was recognised so, on a payment of a production operation. */
  const actInProduction = async (means: 'passkey' | 'command_line' | 'break_glass' | 'signature') => {
    const id = await act();
    const sessionId = await session(means === 'signature' ? 'passkey' : means);
    const signature = means === 'signature' ? `'${JSON.stringify(await signed(id))}'` : 'NULL';
    await setAct(id, `means = '${means}', session_id = '${sessionId}', signature = ${signature}`);
    await fixture.database.operation.updateMany({ data: { environment: 'production' } });
    return id;
  };

  /** What a step decides that a worker makes of the act. */
  const stepWith = async (id: string) => {
    const read = actReader(fixture.database, async (alert) => void (await insertAlert(fixture.database, alert)));
    return approve(held.record, { actId: id, stored: await read(id), at: AT });
  };

  it('are used up by the statement that stores the decision, with the audit entry', async () => {
    const id = await act();
    assert.equal(await tryWith(id), 'stored');
    const { status, decision } = (await read(fixture, held)).record.snapshot;
    assert.deepEqual([status, decision.decidedBy[0]?.person], ['approved', 'ana']);
    const { outcome, consumedAt } = await fixture.database.staffAct.findUniqueOrThrow({ where: { id } });
    assert.equal(outcome, 'done');
    assert.ok(consumedAt !== null);
    const entry = await fixture.database.auditEntry.findFirstOrThrow({ where: { subject: held.record.snapshot.id } });
    assert.deepEqual([entry.action, entry.person], ['withdrawal.approve', 'ana']);
  });

  const ATTACKS: Record<string, () => Promise<string>> = {
    'an invented act': async () => 'act_0123456789abcdef0123456789abcdef',
    'an act of another kind': () => act('withdrawal.refuse'),
    'another payment’s act': async () => act('withdrawal.approve', 'ana', (await inserted(fixture)).record.snapshot),
    'an act on another version': () => act('withdrawal.approve', 'ana', { ...held.record.snapshot, version: 2 }),
    'a used act': async () => {
      const id = await act();
      await setAct(id, `consumed_at = now(), outcome = 'done'`);
      return id;
    },
    'a closed act': async () => {
      const id = await act();
      await closeAct(fixture.database, id);
      return id;
    },
    'an expired act': async () => {
      const id = await act();
      await setAct(id, `created_at = now() - interval '16 minutes', expires_at = now() - interval '1 minute'`);
      return id;
    },
    'an act of a person whose role was taken': async () => {
      const id = await act();
      await fixture.database.staffRole.deleteMany({ where: { role: { in: ['reviewer', 'approver'] } } });
      return id;
    },
    'an act of a person whose role is for another operation': async () => {
      const id = await act();
      await fixture.database.staffRole.deleteMany();
      await fixture.database.staffRole.create({
        data: { staffHandle: 'ana', role: 'approver', operationId: 'op_other', grantedBy: 'eva' },
      });
      return id;
    },
    'an act of a person who is disabled': async () => {
      const id = await act();
      await fixture.database.staff.updateMany({ data: { disabledAt: new Date() } });
      return id;
    },
    'a claimed name in production': async () => {
      const id = await act();
      await fixture.database.operation.updateMany({ data: { environment: 'production' } });
      return id;
    },
    'a session of the panel without a signature, in production': () => actInProduction('passkey'),
    'a session of the command line, in production': () => actInProduction('command_line'),
    'a break-glass session of an hour ago, in production': async () => {
      const id = await actInProduction('break_glass');
      await fixture.database.$executeRaw`UPDATE staff_session SET created_at = now() - interval '61 minutes'`;
      return id;
    },
  };
  for (const [attack, prepare] of Object.entries(ATTACKS))
    it(`${attack} stores nothing`, async () => {
      const id = await prepare();
      assert.equal(await tryWith(id), 'changed');
      await nothingStored();
      const stored = await readAct(fixture.database, id);
      assert.notEqual(typeof approve(held.record, { actId: id, stored, at: AT }), 'object', 'nor does a step try');
    });

  it('a signed act counts in production', async () => {
    const id = await actInProduction('signature');
    assert.equal(typeof (await stepWith(id)), 'object');
    assert.equal(await tryWith(id), 'stored');
  });

  describe('a signature is verified where the act is read', () => {
    /** As an attacker who writes acts into the database would do it. */
    const forged = async (signature: (id: string) => Promise<object>) => {
      const id = await actInProduction('signature');
      await setAct(id, `signature = '${JSON.stringify(await signature(id))}'`);
      return id;
    };
    const flipped = (text: string) =>
      Buffer.from(Buffer.from(text, 'base64url').map((byte) => byte ^ 1)).toString('base64url');
    const FORGERIES: Record<string, (id: string) => Promise<object>> = {
      'no signature at all': () => Promise.resolve({}),
      'numbers for bytes': async (id) => ({ ...(await signed(id)), authenticatorData: 7, clientData: 7, signature: 7 }),
      'the signature of another payment': (id) => signed(id, { subjectId: 'wdr_other' }),
      'the signature of another version': (id) => signed(id, { subjectVersion: 9 }),
      'the signature of another kind of act': (id) => signed(id, { kind: 'withdrawal.write_off' }),
      'bytes that the passkey did not sign': async (id) => {
        const signature = await signed(id);
        return { ...signature, authenticatorData: flipped(signature.authenticatorData) };
      },
      'a passkey of somebody else': async (id) => {
        const signature = await signed(id);
        await ensureClaimedPerson(fixture.database, 'eve');
        // Its trigger lets nobody do that, so as somebody does who can switch triggers off.
        await query('ALTER TABLE staff_passkey DISABLE TRIGGER staff_passkey_kept');
        await query(`UPDATE staff_passkey SET staff_handle = 'eve' WHERE id = $1`, signature.credentialId);
        await query('ALTER TABLE staff_passkey ENABLE TRIGGER staff_passkey_kept');
        return signature;
      },
      'a passkey that was removed': async (id) => {
        const signature = await signed(id);
        await query(
          `UPDATE staff_passkey SET removed_at = now(), removed_by = 'eva' WHERE id = $1`,
          signature.credentialId,
        );
        return signature;
      },
    };
    for (const [what, signature] of Object.entries(FORGERIES))
      it(`${what}: no step does the act, in either environment, and an alert is raised`, async () => {
        const id = await forged(signature);
        for (const environment of ['production', 'sandbox']) {
          await fixture.database.operation.updateMany({ data: { environment } });
          assert.equal(await stepWith(id), 'not_permitted', environment);
        }
        const alerts = await fixture.database.alert.findMany({ where: { kind: 'ACT_NOT_SIGNED' } });
        assert.deepEqual(
          alerts.map(({ objectId }) => objectId),
          [id],
        );
      });

    it('an act without a passkey of its person is not used up by a statement either', async () => {
      for (const what of ['no signature at all', 'a passkey of somebody else', 'a passkey that was removed'])
        assert.equal(await tryWith(await forged(FORGERIES[what] ?? assert.fail(what))), 'changed', what);
      await nothingStored();
    });

    it('an act says the means of its session, and no other', async () => {
      const id = await actInProduction('passkey');
      await setAct(id, `means = 'break_glass'`);
      assert.equal(await stepWith(id), 'not_permitted');
      assert.equal(await tryWith(id), 'changed');
      await nothingStored();
    });
  });

  it('an act of a break-glass session counts in production, but never as the second person’s', async () => {
    const id = await actInProduction('break_glass');
    assert.equal(await tryWith(id, { others: ['ben'] }), 'changed');
    await nothingStored();
    assert.equal(await tryWith(id), 'stored');
  });

  it('one person and somebody whom they just made do not count as two', async () => {
    const id = await act();
    const { database } = fixture;
    await database.staff.update({ where: { handle: 'ana' }, data: { createdBy: 'ben' } });
    const wait = (hours: number) => database.$executeRaw`UPDATE staff_policy SET wait_hours = ${hours}`;
    await wait(24);
    assert.equal(await tryWith(id, { others: ['ben'] }), 'changed');
    await nothingStored();
    await wait(0);
    assert.equal(await tryWith(id, { others: ['ben'] }), 'stored');
  });

  it('access and risk: in production only a signature approves, and a session is enough to reject', async () => {
    await act();
    const sessionId = await session('passkey');
    const { database, operationId } = fixture;
    await database.operation.updateMany({ data: { environment: 'production' } });
    const may = (kind: AccessActKind, means: StaffMeans) =>
      inTransaction(database, (transaction) => {
        const actor = { handle: 'ana', means, sessionId };
        return mayAct(transaction, { actor, kind, operationId, subjectId: 'apr_1', deployment: 'production' });
      });
    for (const kind of ['access.approve', 'risk.approve'] as const) {
      for (const means of ['passkey', 'command_line', 'break_glass'] as const)
        assert.equal(await may(kind, means), false, means);
      assert.equal(await may(kind, 'signature'), true, kind);
    }
    for (const kind of ['access.reject', 'risk.reject'] as const) assert.equal(await may(kind, 'passkey'), true, kind);
  });

  it('the act of the operation’s own reviewer counts', async () => {
    const id = await act();
    await fixture.database.staffRole.deleteMany();
    const { operationId } = fixture;
    await fixture.database.staffRole.create({
      data: { staffHandle: 'ana', role: 'reviewer', operationId, grantedBy: 'eva' },
    });
    assert.equal(await tryWith(id), 'stored');
  });

  it('of two statements with one act one stores', async () => {
    const id = await act();
    const kinds = await Promise.all([tryWith(id), tryWith(id), tryWith(id), tryWith(id)]);
    assert.deepEqual(kinds.sort(), ['changed', 'changed', 'changed', 'stored']);
  });

  it('one person under names that look alike is one person', async () => {
    await ensureClaimedPerson(fixture.database, 'Ana');
    // Cyrillic А and а, Greek Α and α, full width, and other spellings.
    for (const name of ['Аnа', 'Αnα', 'Ａｎａ', 'A.n-a', 'ÁNA'])
      assert.equal(await ensureClaimedPerson(fixture.database, name), 'Ana', name);
    assert.equal(await fixture.database.staff.count(), 1);
    await assert.rejects(
      fixture.database.staff.create({ data: { handle: 'Аnа', handleFolded: 'ana' } }),
      /Unique constraint/,
    );
  });

  it('the same person does not approve twice, whatever the step believes', async () => {
    held = await inserted(fixture, 'under_review');
    const { snapshot } = held.record;
    const dual = { ...held.record, snapshot: { ...snapshot, decision: { ...snapshot.decision, reasons: DUAL } } };
    const step = async (person: string, record: WithdrawalRecord = dual) => {
      const id = await act('withdrawal.approve', person, snapshot);
      return approve(record, { actId: id, stored: await readAct(fixture.database, id), at: AT });
    };
    const first = await step('ana');
    assert.ok(typeof first === 'object' && first.trigger === null);
    const stored = await store(fixture, held, first);
    assert.ok(stored !== null);
    held = stored;
    assert.equal(await step('Аnа', held.record), 'same_person');
    const again = await act('withdrawal.approve', 'Аnа', snapshot);
    assert.equal(await tryWith(again, { others: ['ana'] }), 'changed');
    const second = await step('ben', held.record);
    assert.ok(typeof second === 'object' && second.trigger === 'approve');
    assert.notEqual(await store(fixture, held, second), null);
    const people = (await read(fixture, held)).record.snapshot.decision.decidedBy.map(({ person }) => person);
    assert.deepEqual(people, ['ana', 'ben']);
  });

  it('a refusal needs its own act; the trail says where it came from', async () => {
    const address = '203.0.113.9';
    const id = await withOrigin(address, () => act('withdrawal.refuse'));
    const step = refuse(held.record, { actId: id, stored: await readAct(fixture.database, id), at: AT });
    assert.ok(typeof step === 'object');
    assert.notEqual(await store(fixture, held, step), null);
    const { subject, action, detail } = await fixture.database.auditEntry.findFirstOrThrow();
    assert.deepEqual([subject, action], [held.record.snapshot.id, 'withdrawal.refuse']);
    assert.deepEqual(JSON.parse(detail), { act_id: id, address, means: 'claim', reason: 'checked', version: 2 });
  });

  /** What a step that believed the act of a cancel would store. */
  const believingCancel = (id: string, kind: 'deposit.cancel' | 'withdrawal.cancel') => {
    const act = { person: 'ana', decision: 'cancel', reason: 'checked', at: AT, number: 'cancel' } as const;
    return { trigger: 'cancel', act, uses: { id, kind, means: 'claim', address: null, others: [] } } as const;
  };
  const cancelEntries = (subject: string) =>
    fixture.database.auditEntry.findMany({ where: { subject, action: { endsWith: '.cancel' } } });

  it('a withdrawal’s cancel is stored at the version that the person saw, with its audit entry', async () => {
    const { snapshot } = held.record;
    const cancel = async (version: number) => {
      const id = await act('withdrawal.cancel', 'ana', { ...snapshot, version });
      const { act: cancelled, ...change } = believingCancel(id, 'withdrawal.cancel');
      return [id, (await store(fixture, held, { ...change, cancelled })) === null ? 'changed' : 'stored'] as const;
    };
    assert.equal((await cancel(2))[1], 'changed');
    await nothingStored();
    const [act_id, kind] = await cancel(1);
    assert.equal(kind, 'stored');
    const entries = await cancelEntries(snapshot.id);
    assert.deepEqual(
      entries.map(({ action, person, detail }) => [action, person, JSON.parse(detail) as object]),
      [['withdrawal.cancel', 'ana', { act_id, means: 'claim', reason: 'checked', version: 2 }]],
    );
    assert.deepEqual((await read(fixture, held)).record.snapshot.decision.decidedBy, []);
  });

  it('a deposit’s cancel is stored at the version that the person saw, with its audit entry', async () => {
    const { database, sealer } = fixture;
    const kept = await pendingDeposit(database, sealer, depositOrder(fixture));
    const { id: subjectId, version } = kept.record.snapshot;
    const cancel = async (seen: number) => {
      const id = await storedAct(fixture, 'deposit.cancel', { id: subjectId, version: seen });
      const { act, ...change } = believingCancel(id, 'deposit.cancel');
      const written = await storeDepositChange(
        { database, sealer },
        { row: kept, change: { ...change, act }, at: AT, decision: null },
      );
      return [id, written?.record.snapshot.status] as const;
    };
    assert.equal((await cancel(version - 1))[1], undefined);
    assert.deepEqual(await cancelEntries(subjectId), []);
    const [act_id, status] = await cancel(version);
    assert.equal(status, 'cancelled');
    assert.deepEqual(
      (await cancelEntries(subjectId)).map(({ action, detail }) => [action, JSON.parse(detail) as object]),
      [['deposit.cancel', { act_id, means: 'claim', reason: 'checked', version: version + 1 }]],
    );
  });

  it('never change, are used up once, and stay; a handle never changes', async () => {
    const id = await act();
    const { database } = fixture;
    const changes: Partial<Record<keyof StaffAct | string, string>> = {
      subject_id: `'wdr_other'`,
      staff_handle: `'ben'`,
      expires_at: `now() + interval '5 minutes'`,
      subject_version: '9',
    };
    await ensureClaimedPerson(database, 'ben');
    for (const [column, value] of Object.entries(changes))
      await assert.rejects(
        database.$executeRawUnsafe(`UPDATE staff_act SET ${column} = ${value} WHERE id = '${id}'`),
        /never changes/,
        column,
      );
    await closeAct(database, id);
    await assert.rejects(
      database.$executeRawUnsafe(`UPDATE staff_act SET consumed_at = NULL, outcome = NULL WHERE id = '${id}'`),
      /never changes/,
    );
    await assert.rejects(database.$executeRawUnsafe(`DELETE FROM staff_act`), /never changes/);
    await assert.rejects(database.$executeRawUnsafe(`UPDATE staff SET handle = 'eva'`), /a handle never changes/);
    await assert.rejects(database.$executeRawUnsafe(`DELETE FROM staff WHERE handle = 'ben'`), /handle never changes/);
    assert.equal(await handleOf(database, 'B.E.N'), 'ben');
  });

  it('bad rows are refused: a long life, evidence without a write-off, a session that is not one', async () => {
    const { database, operationId } = fixture;
    await ensureClaimedPerson(database, 'ana');
    const insert = (kind: string, evidence: string, means: string, lasts: string) =>
      database.$executeRawUnsafe(
        `INSERT INTO staff_act (id, kind, operation_id, subject_id, subject_version, reason, evidence, staff_handle,
           means, created_at, expires_at)
         VALUES ('act_1', '${kind}', '${operationId}', 'wdr_1', 1, '', '${evidence}', 'ana', '${means}', now(),
           now() + interval '${lasts}')`,
      );
    await assert.rejects(insert('withdrawal.approve', '', 'claim', '1 hour'), /staff_act_lasts_check/);
    await assert.rejects(insert('withdrawal.approve', 'ticket', 'claim', '1 minute'), /staff_act_evidence_check/);
    await assert.rejects(insert('withdrawal.write_off', ' ', 'claim', '1 minute'), /staff_act_evidence_check/);
    await assert.rejects(insert('withdrawal.approve', '', 'command_line', '1 minute'), /staff_act_session_check/);
    await assert.rejects(insert('withdrawal.send', '', 'claim', '1 minute'), /staff_act_kind_check/);
  });
});
