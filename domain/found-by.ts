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
  'id_end',
  'amount',
] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** What a hit was found by: a text of one of these kinds, or a document or PIX key, which are looked for by hashes. */
export const FOUND_BY = [...TEXT_KINDS, 'document', 'pix_key'] as const;
export type FoundBy = (typeof FOUND_BY)[number];
