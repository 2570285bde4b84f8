// A payment's decisions under other versions of the operation's rules.
import assert from 'node:assert/strict';
import { writeJson } from '../../../domain/money.js';
import { evaluateWithdrawal } from '../../../domain/rules/engine.js';
import { thresholdsOfVersion } from '../../../store/rules/replayed-decisions.js';
import { decisionDigest } from '../../../store/rules/decisions.js';
import { withdrawalFacts } from '../../unit/rules/facts.js';
import { insertWithdrawal } from '../cli/payments.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- answers of the panel

describe('panel: decisions under another version of the rules', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let payment: string;
  let person: Person;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    payment = await insertWithdrawal(world.gateway, operationId, { status: 'approved', amount: '5000' });
    await decide(5000n);
    await world.gateway.rows(
      `INSERT INTO rule_set_version (operation_id, version, rules, created_by)
       SELECT operation_id, 2, jsonb_set(jsonb_set(rules, '{version}', '2'),
         '{currencies,BRL,auto_max_per_withdrawal}', '"4000"'), 'test'
       FROM rule_set_version WHERE operation_id = $1 AND version = 1`,
      operationId,
    );
    person = await world.person('sofia', ['support']);
  });
  after(() => world.close());

  /** What the rules of version 1 decide on such a withdrawal, stored as the rules worker stores it. */
  const decide = async (amountMinor: bigint) => {
    const facts = withdrawalFacts({ amountMinor });
    const thresholds = await thresholdsOfVersion(world.database, operationId, 1, 'BRL');
    assert.ok(thresholds);
    const { outcome, reports } = evaluateWithdrawal('creation', facts, thresholds);
    const digest = decisionDigest({ facts, thresholds, ruleSetVersion: 1, outcome });
    await world.gateway.rows(
      `INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts, outcome,
         digest, decided_at) VALUES ($1, $2, 'creation', 1, $3, $4, $5, $6, $7, now())`,
      operationId,
      payment,
      ...[facts, thresholds, reports, outcome].map(writeJson),
      digest,
    );
  };
  const replay = (version: number | string) => person.get(`/payments/${payment}/replay?version=${version}`);

  it('another version says what would have been different, and why', async () => {
    assert.equal((await person.get(`/payments/${payment}`)).body['version_in_force'], 2);
    const [own] = ((await replay(1)).body as Json)['decisions'];
    assert.deepEqual([own.is, own.differs, own.reproduced], [own.was, false, true]);
    const [{ was, is, differs, reproduced, why }] = ((await replay(2)).body as Json)['decisions'];
    assert.deepEqual([was.kind, differs, reproduced], ['automatic', true, null]);
    assert.deepEqual(is, { kind: 'review', reasons: ['AUTO_MAX_PER_WITHDRAWAL_EXCEEDED'] });
    assert.deepEqual(why, [
      {
        code: 'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
        compared: { amountMinor: '5000', limitMinor: '4000' },
        decided: true,
      },
    ]);
  });

  it('a version that there is not, and what is no version, are refused', async () => {
    assert.equal((await replay(3)).body['code'], 'not_found');
    for (const version of ['0', '-1', 'x', '1.5'])
      assert.equal((await replay(version)).body['code'], 'invalid', version);
  });
});
