// Every scenario of the campaign, in the order they are played.
import type { Scenario } from '../scenario.js';
import { killedApi } from './killed-api.js';
import { killedWorker } from './killed-worker.js';

export const SCENARIOS: readonly Scenario[] = [...killedApi, ...killedWorker];
