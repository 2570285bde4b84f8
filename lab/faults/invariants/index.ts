// All invariants, in the order they are checked: settling first, for the others look at what came of it.
import { keys, promises } from './answers.js';
import { events, versions } from './events.js';
import type { Invariant } from './invariant.js';
import { money } from './money.js';
import { objects } from './objects.js';
import { sends } from './sends.js';
import { settlement } from './settlement.js';

export const INVARIANTS: readonly Invariant[] = [settlement, events, versions, money, objects, sends, promises, keys];
