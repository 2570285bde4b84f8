// Reads: single objects from workflow or row, lists by keyset, events, balances, limits, rules, reconciliation.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { DEFAULT_DEADLINES } from '../../../platform/temporal/deadlines.js';
import { reconciliationDigest, verifyReconciliationSignature } from '../../../client/index.js';
import type { CallerOperation } from '../../../contract/http/route.js';
import { ROUTES, type RouteName } from '../../../contract/http/routes.js';
import { deposit as depositSchema } from '../../../contract/http/schemas/deposits.js';
import { balanceList, currencyList, ping, playerLimits } from '../../../contract/http/schemas/operation.js';
import { reconciliation } from '../../../contract/http/schemas/reconciliation.js';
import { newId } from '../../../domain/identifiers.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import { createDatabase } from '../../../store/database.js';
import { addToList } from '../../../store/rules/lists.js';
import { insertRuleSet } from '../../../store/rules/rule-sets.js';
import { type Answer, Harness } from './support/harness.js';

describe('reads (routes over Postgres)', () => {
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
      const stored = await harness.insertWithdrawal(operation, { status: 'approved', version: 2 });
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
      const bodySealed = harness.sealer.sealBytes(Buffer.from(JSON.stringify(envelope)));
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

  describe('the operation', () => {
    it('GET /ping', async () => {
      const { body } = await get('ping');
      assert.deepEqual(ping.parse(body), {
        ok: true,
        operation_id: operation.id,
        environment: 'sandbox',
        server_time: '2026-11-21T12:00:00.000Z',
      });
    });

    it('GET /currencies: requirements and notes of the operation’s provider', async () => {
      const details = async (provider: 'simulator' | 'a' | 'b') => {
        operation = await harness.operation({ provider });
        return currencyList.parse((await get('listCurrencies')).body).data[0];
      };
      assert.deepEqual(await details('simulator'), {
        code: 'BRL',
        kind: 'fiat',
        exponent: 2,
        methods: ['pix'],
        method_details: [{ method: 'pix', deposit_requirements: [], psp_notes: [] }],
      });
      assert.deepEqual((await details('a'))?.method_details, [
        { method: 'pix', deposit_requirements: ['player.name', 'player.email'], psp_notes: [] },
      ]);
      assert.deepEqual((await details('b'))?.method_details, [
        { method: 'pix', deposit_requirements: ['player.name'], psp_notes: ['payer_identity_unavailable'] },
      ]);
    });

    it('GET /balances: zero without movements; never negative', async () => {
      const zero = { amount: '0', currency: 'BRL' };
      assert.deepEqual(balanceList.parse((await get('listBalances')).body).data, [
        { available: zero, pending_in: zero, pending_out: zero, as_of: '2026-11-21T12:00:00.000Z' },
      ]);
      await harness.database.ledgerAccount.createMany({
        data: [
          { operationId: operation.id, currency: 'BRL', account: 'available', balanceMinor: -5 },
          { operationId: operation.id, currency: 'BRL', account: 'pending_in', balanceMinor: 70 },
          { operationId: operation.id, currency: 'BRL', account: 'pending_out', balanceMinor: '9'.repeat(38) },
          { operationId: operation.id, currency: 'BRL', account: 'provider_clearing', balanceMinor: -65 },
        ],
      });
      const [balance] = balanceList.parse((await get('listBalances')).body).data;
      assert.deepEqual(
        [balance?.available.amount, balance?.pending_in.amount, balance?.pending_out.amount],
        ['0', '70', '9'.repeat(38)],
      );
    });

    it('Postgres is down: 503 on what needs it, also within its time-out', async () => {
      const unreachable = createDatabase({
        url: 'postgres://postgres@127.0.0.1:1/none',
        poolSize: 1,
        connectTimeoutMs: 500,
        statementTimeoutMs: 500,
      });
      const broken = await Harness.create({ database: unreachable });
      try {
        for (const { name, method } of ROUTES) {
          if (
            method !== 'GET' ||
            ['ping', 'getOpenApi', 'listCurrencies', 'getFxQuote', 'listReceipts', 'getReceipt'].includes(name)
          )
            continue;
          const query: Record<string, string> =
            name === 'getReconciliation'
              ? { date: '2026-11-01', currency: 'BRL' }
              : name === 'getPlayerLimits'
                ? { currency: 'BRL' }
                : {};
          const answer = await broken.call(name, { operation, query, params: { id: 'dep_1', external_ref: 'p' } });
          assert.equal(answer.code, 'service_unavailable', name);
        }
      } finally {
        await unreachable.$disconnect();
        await broken.close();
      }
    });
  });

  describe('GET /players/{external_ref}/limits', () => {
    const limits = (ref: string, currency = 'BRL') => get('getPlayerLimits', { currency }, { external_ref: ref });
    const insertPlayer = (externalRef: string) =>
      harness.database.player.create({
        data: {
          operationId: operation.id,
          externalRef,
          documentHash: harness.sealer.lookupHash('document', '52998224725'),
          documentSealed: harness.sealer.sealBytes(Buffer.from('{}')),
        },
      });

    it('settled deposits times the multiplier, less what is not given back', async () => {
      await insertPlayer('p-1');
      await insertRuleSet(harness.database, {
        operationId: operation.id,
        rules: {
          ...defaultRuleSet(1),
          currencies: { BRL: { ...defaultRuleSet(1).currencies['BRL'], auto_multiplier: '1.5' } },
        } as never,
        createdBy: 'test',
      });
      const mine = { playerRef: 'p-1' };
      await harness.insertDeposit(operation, { ...mine, status: 'paid', amountMinor: '1001' });
      await harness.insertDeposit(operation, { ...mine, status: 'refunded', amountMinor: '9000' });
      await harness.insertDeposit(operation, { ...mine, status: 'pending', amountMinor: '9000' });
      await harness.insertDeposit(operation, { playerRef: 'p-2', status: 'paid', amountMinor: '9000' });
      await harness.insertWithdrawal(operation, { ...mine, status: 'paid', amountMinor: '300' });
      await harness.insertWithdrawal(operation, { ...mine, status: 'under_review', amountMinor: '200' });
      for (const status of ['rejected', 'failed', 'cancelled', 'returned'] as const)
        await harness.insertWithdrawal(operation, { ...mine, status, amountMinor: '9000' });
      const { body } = await limits('p-1');
      assert.deepEqual(playerLimits.parse(body), {
        player_ref: 'p-1',
        currency: 'BRL',
        total_deposited: { amount: '1001', currency: 'BRL' },
        total_withdrawn: { amount: '300', currency: 'BRL' },
        auto_multiplier: '1.5',
        // floor(1001 × 1.5) − 500
        auto_withdrawal_remaining: { amount: '1001', currency: 'BRL' },
        blocked: false,
      });
    });

    it('never below zero; blocked by a list', async () => {
      await insertPlayer('p-3');
      await harness.insertWithdrawal(operation, { playerRef: 'p-3', status: 'paid', amountMinor: '300' });
      await addToList(harness.database, harness.sealer, {
        operationId: operation.id,
        list: 'block',
        kind: 'player',
        value: 'p-3',
        person: 'test',
      });
      const { body } = await limits('p-3');
      assert.deepEqual([body['auto_withdrawal_remaining'], body['blocked']], [{ amount: '0', currency: 'BRL' }, true]);
    });

    it('404 for an unknown player, 400 for a currency, 400 for a reference that cannot be one', async () => {
      assert.equal((await limits('nobody')).code, 'not_found');
      assert.equal((await limits('nobody', 'USD')).code, 'currency_not_enabled');
      assert.deepEqual((await limits('nobody', 'usd')).errors, ['currency format']);
      assert.deepEqual((await limits('x'.repeat(65))).errors, ['external_ref format']);
    });
  });

  describe('rules', () => {
    const RULES = { version: 1, currencies: { BRL: { auto_multiplier: '2' } } };
    const propose = (headers: Record<string, string>, objectId = newId('ruleChange')) =>
      harness.call('proposeRuleChange', {
        operation,
        headers,
        objectId,
        body: { rules: RULES, justification: 'more' },
      });

    it('GET /rules: the set in force, and an ETag that changes with it', async () => {
      const first = await get('getRules');
      assert.equal(first.body['version'], 1);
      await insertRuleSet(harness.database, { operationId: operation.id, rules: defaultRuleSet(1), createdBy: 'test' });
      await insertRuleSet(harness.database, { operationId: operation.id, rules: defaultRuleSet(1), createdBy: 'test' });
      const second = await get('getRules');
      assert.equal(second.body['version'], 2);
      assert.match(String(second.headers['ETag']), /^"[^"]+"$/);
      assert.notEqual(second.headers['ETag'], first.headers['ETag']);
    });

    it('POST /rules/change-requests: stored as pending, once', async () => {
      const etag = String((await get('getRules')).headers['ETag']);
      const id = newId('ruleChange');
      for (let round = 0; round < 2; round += 1) {
        const answer = await propose({ 'if-match': etag }, id);
        assert.deepEqual([answer.status, answer.body], [202, { id, status: 'pending_approval' }]);
      }
      const [row, ...others] = await harness.database.ruleChangeRequest.findMany({
        where: { operationId: operation.id },
      });
      assert.deepEqual(
        [row?.id, row?.status, row?.justification, row?.requestedBy, others.length],
        [id, 'pending_approval', 'more', 'key_test_1', 0],
      );
      const starts = harness.temporal.starts.filter(({ workflowId }) => workflowId === id);
      assert.deepEqual(
        [starts.length, starts[0]?.workflowType, starts[0]?.conflictPolicy, starts[0]?.reusePolicy],
        [2, 'ruleChange', 'USE_EXISTING', 'ALLOW_DUPLICATE_FAILED_ONLY'],
      );
      assert.deepEqual(
        starts[0]?.input,
        { changeId: id, operationId: operation.id },
        'rules and justification stay in the row',
      );
      assert.deepEqual(starts[0]?.searchAttributes, {
        OperationId: operation.id,
        PaymentKind: 'rule_change',
        PaymentStatus: 'pending_approval',
        WaitingFor: 'rule_change_proof',
        Summary: 'rule change · acme',
      });
    });

    it('POST /rules/change-requests: stored, Temporal away: 503; the repeat goes on with the same request, whatever is in force by then', async () => {
      const etag = String((await get('getRules')).headers['ETag']);
      const id = newId('ruleChange');
      harness.temporal.isDown = true;
      assert.equal((await propose({ 'if-match': etag }, id)).code, 'service_unavailable');
      harness.temporal.isDown = false;
      const { baseVersion } = await harness.database.ruleChangeRequest.findUniqueOrThrow({ where: { id } });
      // The first one stored is version 1, which is what an operation without any is served.
      await insertRuleSet(harness.database, { operationId: operation.id, rules: defaultRuleSet(1), createdBy: 'test' });
      await insertRuleSet(harness.database, { operationId: operation.id, rules: defaultRuleSet(1), createdBy: 'test' });
      assert.equal((await propose({ 'if-match': etag })).code, 'etag_mismatch', 'a new request is stale');
      const repeated = await propose({ 'if-match': etag }, id);
      assert.deepEqual([repeated.status, repeated.body], [202, { id, status: 'pending_approval' }]);
      assert.equal(
        (await harness.database.ruleChangeRequest.findUniqueOrThrow({ where: { id } })).baseVersion,
        baseVersion,
      );
      harness.temporal.ended.set(id, new Map());
      assert.equal(
        (await propose({ 'if-match': etag }, id)).status,
        202,
        'decided in between: the first answer stands',
      );
    });

    it('If-Match: missing, stale, weak, wildcard', async () => {
      assert.deepEqual((await propose({})).errors, ['If-Match required']);
      for (const tag of ['"rules-99"', `W/${String((await get('getRules')).headers['ETag'])}`, '*', 'rules-1'])
        assert.equal((await propose({ 'if-match': tag })).code, 'etag_mismatch', tag);
    });
  });

  describe('GET /reconciliation', () => {
    const DAY = '2026-11-20';
    const report = (query: Record<string, string> = {}) =>
      get('getReconciliation', { date: DAY, currency: 'BRL', ...query });
    const move = (
      objectId: string,
      movement: string,
      account: string,
      amountMinor: number,
      createdAt: string,
      version = 3,
    ) =>
      harness.database.ledgerEntry.createMany({
        data: [
          {
            operationId: operation.id,
            transferId: `${objectId}:${version}`,
            movement,
            currency: 'BRL',
            account,
            amountMinor,
            createdAt,
          },
          {
            operationId: operation.id,
            transferId: `${objectId}:${version}`,
            movement,
            currency: 'BRL',
            account: 'provider_clearing',
            amountMinor: -amountMinor,
            createdAt,
          },
        ],
      });

    it('open until D+1 02:00 UTC, and Retry-After says for how long', async () => {
      harness.clock.now = new Date('2026-11-21T01:59:58.500Z');
      const { problem } = await report();
      assert.deepEqual([problem?.code, problem?.retryAfterSeconds], ['day_open', 2]);
      harness.clock.now = new Date('2026-11-21T02:00:00.000Z');
      assert.equal((await report()).status, 200);
      assert.equal((await report({ date: '2026-12-24' })).problem?.code, 'day_open');
      assert.equal((await report({ currency: 'USD' })).code, 'currency_not_enabled');
    });

    it('the day’s settlements by page; totals and signed digest on the last one', async () => {
      const secret = randomBytes(16).toString('hex');
      await harness.database.webhookSecret.create({
        data: {
          id: newId('alert'),
          operationId: operation.id,
          secretSealed: harness.sealer.sealBytes(Buffer.from(secret)),
        },
      });
      const paid = await harness.insertDeposit(operation, { id: `dep_${'a'.repeat(32)}` });
      const out = await harness.insertWithdrawal(operation, { id: `wdr_${'b'.repeat(32)}` });
      await move(paid.id, 'deposit_credited', 'available', 5_000, `${DAY}T10:00:00Z`);
      await move(paid.id, 'deposit_refunded', 'available', -5_000, `${DAY}T23:59:59.999Z`, 4);
      await move(out.id, 'withdrawal_paid', 'pending_out', -3_000, `${DAY}T11:00:00Z`);
      await move(out.id, 'withdrawal_reserved', 'available', -3_000, `${DAY}T09:00:00Z`, 1);
      await move(out.id, 'withdrawal_returned', 'available', 3_000, '2026-11-21T00:00:00Z', 5);

      const first = await report({ limit: '2' });
      assert.deepEqual(
        [first.body['totals'], first.body['digest'], first.headers['Svc-Signature']],
        [null, null, undefined],
      );
      const last = await report({ limit: '2', cursor: String(first.body['next_cursor']) });
      const parsed = reconciliation.parse(last.body);
      const items = [...reconciliation.parse(first.body).items, ...parsed.items];
      assert.deepEqual(
        items.map(({ object_id, kind, status, amount, external_id }) => [
          object_id,
          kind,
          status,
          amount.amount,
          external_id,
        ]),
        [
          [paid.id, 'deposit', 'paid', '5000', paid.externalId],
          [paid.id, 'refund', 'refunded', '5000', paid.externalId],
          [out.id, 'withdrawal', 'paid', '3000', out.externalId],
        ],
      );
      assert.equal(parsed.totals?.count, 3);
      assert.deepEqual(
        [
          parsed.totals?.deposits_paid.amount,
          parsed.totals?.withdrawals_paid.amount,
          parsed.totals?.refunds.amount,
          parsed.totals?.chargebacks.amount,
        ],
        ['5000', '3000', '5000', '0'],
      );
      assert.equal(parsed.digest, reconciliationDigest(items));
      const expected = createHmac('sha256', secret)
        .update(`v1\nreconciliation\n${DAY}\nBRL\n${parsed.digest}`)
        .digest('hex');
      assert.equal(last.headers['Svc-Signature'], `v1=${expected}`);
    });

    it('pages of 1 to 200, each item once and in order; the pages of a frozen day stay the same while later payments settle', async () => {
      const ids = await Promise.all(Array.from({ length: 7 }, async () => (await harness.insertDeposit(operation)).id));
      for (const id of ids) await move(id, 'deposit_credited', 'available', 100, `${DAY}T10:00:00Z`);
      const whole = reconciliation.parse((await report({ limit: '200' })).body);
      for (const limit of ['1', '3', '7']) {
        const items: { object_id: string }[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page: ReturnType<typeof reconciliation.parse> = reconciliation.parse(
            (await report({ limit, ...(cursor === '' ? {} : { cursor }) })).body,
          );
          assert.deepEqual(
            [page.totals === null, page.digest === null],
            [page.next_cursor !== null, page.next_cursor !== null],
          );
          await move(
            (await harness.insertDeposit(operation)).id,
            'deposit_credited',
            'available',
            100,
            `${DAY}T11:00:00Z`,
          );
          items.push(...page.items);
          cursor = page.next_cursor;
        }
        assert.deepEqual(items, whole.items, limit);
      }
      assert.deepEqual(
        whole.items.map(({ object_id }) => object_id),
        [...ids].sort(),
      );
      for (const limit of ['0', '201', '1.5', ''])
        assert.equal((await report({ limit })).code, 'validation_failed', limit);
    });

    it('both secrets sign during a rotation; a secret that has ended does not', async () => {
      const secrets = ['old', 'current', 'new'].map((name) => `whsec_${name}`);
      const now = harness.clock.now.getTime();
      for (const [index, secret] of secrets.entries()) {
        const expiresAt = index === 0 ? new Date(now) : index === 1 ? new Date(now + 1) : null;
        await harness.database.webhookSecret.create({
          data: {
            id: newId('alert'),
            operationId: operation.id,
            secretSealed: harness.sealer.sealBytes(Buffer.from(secret)),
            createdAt: new Date(now + index),
            expiresAt,
          },
        });
      }
      const { body, headers } = await report();
      const day = {
        date: DAY,
        currency: 'BRL',
        digest: String(body['digest']),
        signature: String(headers['Svc-Signature']),
      };
      assert.deepEqual(
        secrets.map((secret) => verifyReconciliationSignature(day, [secret])),
        [false, true, true],
      );
      assert.equal(verifyReconciliationSignature({ ...day, date: '2026-11-19' }, secrets), false);
    });

    it('a cursor that is none of its own', async () => {
      await move((await harness.insertDeposit(operation)).id, 'deposit_credited', 'available', 100, `${DAY}T10:00:00Z`);
      await move((await harness.insertDeposit(operation)).id, 'deposit_credited', 'available', 100, `${DAY}T10:00:00Z`);
      const cursor = String((await report({ limit: '1' })).body['next_cursor']);
      assert.equal((await report({ cursor })).status, 200);
      assert.deepEqual((await report({ cursor, date: '2026-11-19' })).errors, ['cursor format'], 'of another day');
      const forged = [
        'x',
        `${cursor}=`,
        ` ${cursor}`,
        Buffer.from(`${DAY} BRL 2`).toString('base64url'),
        Buffer.from(`${DAY} BRL 0`).toString('base64url'),
        Buffer.from(`${DAY} BRL 01`).toString('base64url'),
      ];
      for (const one of forged) assert.deepEqual((await report({ cursor: one })).errors, ['cursor format'], one);
    });

    it('the digest is of the canonical bytes (independent vector)', () => {
      const item = {
        object_id: 'dep_1',
        external_id: 'e',
        kind: 'deposit',
        status: 'paid',
        amount: { amount: '1', currency: 'BRL' },
        fee: null,
        settled_at: '2026-11-20T10:00:00.000Z',
      };
      // printf '%s' '[{"amount":{"amount":"1","currency":"BRL"},"external_id":"e","fee":null,"kind":"deposit","object_id":"dep_1","settled_at":"2026-11-20T10:00:00.000Z","status":"paid"}]' | sha256sum
      assert.equal(reconciliationDigest([item]), 'eb26d58d7a3bf76f0078df2373fb1c967a1a777c51d36896a4c6ec0059c38148');
    });
  });

  it('the default deadlines keep within the interface’s budgets', () => {
    assert.ok(DEFAULT_DEADLINES.creationMs > 7_000 && DEFAULT_DEADLINES.creationMs < 10_000);
    assert.ok(DEFAULT_DEADLINES.queryMs <= 1_000);
  });
});
