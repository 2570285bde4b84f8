// Drift: answers that the provider's documentation does not describe. They are never guessed at. Drift leaves the
// outcome inconclusive, or is ignored. It is reported here, so that a metric counts it and people check what changed.

export const DRIFT = {
  unreadable_answer: 'an answer without a field that it needs, or with one of another form',
  unreadable_callback: 'a verified callback that cannot be read',
  unknown_state: 'a state that is in no table',
  unknown_error: 'a refusal in words that are in no list',
  unknown_event: 'a callback about an event that is in no list',
  unknown_field: 'a field that the documentation does not have',
} as const;
export type Drift = keyof typeof DRIFT;

/** Told of each. It must not throw. */
export type NoteDrift = (what: Drift) => void;
