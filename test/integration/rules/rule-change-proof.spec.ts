// The proof of a proposed change of rules over decisions that the real activities stored: the same text each time, each
// question once, nothing of others, and a window that ends where it says.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { automaticUseAt } from '../../../domain/rules/automatic-limits.js';
import { defaultRuleSet, parseRuleSetDraft, RuleSetError } from '../../../domain/rules/rule-set.js';
import { thresholdsOf } from '../../../domain/rules/thresholds.js';
import { changedRules, tryRules } from '../../../staff/reads/panel/rule-trial.js';
import type { Prisma } from '../../../prisma/generated/client.js';
import {
  decidedCases,
  proofDigest,
  proveRuleChange,
  type RuleChangeProof,
} from '../../../store/rules/rule-change-proof.js';
import { poolOf } from '../../../store/database.js';
import { AT, World } from './world.js';

const THROUGH = '2026-11-21T16:00:00.000Z';
const LENIENT = { first_withdrawal_manual: false };

describe('the proof of a rule change', () => {
  let world: World;
  before(async () => {
    world = await World.create();
  });
  after(() => world.destroy());
  beforeEach(async () => {
    await world.anew(LENIENT);
    await world.knownPlayer();
  });

  const prove = (
    brl: object = LENIENT,
    more: Partial<Parameters<typeof proveRuleChange>[1]> = {},
    most?: number,
  ): Promise<RuleChangeProof> =>
    proveRuleChange(
      world.database,
      {
        operationId: world.operationId,
        baseVersion: 1,
        rules: parseRuleSetDraft({ currencies: { BRL: brl } }),
        engine: null,
        through: THROUGH,
        ...more,
      },
      undefined,
      most,
    );
  async function decide(amountMinor: bigint, at = AT, id = newId('withdrawal')): Promise<string> {
    await world.decide({ id, amountMinor }, 'not_asked', at);
    return id;
  }
  const STRICT = { ...LENIENT, auto_max_per_withdrawal: '5000' };

  it('same decisions and same proposal: the same digest, whatever the proposal’s own version; any difference makes another', async () => {
    const [, large] = [await decide(5000n), await decide(5001n)];
    const proof = await prove(STRICT);
    assert.deepEqual(
      proof.report.flips.map(({ from, to, decisions, examples }) => [
        from,
        to,
        decisions,
        examples.map(({ object_id: id }) => id),
      ]),
      [['automatic', 'review', 1, [large]]],
    );
    assert.equal(proof.report.flipped.players, 1);
    assert.deepEqual(await prove(STRICT), proof);
    for (const personal of ['52998224725', 'player-1', '203.0.113', 'Maria'])
      assert.equal(JSON.stringify(proof).includes(personal), false, personal);
    const renumbered = parseRuleSetDraft({ version: 7, currencies: { BRL: STRICT } });
    assert.equal((await prove({}, { rules: renumbered })).digest, proof.digest);
    assert.equal(
      proofDigest(JSON.parse(JSON.stringify(proof)) as RuleChangeProof),
      proof.digest,
      'also after it was stored',
    );
    const others = [
      await prove({ ...STRICT, auto_max_per_withdrawal: '5001' }),
      await prove(STRICT, { through: AT }),
      await prove(STRICT, { engine: { auto_suspended: false } }),
    ];
    await decide(4999n);
    others.push(await prove(STRICT));
    assert.equal(new Set([proof, ...others].map(({ digest }) => digest)).size, 5);
  });

  it('a trial: which cases another value frees or holds, against what people decided about them', async () => {
    await world.anew(STRICT);
    await world.knownPlayer();
    const verdicts = ['approve', 'refuse', null];
    const freed = [];
    for (const decision of verdicts) {
      const id = await world.withdrawal({ amountMinor: 5001n, status: 'rejected' });
      await decide(5001n, AT, id);
      freed.push(id);
      const decided = decision === null ? [] : [{ person: 'rita', decision, reason: '', at: AT }];
      await world.database.withdrawal.update({ where: { id }, data: { decidedBy: decided } });
    }
    await decide(4000n);
    const trial = async (limit: string | null) => {
      const changes = { auto_max_per_withdrawal: limit };
      const changed = await changedRules(world.database, world.operationId, changes);
      return tryRules(world.database, world.operationId, changed, new Date(THROUGH));
    };
    const { freed: passes, held, refused_payments: refused } = await trial(null);
    assert.deepEqual(passes, {
      payments: 3,
      amount: { amount: '15003', currency: 'BRL' },
      approved: 1,
      refused: 1,
      undecided: 1,
    });
    assert.deepEqual([held.payments, refused.map(({ id }) => id)], [0, [freed[1]]]);
    const stricter = await trial('3999');
    assert.deepEqual(
      [stricter.freed.payments, stricter.held],
      [0, { payments: 1, amount: { amount: '4000', currency: 'BRL' } }],
    );
    await assert.rejects(trial('much'), RuleSetError);
  });

  /** What creation counts: an automatic payout in the hour and on the day of `AT`. */
  const automatic = (amountMinor: bigint) =>
    world.database.$executeRaw`SELECT take_automatic_use(${world.operationId}, 'BRL', ${amountMinor}::numeric,
      ${JSON.stringify(automaticUseAt(AT, thresholdsOf(defaultRuleSet(1), 'BRL')))}::jsonb)`;

  for (const [name, engine, expected] of [
    ['velocity', { 'velocity.windowMinutes': 60, 'velocity.reviewAbove': 1 }, { held: 2 }],
    ['a count of a window', { 'windows.d30.maxCount': 2 }, { newly_refused: 1 }],
    ['a cap by the day', { 'operationAutoCap.perDayMinor': '4900' }, { held: 2 }],
    ['two people for a reason', { noPlayReview: false, dualApprovalReasons: ['SHARED_DOCUMENT'] }, {}],
  ] as const)
    it(`a trial of ${name}, by the facts of each moment`, async () => {
      for (const minute of ['00', '10', '20']) {
        const [amountMinor, at] = [4900n, `2026-11-21T15:${minute}:00.000Z`];
        const id = await decide(amountMinor, at);
        await world.withdrawal({ id, ref: 'player-1', amountMinor, status: 'approved', createdAt: at });
        await automatic(amountMinor);
      }
      const changed = await changedRules(world.database, world.operationId, {}, engine);
      const trial = await tryRules(world.database, world.operationId, changed, new Date(THROUGH));
      const ways = (
        ['freed', 'held', 'newly_refused', 'no_longer_refused', 'to_two_people', 'from_two_people'] as const
      )
        .map((way) => [way, trial[way].payments] as const)
        .filter(([, payments]) => payments > 0);
      assert.deepEqual([trial.compared, Object.fromEntries(ways)], [3, expected]);
    });

  it('a trial says who would need a second person, and what cannot be decided again', async () => {
    await world.anew({ ...LENIENT, dual_approval_above: '4000' });
    await world.knownPlayer();
    const two = await decide(4500n);
    await decide(3500n);
    const trial = async (limit: string | null, engine = {}) => {
      const changed = await changedRules(world.database, world.operationId, { dual_approval_above: limit }, engine);
      return tryRules(world.database, world.operationId, changed, new Date(THROUGH));
    };
    const none = await trial(null);
    assert.deepEqual([none.from_two_people.payments, none.to_two_people.payments, none.freed.payments], [1, 0, 1]);
    const lower = await trial('3000');
    assert.deepEqual(
      [lower.to_two_people, lower.from_two_people.payments, lower.held.payments],
      [{ payments: 1, amount: { amount: '3500', currency: 'BRL' } }, 0, 1],
    );
    const stored = await world.database.decision.findFirstOrThrow({ where: { objectId: two } });
    const { risk: _risk, ...facts } = stored.facts as Record<string, JsonValue>;
    const { id: _id, ...row } = stored;
    const old = { ...row, facts, objectId: newId('withdrawal') } as unknown as Prisma.DecisionUncheckedCreateInput;
    await world.database.decision.create({ data: old });
    const incomplete = await trial('3000', { maxDestinations30d: 1 });
    assert.deepEqual([incomplete.compared, incomplete.not_comparable['facts_missing']], [2, 1]);
  });

  it('reads 30 days up to the moment it names, of this operation only', async () => {
    const monthAgo = Date.parse(THROUGH) - 30 * 86_400_000;
    for (const ms of [monthAgo - 1, monthAgo, Date.parse(THROUGH) - 1, Date.parse(THROUGH)])
      await decide(100n, new Date(ms).toISOString());
    assert.equal((await prove()).report.compared, 2);
    const { operationId } = world;
    await world.anew(LENIENT);
    await decide(100n);
    assert.equal((await prove(LENIENT, { operationId })).report.compared, 2);
  });

  it('counts a question once: its last answer, the directory’s included; a dispatch by its first', async () => {
    const id = await decide(100n);
    await decide(200n, '2026-11-21T15:00:01.000Z', id);
    const order = world.withdrawalOrder({ amountMinor: 300n, key: { type: 'email', value: 'maria@example.test' } });
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'mismatch', stage: 'dict' });
    const { report } = await prove();
    assert.deepEqual(
      report.outcomes
        .filter(({ proposed }) => proposed > 0)
        .map((one) => [one.subject, one.outcome, one.decided, one.proposed_minor]),
      [
        ['withdrawal', 'automatic', 1, '200'],
        ['withdrawal', 'refuse', 1, '300'],
      ],
    );

    const sent = await world.withdrawal({ status: 'approved', amountMinor: 700n });
    await world.setRules({ ...LENIENT, auto_hours: { from: '01:00', to: '02:00' } });
    const dispatch = { id: sent, operationId: world.operationId };
    await world.rules.decideDispatch({ ...dispatch, at: AT });
    await world.setRules(LENIENT);
    await world.rules.decideDispatch({ ...dispatch, at: '2026-11-21T15:30:00.000Z' });
    const later = (await prove()).report.outcomes.filter(
      ({ subject, decided, proposed }) => subject === 'dispatch' && decided + proposed > 0,
    );
    assert.deepEqual(
      later.map((one) => [one.outcome, one.decided, one.in_force, one.proposed, one.proposed_minor]),
      [
        ['send', 0, 1, 1, '700'],
        ['wait', 1, 0, 0, '0'],
      ],
    );
  });

  it('knows the player of a refusal that left no payment; an older decision’s player by its payment', async () => {
    await world.setRules({ ...LENIENT, withdrawal_max: '50' });
    await decide(100n);
    await world.rules.decideDeposit({ order: world.depositOrder({ amountMinor: 100n }), at: AT });
    const { report } = await prove({ ...LENIENT, deposit_min: '101' }, { baseVersion: 2 });
    assert.deepEqual(
      [report.flips.map(({ subject, from, to, players }) => [subject, from, to, players]), report.flipped],
      [
        [
          ['deposit', 'accept', 'refuse', 1],
          ['withdrawal', 'refuse', 'automatic', 1],
        ],
        { decisions: 2, players: 1, players_unknown: 0 },
      ],
    );
    const id = await world.withdrawal({ ref: 'player-1', amountMinor: 100n });
    await world.database.decision.create({
      data: {
        ...(await lastDecision()),
        id: undefined,
        objectId: id,
        playerRef: null,
        digest: 'd'.repeat(64),
      } as never,
    });
    assert.deepEqual((await prove({ ...LENIENT, withdrawal_min: '101' }, { baseVersion: 1 })).report.flipped, {
      decisions: 2,
      players: 1,
      players_unknown: 0,
    });
  });
  const lastDecision = () =>
    world.database.decision.findFirst({
      where: { operationId: world.operationId, objectId: { startsWith: 'wdr_' } },
      orderBy: { id: 'desc' },
    });

  it('pages through many, of one moment too; more than the limit is cut off at the newest, and said', async () => {
    await manyDecisions(1_234);
    let pages = 0;
    for await (const page of decidedCases(world.database, {
      operationId: world.operationId,
      from: '2026-10-23T00:00:00.000Z',
      through: THROUGH,
    }))
      pages += page.length;
    assert.equal(pages, 1_234);
    assert.deepEqual([(await prove()).report.compared, (await prove()).report.is_cut_off], [1_234, false]);
    const { report } = await prove(LENIENT, {}, 700);
    assert.deepEqual([report.compared, report.is_cut_off], [700, true]);
    assert.ok(report.from > '2026-10-23');
  });

  /** Copies of one stored decision: ten at each of the minutes before AT. */
  async function manyDecisions(count: number): Promise<void> {
    await decide(5000n);
    const first = await lastDecision();
    await world.database.$executeRaw`
      INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts, outcome,
      digest, decided_at, player_ref)
      SELECT operation_id, 'wdr_' || md5(operation_id || n), stage, rule_set_version, facts, thresholds, verdicts,
      outcome, digest, decided_at - (n / 10) * interval '1 minute', 'player-' || n % 97
      FROM decision, generate_series(1, ${count - 1}::int) AS n WHERE id = ${first?.id ?? 0n}`;
  }

  it('asks by indexes only', async () => {
    await manyDecisions(3_000);
    await world.database.$executeRawUnsafe('ANALYZE decision');
    const before = await scans();
    await prove();
    const after = await scans();
    assert.equal(after - before, 0, 'no table was read from end to end');
  });
  /** Of all connections until now: a connection tells by itself within ten seconds, or at once if it is asked to. */
  async function scans(): Promise<number> {
    for (const database of [world.database, world.ofRules]) {
      const { options } = poolOf(database);
      // As many at once as there are connections: each sleeps, so none is asked twice.
      const asked = Array.from(
        { length: options.max },
        () => database.$queryRaw`SELECT pg_stat_force_next_flush()::text, pg_sleep(0.1)::text`,
      );
      await Promise.all(asked);
    }
    const [row] = await world.database.$queryRaw<
      { scans: number }[]
    >`SELECT sum(seq_scan)::int AS scans FROM pg_stat_user_tables WHERE relname IN ('decision', 'withdrawal', 'deposit')`;
    return row?.scans ?? -1;
  }
});
