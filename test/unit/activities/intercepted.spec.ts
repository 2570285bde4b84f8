// What every activity goes through: the time of its execution, final failures, and alerts about calls made by hand.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/activity';
import { forged } from '../../../activities/forged.js';
import { intercepted } from '../../../activities/intercepted.js';
import { OperationClocks } from '../../../activities/operation-clocks.js';
import { newId } from '../../../domain/identifiers.js';
import type { GatewayAlert } from '../../../store/alerts/alerts.js';
import { MissingRowError } from '../../../store/errors.js';

const AT = '2026-11-21T12:00:00.000Z';
const HOUR_MS = 3_600_000;

describe('every activity', () => {
  const [id, operationId] = [newId('deposit'), newId('operation')];
  let alerts: GatewayAlert[];
  const offered = <Activities extends object>(
    activities: Activities,
    environment: 'sandbox' | 'production' = 'sandbox',
  ) =>
    intercepted(
      {
        clock: () => Date.parse(AT),
        clocks: new OperationClocks(environment),
        alerts: { raiseAlert: async (alert) => void alerts.push(alert) },
      },
      activities,
    );
  const failing = (error: Error) =>
    offered({ cancelDeposit: (_: object) => Promise.reject(error) }).cancelDeposit({ id, operationId });
  beforeEach(() => (alerts = []));

  it('gets the time of its execution, whatever time its caller states', async () => {
    const { echo } = offered({ echo: async (input: object) => input });
    assert.deepEqual(await echo({ id, operationId, at: '1999-01-01T00:00:00.000Z' } as object), {
      id,
      operationId,
      at: AT,
    });
    assert.deepEqual(await echo(undefined as never), { at: AT });
  });

  for (const [environment, at] of [
    ['sandbox', '2026-11-21T13:00:00.000Z'],
    ['production', AT],
  ] as const)
    it(`in the ${environment} ${environment === 'sandbox' ? 'by' : 'not by'} the clock that its workflow brings`, async () => {
      const { echo } = offered({ echo: async (input: object) => input }, environment);
      const clock = { offsetMs: HOUR_MS, frozenAt: null, revision: 1 };
      assert.equal(((await echo({ operationId, clock } as object)) as { at: string }).at, at);
    });

  it('fails for good where a row is missing, and tells of whoever named what does not exist', async () => {
    await assert.rejects(failing(new MissingRowError('Deposit', 'no such deposit')), {
      type: 'DepositMissing',
      nonRetryable: true,
    });
    assert.deepEqual(
      alerts.map(({ kind, detail }) => [kind, detail]),
      [['STEP_FORGED', `cancelDeposit was called for a deposit that does not exist: ${id}, operation ${operationId}`]],
    );
  });

  for (const [title, error] of [
    ['a missing set of rules', new MissingRowError('RuleSet', 'none')],
    ['another failure', ApplicationFailure.retryable('the row changed', 'RowContended')],
    ['a fault', new Error('a fault')],
  ] as const)
    it(`tells nobody of ${title}`, async () => {
      await assert.rejects(failing(error));
      assert.deepEqual(alerts, []);
    });

  it('tells of what no workflow does, and of an act that nobody stored', async () => {
    await assert.rejects(failing(forged('with a progress that no step wrote')), { type: 'ForgedStep' });
    await offered({ approveDeposit: async (_: object) => ({ outcome: 'unknown_act' }) }).approveDeposit({
      id,
      operationId,
    });
    assert.equal(alerts.length, 2);
  });

  it('a load looks for a row that may not exist: it raises its own alert', async () => {
    const load = offered({ loadDeposit: (_: object) => Promise.reject(new MissingRowError('Deposit', 'none')) });
    await assert.rejects(load.loadDeposit({ id, operationId }), { type: 'DepositMissing' });
    assert.deepEqual(alerts, []);
  });
});
