// Reads of an operation: ping, currencies, balances, the limits of a player, and rules with their change requests.
import assert from 'node:assert/strict';
import type { CallerOperation } from '../../../contract/http/route.js';
import { ROUTES, type RouteName } from '../../../contract/http/routes.js';
import { balanceList, currencyList, ping, playerLimits } from '../../../contract/http/schemas/operation.js';
import { newId } from '../../../domain/identifiers.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import { createDatabase } from '../../../store/database.js';
import { addToList } from '../../../store/rules/lists.js';
import { insertRuleSet } from '../../../store/rules/rule-sets.js';
import { Harness } from './support/harness.js';

describe('reads of the operation (routes over Postgres)', () => {
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
      const at = { operationId: operation.id, provider: 'simulator', currency: 'BRL' };
      await harness.database.ledgerAccount.createMany({
        data: [
          { ...at, account: 'available', balanceMinor: -7 },
          { ...at, provider: 'a', account: 'available', balanceMinor: 2 },
          { ...at, account: 'pending_in', balanceMinor: 70 },
          { ...at, account: 'pending_out', balanceMinor: '9'.repeat(38) },
          { ...at, account: 'provider_clearing', balanceMinor: -65 },
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
          documentHash: harness.sealer.lookupHash(operation.id, 'document', '52998224725'),
          documentSealed: Buffer.from('sealed'),
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
      await harness.insertDeposit(operation, { ...mine, status: 'paid', amountMinor: 1001n });
      await harness.insertDeposit(operation, { ...mine, status: 'refunded', amountMinor: 9000n });
      await harness.insertDeposit(operation, { ...mine, status: 'pending', amountMinor: 9000n });
      await harness.insertDeposit(operation, { playerRef: 'p-2', status: 'paid', amountMinor: 9000n });
      await harness.insertWithdrawal(operation, { ...mine, status: 'paid', amountMinor: 300n });
      await harness.insertWithdrawal(operation, { ...mine, status: 'under_review', amountMinor: 200n });
      for (const status of ['rejected', 'failed', 'cancelled', 'returned'] as const)
        await harness.insertWithdrawal(operation, { ...mine, status, amountMinor: 9000n });
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
      await harness.insertWithdrawal(operation, { playerRef: 'p-3', status: 'paid', amountMinor: 300n });
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

    it(
      'POST /rules/change-requests: stored, Temporal away: 503; the repeat continues with the same request, whatever ' +
        'is in force by then',
      async () => {
        const etag = String((await get('getRules')).headers['ETag']);
        const id = newId('ruleChange');
        harness.temporal.isDown = true;
        assert.equal((await propose({ 'if-match': etag }, id)).code, 'service_unavailable');
        harness.temporal.isDown = false;
        const { baseVersion } = await harness.database.ruleChangeRequest.findUniqueOrThrow({ where: { id } });
        // The first one stored is version 1, which is what an operation without any is served.
        await insertRuleSet(harness.database, {
          operationId: operation.id,
          rules: defaultRuleSet(1),
          createdBy: 'test',
        });
        await insertRuleSet(harness.database, {
          operationId: operation.id,
          rules: defaultRuleSet(1),
          createdBy: 'test',
        });
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
      },
    );

    it('If-Match: missing, stale, weak, wildcard', async () => {
      assert.deepEqual((await propose({})).errors, ['If-Match required']);
      for (const tag of ['"rules-99"', `W/${String((await get('getRules')).headers['ETag'])}`, '*', 'rules-1'])
        assert.equal((await propose({ 'if-match': tag })).code, 'etag_mismatch', tag);
    });
  });
});
