// A connection to Temporal that breaks after a workflow has done a person's act: nobody hears the answer.
import { Client, ServiceError, type WorkflowClientInterceptor } from '@temporalio/client';
import { eventually } from '../../tools/harness/eventually.js';

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
  return new Client({ connection, interceptors: { workflow: [interceptor] } });
}

/** A connection that breaks before anything reaches a workflow. */
export function losingQuestions(connection: Connection): Client {
  const interceptor: WorkflowClientInterceptor = {
    startUpdate: () => Promise.reject(broken()),
    startUpdateWithStart: () => Promise.reject(broken()),
  };
  return new Client({ connection, interceptors: { workflow: [interceptor] } });
}

/** As the client reports gRPC's UNAVAILABLE. */
function broken(): ServiceError {
  return new ServiceError('14 UNAVAILABLE: the connection broke');
}
