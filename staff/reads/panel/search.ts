// Search as the panel shows it: what was found in the operations that the person reaches.
import type { Answering } from '../../../contract/panel/routes.js';
import { isTaxNumber } from '../../../domain/documents.js';
import { operationNames } from '../../../store/operations/operations.js';
import { searchByDocument } from '../../acts/search-by-document.js';
import { isSearchedKey, searchByKey } from '../../acts/search-by-key.js';
import type { Viewer } from '../../viewer.js';
import { findAnything, type Hit } from '../find/find.js';
import { type Leading, leadOf } from './leads.js';
import { namedOperation } from './named-operation.js';
import type { PaymentReads } from './payment.js';
import { readingsOf } from '../find/texts.js';

const MOST_HITS = 50;

type SearchHit = Answering<'search'>['hits'][number];

/** A tax document and a PIX key are looked up as such, besides what else they may be. */
export async function search(services: PaymentReads, viewer: Viewer, text: string): Promise<Answering<'search'>> {
  const { database } = services;
  const of = { number: text, limit: MOST_HITS };
  const persons = isTaxNumber(text) ? await searchByDocument(services, viewer, of) : [];
  const keyed = isSearchedKey(text) ? await searchByKey(services, viewer, { key: text, limit: MOST_HITS }) : [];
  const { hits, more } = await findAnything(database, readingsOf(text), { reach: viewer.reach, limit: MOST_HITS });
  const visible = [...persons, ...keyed, ...hits];
  const names = await operationNames(
    database,
    visible.flatMap(({ operation_id: id }) => id ?? []),
  );
  return {
    hits: visible.map((hit) => ({
      ...shown(hit),
      ...leadOf(viewer, hit),
      operation: namedOperation(hit.operation_id, names),
    })),
    more,
  };
}

const NOTHING = {
  status: null,
  amount: null,
  external_id: null,
  player_ref: null,
  object_id: null,
} as const;

function shown(hit: Hit): Omit<SearchHit, 'operation' | keyof Leading> {
  const found_by = [...hit.found_by];
  switch (hit.type) {
    case 'deposit':
    case 'withdrawal': {
      const { type, id, status, amount, external_id, player_ref, created_at: at } = hit;
      return { found_by, type, id, status, amount, external_id, player_ref, object_id: null, at };
    }
    case 'event':
    case 'operation':
    case 'key':
    case 'alert':
    case 'rule_change':
    case 'request_for_approval':
    case 'act':
    case 'cash_movement':
    case 'item_return': {
      const { type, id, status, object_id, since: at } = hit;
      return { ...NOTHING, found_by, type, id, status, object_id, at };
    }
    case 'request': {
      const { type, state: status, object_id, at } = hit;
      return { ...NOTHING, found_by, type, id: object_id ?? '', status, object_id, at };
    }
    case 'refused_payment':
      return { ...NOTHING, found_by, type: hit.type, id: hit.id, status: hit.code, at: hit.at };
    case 'player': {
      const { type, external_ref, known_since: at } = hit;
      return { ...NOTHING, found_by, type, id: external_ref, player_ref: external_ref, at };
    }
  }
}
