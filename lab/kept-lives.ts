// Lives that are played in every test run: small ones that reach much. A change of the world changes what a seed
// plays, so a fault that a search found is held by a test of its own; what a life found is in docs/exploration.md.

export interface KeptLife {
  readonly seed: number;
  readonly scale: number;
  /** What it found, or why it is kept. */
  readonly because: string;
}

export const KEPT_LIVES: readonly KeptLife[] = [
  { seed: 3, scale: 0.1, because: 'two plays differed: a picture of a PIX was packed in real time' },
  { seed: 8, scale: 0.1, because: 'a small life of everything at once, at Efí' },
  { seed: 23, scale: 0.3, because: 'money goes back at Woovi, also by disputes' },
];
