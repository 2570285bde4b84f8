// Prepares a Temporal namespace for the gateway: the namespace, its retention of closed workflows, and the search
// attributes by which staff find payments.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';

/** Three days: enough to examine, on Monday, a payment that closed on Friday evening. */
export const RETENTION_HOURS = 72;

export interface PreparedNamespace {
  readonly created: boolean;
  readonly retentionHours: number;
  /** The search attributes that were missing. */
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
/** This role does not know the namespace or an attribute yet, or it is not running. */
const UNKNOWN_YET: readonly number[] = [GRPC.notFound, GRPC.invalidArgument, GRPC.unavailable];
const RETRY_AFTER_MS = 250;

/**
 * Creates the namespace if it is missing, sets its retention, adds missing search attributes, and waits until the
 * cluster can query them: each role learns of a namespace some seconds after the others. Can be repeated. Throws
 * the server's error, or its last one after `waitMs`.
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

/** Adds missing search attributes. @returns their names */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => customAttributes?.[name] === undefined);
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  return missing.map(({ name }) => name);
}

/** Retries a call until the server knows the namespace and its attributes. */
async function untilKnown<Result>(deadline: number, call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isGrpcServiceError(error) || !UNKNOWN_YET.includes(error.code) || Date.now() >= deadline) throw error;
    }
    await sleep(RETRY_AFTER_MS);
  }
}
