// Acts that go to Temporal without a stored act: whatever becomes of the call, the audit trail has the person first.
import assert from 'node:assert/strict';
import type { Actor } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import type { HeldWithdrawal } from '../../../store/withdrawals/held.js';
import { redeliver, redeliverRange } from '../../../staff/acts/deliveries.js';
import { cancel, lookUp, type SafeActServices } from '../../../staff/acts/safe-acts.js';
import { openStore, type StoreFixture } from '../store/fixtures.js';
import { fund, inserted } from '../store/withdrawal-fixtures.js';

const NO_ANSWER = new Error('the connection was lost');

describe('panel: acts whose answer may be lost', () => {
  let fixture: StoreFixture;
  let held: HeldWithdrawal;
  let ana: Actor;
  beforeEach(async () => {
    fixture = await openStore();
    await fund(fixture, 10_000);
    held = await inserted(fixture, 'under_review');
    ana = { handle: await ensureClaimedPerson(fixture.database, 'ana'), means: 'claim', sessionId: null };
  });
  afterEach(() => fixture.close());

  const entries = async () => {
    const rows = await fixture.database.auditEntry.findMany({ orderBy: { sequence: 'asc' } });
    return rows.map(({ person, action, subject, detail }) => [person, action, subject, JSON.parse(detail) as object]);
  };
  /** What the trail has when the call is made. */
  let atTheCall: unknown[] = [];
  const answering = (answer: () => Promise<unknown>) => async () => {
    atTheCall = await entries();
    return answer();
  };
  const services = (answer: () => Promise<unknown>) =>
    ({
      database: fixture.database,
      deposits: {},
      withdrawals: { cancel: answering(answer), refresh: answering(answer) },
    }) as unknown as SafeActServices;
  const payment = () => ({ kind: 'withdrawal', id: held.record.snapshot.id }) as const;
  const ordered = () => ({ ...payment(), reason: 'asked by the operator', seenVersion: 1 });
  const asked = () => [
    ['ana', 'payment.cancel', payment().id, { means: 'claim', reason: 'asked by the operator', version: 1 }],
  ];

  it('a cancel is on record before it can happen, and stays when nobody answers', async () => {
    const lost = services(() => Promise.resolve({ kind: 'unavailable' }));
    assert.deepEqual(await cancel(lost, ana, ordered()), { kind: 'outcome_unknown' });
    assert.deepEqual(atTheCall, asked());
    assert.deepEqual(await entries(), asked());
    await assert.rejects(
      cancel(
        services(() => Promise.reject(NO_ANSWER)),
        ana,
        ordered(),
      ),
      NO_ANSWER,
    );
    assert.deepEqual(await entries(), [...asked(), ...asked()]);
  });

  it('one that was refused says so; one of another version was never asked for', async () => {
    const closed = services(() => Promise.resolve({ kind: 'closed' }));
    assert.deepEqual(await cancel(closed, ana, { ...ordered(), seenVersion: 2 }), { kind: 'stale' });
    assert.deepEqual(await entries(), []);
    assert.deepEqual(await cancel(closed, ana, ordered()), { kind: 'other_state' });
    const refused = ['ana', 'payment.cancel_refused', payment().id, { means: 'claim', why: 'other_state' }];
    assert.deepEqual(await entries(), [...asked(), refused]);
  });

  it('a look-up is on record before the provider is asked', async () => {
    const lost = services(() => Promise.resolve({ kind: 'unavailable' }));
    assert.deepEqual(await lookUp(lost, ana, payment()), { kind: 'outcome_unknown' });
    assert.deepEqual(atTheCall, [['ana', 'payment.look_up', payment().id, { means: 'claim' }]]);
  });

  it('a redelivery, of one event or of a span, is on record before Temporal is told', async () => {
    const { database, operationId } = fixture;
    const event = await database.event.findFirstOrThrow();
    const temporal = { database, withTemporal: answering(() => Promise.reject(NO_ANSWER)) as never };
    await assert.rejects(redeliver(temporal, ana, event.id), NO_ANSWER);
    const one = ['ana', 'event.redeliver', event.id, { means: 'claim', type: event.type }];
    assert.deepEqual(atTheCall, [one]);
    const span = { from: '2020-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z', selection: 'all' } as const;
    await assert.rejects(redeliverRange(temporal, ana, { operationId, ...span }), NO_ANSWER);
    const range = ['ana', 'event.redeliver_range', operationId, { ...span, events: 1, means: 'claim' }];
    assert.deepEqual(atTheCall, [one, range]);
  });

  it('in production a claimed name does none of these', async () => {
    const { database, operationId } = fixture;
    await database.operation.updateMany({ data: { environment: 'production' } });
    const never = services(() => assert.fail('asked'));
    assert.deepEqual(await cancel(never, ana, ordered()), { kind: 'not_permitted' });
    assert.deepEqual(await lookUp(never, ana, payment()), { kind: 'not_permitted' });
    const { id } = await database.event.findFirstOrThrow();
    const temporal = { database, withTemporal: (() => assert.fail('asked')) as never };
    assert.deepEqual(await redeliver(temporal, ana, id), { kind: 'not_permitted' });
    const span = { from: '2020-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z', selection: 'all' } as const;
    assert.deepEqual(await redeliverRange(temporal, ana, { operationId, ...span }), { kind: 'not_permitted' });
    assert.deepEqual(await entries(), []);
  });
});
