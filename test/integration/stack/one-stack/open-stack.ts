// What the tests of test/integration/stack/one-stack.spec.ts share.
import type { Stack } from '../../../../lab/harness/stack.js';

/** The running stack with a new operation and a receiver of its own; `close` closes the receiver. */
export type OpenStack = () => Promise<Stack>;
