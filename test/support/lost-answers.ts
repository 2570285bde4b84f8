// A connection to Temporal that breaks after a workflow has done a person's act: nobody hears the answer. Or one where
// somebody else answers.
import { Client, ServiceError, type WorkflowClientInterceptor } from '@temporalio/client';
import { payloadConverter } from '../../contract/temporal/payload-converter.js';
import { eventually } from '../../lab/harness/eventually.js';
import { DATA_CONVERTER } from '../../platform/temporal/connection.js';

type Connection = NonNullable<NonNullable<ConstructorParameters<typeof Client>[0]>['connection']>;

/** `isDone` says whether the act of that id is used up. The connection breaks only then. */
export function losingAnswers(connection: Connection, isDone: (actId: string) => Promise<boolean>): Client {
  const loseAnswer = async ({ updateId }: { readonly updateId: string }): Promise<never> => {
    await eventually(() => isDone(updateId), `act ${updateId} is done`);
    throw broken();
  };
  const interceptor: WorkflowClientInterceptor = {
    startUpdate: async (input, next) => loseAnswer(await next(input)),
    startUpdateWithStart: async (input, next) => loseAnswer(await next(input)),
  };
  return new Client({ dataConverter: DATA_CONVERTER, connection, interceptors: { workflow: [interceptor] } });
}

/** A connection that breaks before anything reaches a workflow. */
export function losingQuestions(connection: Connection): Client {
  const interceptor: WorkflowClientInterceptor = {
    startUpdate: () => Promise.reject(broken()),
    startUpdateWithStart: () => Promise.reject(broken()),
  };
  return new Client({ dataConverter: DATA_CONVERTER, connection, interceptors: { workflow: [interceptor] } });
}

/**
 * Somebody answers in the place of the workflow: `lie`. With `isDone`, once the workflow has done the act; without, it
 * never hears of it.
 */
export function lyingAnswers(
  connection: Connection,
  lie: object,
  isDone?: (actId: string) => Promise<boolean>,
): Client {
  const outcome = { success: { payloads: [payloadConverter.toPayload(lie)!] } };
  const interceptor: WorkflowClientInterceptor = {
    startUpdate: async (input, next) => {
      const updateId = input.options.updateId ?? '';
      if (isDone !== undefined) {
        await next(input);
        await eventually(() => isDone(updateId), `act ${updateId} is done`);
      }
      return { updateId, workflowRunId: 'his', outcome };
    },
  };
  return new Client({ dataConverter: DATA_CONVERTER, connection, interceptors: { workflow: [interceptor] } });
}

/** As the client reports gRPC's UNAVAILABLE. */
function broken(): ServiceError {
  return new ServiceError('14 UNAVAILABLE: the connection broke');
}
