// The search attributes by which operations staff find payments, for the Temporal servers that development and tests
// start.
import type { Connection } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { connectTemporal, type TemporalServer } from '../../platform/temporal/connection.js';
import {
  prepareNamespace,
  registerSearchAttributes as register,
  RETENTION_HOURS,
} from '../../platform/temporal/namespace.js';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** Each type's name on the command line. */
const FLAGS: Readonly<Record<SearchAttributeType, string>> = {
  [SearchAttributeType.TEXT]: 'Text',
  [SearchAttributeType.KEYWORD]: 'Keyword',
  [SearchAttributeType.INT]: 'Int',
  [SearchAttributeType.DOUBLE]: 'Double',
  [SearchAttributeType.BOOL]: 'Bool',
  [SearchAttributeType.DATETIME]: 'Datetime',
  [SearchAttributeType.KEYWORD_LIST]: 'KeywordList',
};

/** Arguments of `temporal server start-dev` that register them. */
export function searchAttributeFlags(): string[] {
  return Object.values(SEARCH_ATTRIBUTES).flatMap(({ name, type }) => ['--search-attribute', `${name}=${FLAGS[type]}`]);
}

/** Registers those that a namespace does not have yet. */
export async function registerSearchAttributes(server: TemporalServer, namespace: string): Promise<void> {
  await withConnection(server, (connection) => register(connection, namespace));
}

/** Makes the namespace with everything that the gateway needs in it, and waits until every role knows it. */
export async function ensureNamespace(server: TemporalServer, namespace: string): Promise<void> {
  await withConnection(server, (connection) => prepareNamespace(connection, namespace, RETENTION_HOURS));
}

async function withConnection(
  server: TemporalServer,
  work: (connection: Connection) => Promise<unknown>,
): Promise<void> {
  const connection = await connectTemporal(server, CONNECT_TIMEOUT_MS);
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}
