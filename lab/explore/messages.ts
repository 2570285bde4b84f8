// What the searching process and those that play lives for it say to each other.
import type { LifeEnd } from '../life.js';

/** A life to play. */
export interface Order {
  readonly seed: number;
  readonly scale: number;
  readonly until: number | null;
  readonly without: readonly string[];
  readonly isTold: boolean;
  /** Whether to find the smallest life that fails the same way. */
  readonly shrinks: boolean;
}

/** The smallest life found that fails the same way. */
export interface Shrunk {
  readonly end: LifeEnd;
  readonly until: number | null;
  readonly without: readonly string[];
  /** How many lives were played to find it. */
  readonly played: number;
}

export type Message =
  | { readonly kind: 'ready' }
  /** Said every so often: the process is not held up by code that never ends. */
  | { readonly kind: 'alive'; readonly processorMs: number }
  /** A life failed. It is made smaller, and told then. */
  | { readonly kind: 'found'; readonly end: LifeEnd }
  | { readonly kind: 'played'; readonly end: LifeEnd; readonly coverage: readonly (readonly [string, number])[] }
  | { readonly kind: 'failed'; readonly end: LifeEnd; readonly shrunk: Shrunk | null }
  | { readonly kind: 'broken'; readonly text: string };
