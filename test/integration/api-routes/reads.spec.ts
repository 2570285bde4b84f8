// Reads of payments and events: single objects from workflow or row, lists by keyset.
import assert from 'node:assert/strict';
import { signWebhookText, webhookSignedText } from '../../../client/webhooks.js';
import { inbox } from '../../../contract/http/schemas/tools.js';
import { insertWebhookSecret } from '../../../store/operations/webhook-secrets.js';
import { DEFAULT_DEADLINES } from '../../../platform/temporal/calls.js';
import type { CallerOperation } from '../../../contract/http/route.js';
import type { RouteName } from '../../../contract/http/routes.js';
import { deposit as depositSchema } from '../../../contract/http/schemas/deposits.js';
import { newId } from '../../../domain/identifiers.js';
import { type Answer, Harness } from './support/harness.js';
import { placeOf } from '../../../store/sealing/places.js';

describe('reads of payments and events (routes over Postgres)', () => {
  let harness: Harness;
  let operation: CallerOperation;

  before(async () => {
    harness = await Harness.create();
  });
  after(() => harness.close());
  beforeEach(async () => {
    harness.temporal.reset();
    harness.clock.now = new Date('2026-11-21T12:00:00.000Z');
    operation = await harness.operation();
  });

  const get = (name: RouteName, query: Record<string, string> = {}, params: Record<string, string> = {}) =>
    harness.call(name, { operation, query, params });
  const ids = ({ body }: Answer) => (body.data ?? []).map(({ id }) => id);

  describe('GET /deposits/{id}', () => {
    const PAYER = {
      document: { type: 'CPF', number: '52998224725', country: 'BR' },
      name: 'Maria',
      matchesPlayer: true,
    };

    it('open: the workflow answers when it is further on', async () => {
      const stored = await harness.insertDeposit(operation, { status: 'created', version: 1 });
      harness.temporal.script('deposit', () => ({ ...stored, status: 'pending', version: 2 }));
      const { body } = await get('getDeposit', {}, { id: stored.id });
      assert.deepEqual([body['status'], body['version']], ['pending', 2]);
    });

    it('open: never a version below the row’s', async () => {
      const stored = await harness.insertDeposit(operation, { status: 'pending', version: 2 });
      harness.temporal.script('deposit', () => ({ ...stored, status: 'created', version: 1 }));
      assert.equal((await get('getDeposit', {}, { id: stored.id })).body['version'], 2);
    });

    it('open: a payment that Postgres does not have yet is not shown without its payer', async () => {
      const stored = await harness.insertDeposit(operation, { status: 'pending', version: 2 });
      harness.temporal.script('deposit', () => ({ ...stored, status: 'paid', version: 3, hasPayer: true }));
      assert.equal((await get('getDeposit', {}, { id: stored.id })).body['status'], 'pending');
    });

    for (const [title, status, payer] of [
      ['ended', 'expired', null],
      ['with a payer', 'under_review', PAYER],
    ] as const) {
      it(`${title}: the row answers, nobody is asked`, async () => {
        const stored = await harness.insertDeposit(operation, { status }, payer);
        const { body } = await get('getDeposit', {}, { id: stored.id });
        assert.deepEqual(
          body['payer'],
          payer === null ? null : { document: payer.document, name: 'Maria', matches_player: true },
        );
        assert.deepEqual(harness.temporal.messages, []);
      });
    }

    it('no answer in time: the row, and for a moment nobody is asked again', async () => {
      const own = await Harness.create();
      try {
        const tenant = await own.operation();
        const stored = await own.insertDeposit(tenant, {});
        for (let round = 0; round < 3; round += 1) {
          const answer = await own.call('getDeposit', { operation: tenant, params: { id: stored.id } });
          assert.equal(answer.body['status'], 'pending');
        }
        assert.equal(own.temporal.messages.length, 1);
      } finally {
        await own.close();
      }
    });

    it('no worker, no Temporal: the row', async () => {
      harness.temporal.isDown = true;
      const stored = await harness.insertDeposit(operation, {});
      const answer = await get('getDeposit', {}, { id: stored.id });
      depositSchema.parse(answer.body);
    });

    it('another operation’s deposit, or none: 404', async () => {
      const foreign = await harness.insertDeposit(await harness.operation(), {});
      assert.equal((await get('getDeposit', {}, { id: foreign.id })).code, 'not_found');
      assert.equal((await get('getDeposit', {}, { id: newId('deposit') })).code, 'not_found');
      assert.deepEqual(harness.temporal.messages, []);
    });
  });

  describe('GET /withdrawals/{id}', () => {
    it('open: whichever of workflow and row is further on; 404 across operations', async () => {
      const decision = {
        ...(await harness.insertWithdrawal(operation, {})).decision,
        mode: 'automatic',
        reasons: [],
      } as const;
      const stored = await harness.insertWithdrawal(operation, { status: 'approved', version: 2, decision });
      harness.temporal.script('withdrawal', () => ({ ...stored, status: 'processing', version: 3 }));
      assert.equal((await get('getWithdrawal', {}, { id: stored.id })).body['version'], 3);
      harness.temporal.script('withdrawal', () => ({ ...stored, version: 1 }));
      assert.equal((await get('getWithdrawal', {}, { id: stored.id })).body['version'], 2);
      const foreign = await harness.insertWithdrawal(await harness.operation(), {});
      assert.equal((await get('getWithdrawal', {}, { id: foreign.id })).code, 'not_found');
    });
  });

  describe('lists', () => {
    for (const kind of ['deposit', 'withdrawal'] as const) {
      const list = kind === 'deposit' ? 'listDeposits' : 'listWithdrawals';
      const insert = (changes: { status?: 'paid'; playerRef?: string; updatedAt?: string }, tenant = operation) =>
        kind === 'deposit' ? harness.insertDeposit(tenant, changes) : harness.insertWithdrawal(tenant, changes);

      it(`${kind}s: newest first, paged to the end, stable while others are made`, async () => {
        const made: string[] = [];
        for (let index = 0; index < 5; index += 1) made.unshift((await insert({})).id);
        await insert({}, await harness.operation());
        const first = await get(list, { limit: '2' });
        await insert({});
        const second = await get(list, { limit: '2', cursor: String(first.body['next_cursor']) });
        const third = await get(list, { limit: '2', cursor: String(second.body['next_cursor']) });
        assert.deepEqual([...ids(first), ...ids(second), ...ids(third)], made);
        assert.equal(third.body['next_cursor'], null);
      });

      it(`${kind}s: a page that ends exactly at the end has no next_cursor`, async () => {
        await insert({});
        await insert({});
        assert.equal((await get(list, { limit: '2' })).body['next_cursor'], null);
      });

      it(`${kind}s: filters`, async () => {
        const paid = await insert({ status: 'paid', playerRef: 'p-2', updatedAt: '2026-11-21T13:00:00.000Z' });
        const open = await insert({});
        assert.deepEqual(ids(await get(list, { status: 'paid' })), [paid.id]);
        assert.deepEqual(ids(await get(list, { player_ref: 'p-2' })), [paid.id]);
        assert.deepEqual(ids(await get(list, { external_id: open.externalId })), [open.id]);
        assert.deepEqual(ids(await get(list, { updated_since: '2026-11-21T13:00:00Z' })), [paid.id]);
        assert.deepEqual(ids(await get(list, { updated_since: '2026-11-21T13:00:00.001Z' })), []);
        assert.deepEqual(ids(await get(list, { external_id: open.externalId, status: 'paid' })), []);
      });

      it(`${kind}s: an unknown, foreign or malformed cursor`, async () => {
        const foreign = await insert({}, await harness.operation());
        const encode = (id: string) => (kind === 'deposit' ? id : Buffer.from(id).toString('base64url'));
        for (const cursor of [
          encode(foreign.id),
          encode(newId(kind)),
          encode('evt_1'),
          'x',
          '',
          '%%%',
          `${encode(foreign.id)}=`,
        ]) {
          assert.deepEqual((await get(list, { cursor })).errors, ['cursor format'], cursor);
        }
      });
    }

    it('deposits: the cursor is the id of the last item; withdrawals: base64url', async () => {
      for (let index = 0; index < 2; index += 1) {
        await harness.insertDeposit(operation, {});
        await harness.insertWithdrawal(operation, {});
      }
      const deposits = await get('listDeposits', { limit: '1' });
      assert.equal(deposits.body['next_cursor'], ids(deposits)[0]);
      const withdrawals = await get('listWithdrawals', { limit: '1' });
      assert.equal(Buffer.from(String(withdrawals.body['next_cursor']), 'base64url').toString(), ids(withdrawals)[0]);
    });
  });

  describe('GET /events', () => {
    const insertEvent = async (sequence: number, objectId = 'dep_1', tenant = operation) => {
      const id = newId('event');
      const envelope = { id, type: 'deposit.pending', object_id: objectId, data: { object: { n: sequence } } };
      const bodySealed = harness.sealer.sealBytes(
        placeOf('event.body_sealed', tenant.id, { id }),
        Buffer.from(JSON.stringify(envelope)),
      );
      await harness.database.event.create({
        data: {
          id,
          operationId: tenant.id,
          sequence,
          type: 'deposit.pending',
          objectId,
          objectVersion: sequence,
          bodySealed,
          createdAt: new Date(),
        },
      });
      return id;
    };

    it('the inbox: signed events after one, or from now on, without those of others', async () => {
      const receive = async (query: Record<string, string>) => {
        const { status, body, errors, code } = await harness.call('sandboxReceiveWebhooks', { operation, query });
        return status === 200 ? inbox.parse(body) : { errors, code };
      };
      assert.deepEqual(await receive({}), { data: [], next_after: null });
      const secret = await harness.database.$transaction((transaction) =>
        insertWebhookSecret(transaction, harness.sealer, operation.id),
      );
      const object = newId('deposit');
      const first = await insertEvent(1, object);
      assert.deepEqual(await receive({}), { data: [], next_after: first });

      // It waits, and answers with the event as soon as there is one.
      const startedMs = performance.now();
      const waiting = receive({ after: first, wait_seconds: '10' });
      const second = await insertEvent(2, object);
      const received = await waiting;
      assert.ok('data' in received && performance.now() - startedMs < 9_000);
      const [{ headers, body, type, event_id }] = received.data as [(typeof received.data)[number]];
      assert.deepEqual([event_id, type, received.next_after], [second, 'deposit.pending', second]);
      const signed = webhookSignedText(headers['Svc-Timestamp']!, second, Buffer.from(body));
      assert.equal(headers['Svc-Signature'], `v1=${signWebhookText(secret, signed)}`);
      const one = await receive({ event_id: first });
      assert.deepEqual('data' in one && one.data.map((event) => event.event_id), [first]);

      const foreign = await insertEvent(1, newId('deposit'), await harness.operation());
      assert.deepEqual(await receive({ event_id: foreign }), { errors: [], code: 'not_found' });
      assert.deepEqual(await receive({ after: foreign }), { errors: ['after unknown'], code: 'validation_failed' });
      assert.deepEqual(await receive({ wait_seconds: '11' }), {
        errors: ['wait_seconds range'],
        code: 'validation_failed',
      });
    });

    it('in creation order, after an event, page by page', async () => {
      const first = newId('deposit');
      const second = newId('deposit');
      const events = [
        await insertEvent(1, first),
        await insertEvent(2, second),
        await insertEvent(3, first),
        await insertEvent(4, first),
      ];
      assert.deepEqual(ids(await get('listEvents')), events);
      assert.deepEqual(ids(await get('listEvents', { after: events[1] as string })), events.slice(2));
      assert.deepEqual(ids(await get('listEvents', { object_id: first })), [events[0], events[2], events[3]]);
      const page = await get('listEvents', { limit: '2' });
      assert.equal(page.body['next_cursor'], events[1]);
      const rest = await get('listEvents', { limit: '2', cursor: events[1] as string });
      assert.deepEqual([ids(rest), rest.body['next_cursor']], [events.slice(2), null]);
      assert.deepEqual(page.body.data?.[0], {
        id: events[0],
        type: 'deposit.pending',
        object_id: first,
        data: { object: { n: 1 } },
      });
    });

    it('an event of another operation, or none, is unknown', async () => {
      const foreign = await insertEvent(1, newId('deposit'), await harness.operation());
      assert.deepEqual((await get('listEvents', { after: foreign })).errors, ['after unknown']);
      assert.deepEqual((await get('listEvents', { after: newId('event') })).errors, ['after unknown']);
      assert.deepEqual((await get('listEvents', { cursor: newId('event') })).errors, ['cursor unknown']);
    });
  });

  it('the default deadlines keep within the interface’s budgets', () => {
    assert.ok(DEFAULT_DEADLINES.creationMs > 7_000 && DEFAULT_DEADLINES.creationMs < 10_000);
    assert.ok(DEFAULT_DEADLINES.queryMs <= 1_000);
  });
});

