// Temporal calls of the api: which failures are an end, a fault, or cured by asking again.
import assert from 'node:assert/strict';
import { ServiceError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { unreached } from '../../../staff/acts/workflow-updates.js';
import { unreachedText } from '../../../cli/unreached.js';
import { ask, askReopening, type TemporalClient } from '../../../platform/temporal/calls.js';
import { NO_SUCH_PAYMENT } from '../../../contract/temporal/payment.js';

/** What @temporalio/client takes for a gRPC error. */
function grpcError(code: number): Error {
  return Object.assign(new Error('refused'), { code, details: '', metadata: { get: () => [] } });
}

const temporal = {
  withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
} as unknown as TemporalClient;

describe('calls to Temporal', () => {
  const neverWas = new WorkflowUpdateFailedError(
    'refused',
    ApplicationFailure.nonRetryable('there is none', NO_SUCH_PAYMENT),
  );
  const ends = [
    ['no such run', new WorkflowNotFoundError('', 'dep_1', undefined)],
    ['NOT_FOUND of an update-with-start', grpcError(5)],
    ['a payment that never came to be', neverWas],
  ] as const;
  for (const [what, error] of ends) {
    it(`${what}: the workflow is closed`, async () => {
      assert.deepEqual(await ask(temporal, 0, () => Promise.reject(error)), { kind: 'closed' });
    });

    it(`${what}, of a call that reopens: it is asked once more, and not for ever`, async () => {
      const answers = [() => Promise.reject(error), () => Promise.resolve(7)];
      assert.deepEqual(await askReopening(temporal, 0, () => answers.shift()!()), { kind: 'answer', value: 7 });
      let calls = 0;
      assert.deepEqual(await askReopening(temporal, 0, () => Promise.reject(((calls += 1), error))), {
        kind: 'closed',
      });
      assert.equal(calls, 2);
    });
  }

  for (const [what, error, expectedCalls] of [
    ['too many updates under way (RESOURCE_EXHAUSTED)', grpcError(8), 1],
    ['an update that was not taken, again and again (FAILED_PRECONDITION)', grpcError(9), 2],
    ['the same, wrapped by the client', new ServiceError('refused', { cause: grpcError(9) }), 2],
  ] as const) {
    it(`${what}: an answer, to be asked again, and no fault`, async () => {
      assert.deepEqual(await ask(temporal, 0, () => Promise.reject(error)), { kind: 'unavailable' });
      const calls: Error[] = [];
      await askReopening(temporal, 0, () => Promise.reject((calls.push(error), error)));
      assert.equal(calls.length, expectedCalls);
      const { reason } = unreached(error);
      assert.equal(reason, 'limit_reached');
      assert.match(
        unreachedText('wdr_1', unreached(error)),
        /^wdr_1: Temporal takes no more requests for it at the moment; nothing was decided, try again in a minute$/,
      );
    });
  }

  it('an update that was not taken is sent once more', async () => {
    const answers = [() => Promise.reject(grpcError(9)), () => Promise.resolve(7)];
    assert.deepEqual(await ask(temporal, 0, () => answers.shift()!()), { kind: 'answer', value: 7 });
  });

  it('throw an unexpected error', async () => {
    await assert.rejects(ask(temporal, 0, () => Promise.reject(grpcError(3))));
  });
});
