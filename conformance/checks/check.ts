// What a check is: data for people, and the play that says whether an integration passes.
import type { Stage } from './stage.js';

export interface Check {
  /** Stable: reports and go-live lists name it. */
  readonly id: string;
  /** What a good integration does. */
  readonly title: string;
  /** What the kit does to see it. */
  readonly played: string;
  readonly mustHold: string;
  readonly why: string;
  /** The section of the guide that says it. */
  readonly guide: GuideSection;
  /** `alone`: it changes something for the whole program. `last`: it judges everything that was sent. */
  readonly when: 'together' | 'alone' | 'last';
  /** Throws a CheckFailure where the integration does something else, and NotApplicable where there is nothing to see. */
  readonly play: (stage: Stage) => Promise<void>;
}

/** Their anchors in docs/integrating.md. */
export const GUIDE_SECTIONS = {
  signing: '1-sign-every-request',
  repetition: '3-send-every-post-so-that-it-can-be-repeated',
  deposits: '4-deposits',
  withdrawals: '5-withdrawals',
  webhooks: '6-webhooks',
  reconciliation: '7-reconcile-every-closed-day',
  tolerance: '8-be-tolerant',
} as const;

export type GuideSection = keyof typeof GUIDE_SECTIONS;
