// Makes a Temporal namespace ready for the gateway: the namespace itself, how long it keeps closed workflows, and the
// search attributes by which staff find payments. Every shape of the gateway starts with this.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';

/** Closed workflows are kept for three days: long enough to look into a payment that ended on a Friday evening. */
export const RETENTION_HOURS = 72;

export interface PreparedNamespace {
  readonly created: boolean;
  readonly retentionHours: number;
  /** The search attributes that it did not have. */
  readonly added: readonly string[];
}

// Numbers of the API (temporal.api.enums.v1.IndexedValueType).
export const INDEXED_VALUE_TYPES: Readonly<Record<SearchAttributeType, number>> = {
  [SearchAttributeType.TEXT]: 1,
  [SearchAttributeType.KEYWORD]: 2,
  [SearchAttributeType.INT]: 3,
  [SearchAttributeType.DOUBLE]: 4,
  [SearchAttributeType.BOOL]: 5,
  [SearchAttributeType.DATETIME]: 6,
  [SearchAttributeType.KEYWORD_LIST]: 7,
};
const GRPC = { invalidArgument: 3, notFound: 5, alreadyExists: 6, unavailable: 14 } as const;
/** "No such namespace", a query by an attribute that this role has not heard of, or a role that is not up yet. */
const UNKNOWN_YET: readonly number[] = [GRPC.notFound, GRPC.invalidArgument, GRPC.unavailable];
const LOOK_AGAIN_MS = 250;

/**
 * Makes the namespace if it is not there, sets its retention, adds the search attributes that are missing, and waits until
 * the cluster answers queries by them: each of its roles learns of a namespace some seconds after the others. May be
 * repeated. Throws what the server says, or an Error once `waitMs` has passed.
 */
export async function prepareNamespace(
  connection: Connection,
  namespace: string,
  retentionHours: number,
  waitMs = 60_000,
): Promise<PreparedNamespace> {
  const deadline = Date.now() + waitMs;
  const created = await makeNamespace(connection, namespace, retentionHours);
  const added = await untilKnown(deadline, () => registerSearchAttributes(connection, namespace));
  const query = `${SEARCH_ATTRIBUTES.WaitingFor.name} = "nothing"`;
  await untilKnown(deadline, () => connection.workflowService.countWorkflowExecutions({ namespace, query }));
  return { created, retentionHours, added };
}

async function makeNamespace(connection: Connection, namespace: string, retentionHours: number): Promise<boolean> {
  const workflowExecutionRetentionPeriod = { seconds: retentionHours * 3_600 } as never;
  try {
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    return true;
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== GRPC.alreadyExists) throw error;
  }
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: workflowExecutionRetentionPeriod },
  });
  return false;
}

/** Adds those that the namespace does not have yet; answers their names. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => customAttributes?.[name] === undefined);
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  return missing.map(({ name }) => name);
}

/** Repeats a call until the server knows the namespace and its attributes. */
async function untilKnown<Result>(deadline: number, call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isGrpcServiceError(error) || !UNKNOWN_YET.includes(error.code) || Date.now() >= deadline) throw error;
    }
    await sleep(LOOK_AGAIN_MS);
  }
}
