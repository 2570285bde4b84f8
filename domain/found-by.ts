// What a search recognises a text as: in the order of the look-ups, for the command and for the panel.

export const TEXT_KINDS = [
  'id',
  'key_id',
  'trace_id',
  'end_to_end_id',
  'provider_reference',
  'external_id',
  'idempotency_key',
  'player_ref',
] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** What a hit was found by: a text of one of these kinds, or a document, which is looked for by its hash. */
export const FOUND_BY = [...TEXT_KINDS, 'document'] as const;
export type FoundBy = (typeof FOUND_BY)[number];
