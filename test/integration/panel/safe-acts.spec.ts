// Acts that go to Temporal without a stored act: whatever becomes of the call, the audit trail has the person first.
import assert from 'node:assert/strict';
import type { Actor } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { ALL_TASK_QUEUES } from '../../../contract/temporal/workers.js';
import type { BuildStatus, Deployment } from '../../../platform/temporal/worker-builds.js';
import { redeliver, redeliverRange } from '../../../staff/acts/deliveries.js';
import { lookUp, type LookUpServices } from '../../../staff/acts/look-ups.js';
import { promote } from '../../../staff/acts/worker-builds.js';
import { openStore, type StoreFixture } from '../store/fixtures.js';
import { fund, inserted } from '../store/withdrawal-fixtures.js';

const NO_ANSWER = new Error('the connection was lost');

describe('panel: acts whose answer may be lost', () => {
  let fixture: StoreFixture;
  let held: WithdrawalRow;
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
      withdrawals: { refresh: answering(answer) },
    }) as unknown as LookUpServices;
  const payment = () => ({ kind: 'withdrawal', id: held.record.snapshot.id }) as const;

  it('a look-up is on record before the provider is asked, and stays when nobody answers', async () => {
    const asked = ['ana', 'payment.look_up', payment().id, { means: 'claim' }];
    const lost = services(() => Promise.resolve({ kind: 'unavailable' }));
    assert.deepEqual(await lookUp(lost, ana, payment()), { kind: 'outcome_unknown' });
    assert.deepEqual(atTheCall, [asked]);
    const failing = services(() => Promise.reject(NO_ANSWER));
    await assert.rejects(lookUp(failing, ana, payment()), NO_ANSWER);
    assert.deepEqual(await entries(), [asked, asked]);
  });

  it('says that an act was refused', async () => {
    const closed = services(() => Promise.resolve({ kind: 'closed' }));
    assert.deepEqual(await lookUp(closed, ana, payment()), { kind: 'other_state' });
    const refused = ['ana', 'payment.look_up_refused', payment().id, { means: 'claim', why: 'other_state' }];
    assert.deepEqual((await entries()).at(-1), refused);
  });

  it('a redelivery, of one event or of a span, is stored with its entry, or neither is', async () => {
    const { database, operationId } = fixture;
    const event = await database.event.findFirstOrThrow();
    const span = { from: '2020-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z', selection: 'all' } as const;
    const requested = () => database.eventOutbox.count({ where: { NOT: { request: '' } } });
    await database.$executeRaw`ALTER FUNCTION append_audit RENAME TO no_audit`;
    await assert.rejects(redeliver(database, ana, event.id));
    await assert.rejects(redeliverRange(database, ana, { operationId, ...span }));
    assert.deepEqual([await requested(), await entries()], [0, []]);
    await database.$executeRaw`ALTER FUNCTION no_audit RENAME TO append_audit`;
    assert.equal((await redeliver(database, ana, event.id)).kind, 'scheduled');
    assert.equal((await redeliverRange(database, ana, { operationId, ...span })).kind, 'scheduled');
    assert.equal((await redeliverRange(database, ana, { operationId, ...span })).kind, 'under_way');
    assert.equal(await requested(), 2);
    assert.deepEqual(await entries(), [
      ['ana', 'event.redeliver', event.id, { means: 'claim', type: event.type }],
      ['ana', 'event.redeliver_range', operationId, { ...span, events: 1, means: 'claim' }],
    ]);
  });

  it('a build’s promotion is on record once, however often Temporal is asked, with why it refused', async () => {
    const { database } = fixture;
    const workers = Object.fromEntries(ALL_TASK_QUEUES.map((queue) => [queue, 1])) as BuildStatus['workers'];
    const build = { buildId: 'v2', state: 'inactive', rampPercent: null, openWorkflows: 0, workers } as const;
    const promoting = (answers: (string | null)[], waitSeconds: number) => {
      const makeCurrent = answering(async () => answers.shift() ?? null);
      const deployment = { name: 'gateway', builds: async () => [build], makeCurrent } as unknown as Deployment;
      const services = { database, withDeployment: <R>(work: (asked: Deployment) => Promise<R>) => work(deployment) };
      return promote(services, ana, { buildId: 'v2', ramp: null, waitSeconds });
    };
    const entry = ['ana', 'deploy.promote', 'v2', { before: null, means: 'claim', ramp_percent: null }];
    assert.deepEqual(await promoting(['not registered yet', null], 5), { kind: 'promoted', before: null });
    assert.deepEqual(atTheCall, [entry]);
    assert.deepEqual(await entries(), [entry]);
    assert.deepEqual(await promoting(['no such version'], 0), { kind: 'refused', why: 'no such version' });
    const refused = ['ana', 'deploy.promote_refused', 'v2', { means: 'claim', why: 'no such version' }];
    assert.deepEqual(await entries(), [entry, entry, refused]);
  });

  it('→ not permitted: a claimed name in production', async () => {
    const { database, operationId } = fixture;
    await database.operation.updateMany({ data: { environment: 'production' } });
    const never = services(() => assert.fail('asked'));
    assert.deepEqual(await lookUp(never, ana, payment()), { kind: 'not_permitted' });
    const { id } = await database.event.findFirstOrThrow();
    assert.deepEqual(await redeliver(database, ana, id), { kind: 'not_permitted' });
    const span = { from: '2020-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z', selection: 'all' } as const;
    assert.deepEqual(await redeliverRange(database, ana, { operationId, ...span }), { kind: 'not_permitted' });
    assert.deepEqual(await entries(), []);
  });
});
