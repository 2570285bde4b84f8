// Every fault to plant, by area. A fault is data: a text of one file, what replaces it, and the harm that does.
import { ACTIVITY_FAULTS } from './activities.mjs';
import { DOMAIN_FAULTS } from './domain.mjs';
import { PROVIDER_FAULTS } from './providers.mjs';
import { STAFF_FAULTS } from './staff.mjs';
import { STORE_FAULTS } from './store.mjs';
import { WORKFLOW_FAULTS } from './workflows.mjs';

/** What kind of mistake a fault is. */
export const KINDS = /** @type {const} */ ([
  'comparison',
  'dropped_signal',
  'early_expiry',
  'forgotten_case',
  'guessed_outcome',
  'lost_await',
  'missing_idempotency',
  'missing_release',
  'off_by_a_day',
  'off_by_one',
  'swallowed_error',
  'timer_never_set',
  'version_order',
  'wrong_account',
  'wrong_amount',
  'wrong_guard',
  'wrong_sign',
  'wrong_unit',
]);

/**
 * @typedef {object} PlantedFault
 * @property {string} name what is wrong, in kebab-case
 * @property {string} file below the root
 * @property {string} from a text that is in the file exactly once; lines beyond the changed one only place it
 * @property {string} to what replaces it: the same text but for one line, which is changed or left out
 * @property {(typeof KINDS)[number]} kind
 * @property {string} harm what it does to money or to progress, in one sentence
 */

/**
 * @typedef {object} FaultArea
 * @property {string} name
 * @property {RegExp} files where its faults are planted
 * @property {number} atLeast how many faults it has at least
 * @property {readonly PlantedFault[]} faults
 */

/** @type {readonly FaultArea[]} */
export const AREAS = [
  { name: 'workflows', files: /^workflows\//, atLeast: 20, faults: WORKFLOW_FAULTS },
  { name: 'activities', files: /^activities\//, atLeast: 15, faults: ACTIVITY_FAULTS },
  { name: 'store', files: /^(store|prisma\/functions)\//, atLeast: 15, faults: STORE_FAULTS },
  { name: 'domain', files: /^domain\//, atLeast: 10, faults: DOMAIN_FAULTS },
  { name: 'providers', files: /^providers\//, atLeast: 10, faults: PROVIDER_FAULTS },
  { name: 'staff', files: /^staff\//, atLeast: 1, faults: STAFF_FAULTS },
];

/** Every fault, in the order of the areas. */
export const FAULTS = AREAS.flatMap(({ faults }) => faults);