describe('reads and what somebody else answers in Temporal (routes over Postgres)', () => {
  let harness: Harness;
  let operation: CallerOperation;

  // A harness of its own: after a query without an answer, nobody is asked for a while.
  before(async () => {
    harness = await Harness.create();
  });
  after(() => harness.close());
  beforeEach(async () => {
    harness.temporal.reset();
    operation = await harness.operation();
  });

  const get = (name: RouteName, id: string) => harness.call(name, { operation, params: { id } });

  const forgeries = [
    ['without a proof', (proven: object) => ({ ...proven, proof: null })],
    ['with a proof of its own', (proven: object) => ({ ...proven, proof: `k1.${'A'.repeat(43)}` })],
    ['with another status than proven', (proven: Proven) => changedIn(proven, { status: 'paid' })],
    ['with a higher version than proven', (proven: Proven) => changedIn(proven, { version: 9 })],
    ['of the form of earlier builds', ({ snapshot }: Proven) => snapshot],
    ['that is no object', () => 'paid'],
    ['nested without end', ({ proof }: Proven) => ({ snapshot: nested(20_000), proof })],
  ] as const;

  for (const [title, forged] of forgeries)
    it(`${title}: the row answers`, async () => {
      const deposit = await harness.insertDeposit(operation, {});
      const proven = harness.worker.vouched(
        { workflowId: deposit.id, name: 'deposit', args: [] },
        { ...deposit, status: 'pending', version: 3 },
      ) as Proven;
      harness.temporal.forge('deposit', () => forged(proven));
      const { body } = await get('getDeposit', deposit.id);
      assert.deepEqual([body['status'], body['version']], ['pending', 2]);
      assert.equal(harness.temporal.messages.length, 1, 'the workflow was asked');
    });

  it('an answer about another payment, with a valid proof → the row answers', async () => {
    const [one, other] = [await harness.insertDeposit(operation, {}), await harness.insertDeposit(operation, {})];
    harness.temporal.script('deposit', () => ({ ...other, version: 3, copyPaste: 'pix' }));
    assert.equal((await get('getDeposit', one.id)).body['id'], one.id);
    const [withdrawal, paid] = [
      await harness.insertWithdrawal(operation, {}),
      await harness.insertWithdrawal(operation, { status: 'paid', version: 9 }),
    ];
    harness.temporal.script('withdrawal', () => paid);
    const { body } = await get('getWithdrawal', withdrawal.id);
    assert.deepEqual([body['id'], body['version']], [withdrawal.id, withdrawal.version]);
  });

  it('a withdrawal that people decided: the row says who', async () => {
    const stored = await harness.insertWithdrawal(operation, { status: 'under_review', version: 1 });
    harness.temporal.script('withdrawal', async () => {
      const decidedBy = [{ person: 'ana', decision: 'approve', reason: '', at: '2026-11-21T12:00:00.000Z' }] as never;
      await harness.database.withdrawal.update({
        where: { id: stored.id },
        data: { status: 'approved', version: 2, decidedBy },
      });
      return { ...stored, status: 'approved', version: 2 };
    });
    const { body } = await get('getWithdrawal', stored.id);
    assert.deepEqual([body['version'], (body['decision'] as { decided_by: string[] }).decided_by], [2, ['ana']]);
  });
});

/** What a worker answers to a query. */
interface Proven {
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly proof: string;
}

function changedIn({ snapshot, proof }: Proven, change: object): Proven {
  return { snapshot: { ...snapshot, ...change }, proof };
}

function nested(levels: number): object {
  let inner: object = {};
  for (let level = 0; level < levels; level += 1) inner = { inner };
  return inner;
}
