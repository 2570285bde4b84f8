// Lives that are played in every test run: those that once found a fault, and a few that reach much.

export interface KeptLife {
  readonly seed: number;
  readonly scale: number;
  /** What it found, or why it is kept. */
  readonly because: string;
}

export const KEPT_LIVES: readonly KeptLife[] = [
  { seed: 3, scale: 0.1, because: 'two plays differed: a picture of a PIX was packed in real time' },
  { seed: 8, scale: 0.1, because: 'a small life of everything at once' },
  { seed: 97_136, scale: 1, because: 'decisions made during a stop of automatic withdrawals did not reproduce' },
];
