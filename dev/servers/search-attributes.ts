// The search attributes by which operations staff find payments in the Temporal UI (design, D14).
import { Connection } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';

// Each type's name on the command line, and its number in the API (temporal.api.enums.v1.IndexedValueType).
const TYPES: Readonly<Record<SearchAttributeType, { flag: string; indexedValueType: number }>> = {
  [SearchAttributeType.TEXT]: { flag: 'Text', indexedValueType: 1 },
  [SearchAttributeType.KEYWORD]: { flag: 'Keyword', indexedValueType: 2 },
  [SearchAttributeType.INT]: { flag: 'Int', indexedValueType: 3 },
  [SearchAttributeType.DOUBLE]: { flag: 'Double', indexedValueType: 4 },
  [SearchAttributeType.BOOL]: { flag: 'Bool', indexedValueType: 5 },
  [SearchAttributeType.DATETIME]: { flag: 'Datetime', indexedValueType: 6 },
  [SearchAttributeType.KEYWORD_LIST]: { flag: 'KeywordList', indexedValueType: 7 },
};

/** Arguments of `temporal server start-dev` that register them. */
export function searchAttributeFlags(): string[] {
  return Object.values(SEARCH_ATTRIBUTES).flatMap(({ name, type }) => ['--search-attribute', `${name}=${TYPES[type].flag}`]);
}

/** Registers those that a namespace does not have yet. */
export async function registerSearchAttributes(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '10s' });
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => customAttributes?.[name] === undefined);
    if (missing.length === 0) return;
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, TYPES[type].indexedValueType])),
    });
  } finally {
    await connection.close();
  }
}
