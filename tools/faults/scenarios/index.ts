// Every scenario of the campaign, in the order they are played.
import type { Scenario } from '../scenario.js';
import { badLinks } from './bad-links.js';
import { clocks } from './clocks.js';
import { contradictions } from './contradictions.js';
import { dependencies } from './dependencies.js';
import { killedApi } from './killed-api.js';
import { killedAtRandom } from './killed-at-random.js';
import { killedDemoOperator } from './killed-demo-operator.js';
import { killedMidCall } from './killed-mid-call.js';
import { killedServers } from './killed-servers.js';
import { killedWorker } from './killed-worker.js';
import { lateRequests } from './late-requests.js';
import { powerCut } from './power-cut.js';
import { providerAnswers } from './provider-answers.js';
import { providerCallbacks } from './provider-callbacks.js';
import { races } from './races.js';
import { receivers } from './receivers.js';
import { rollingRestart } from './rolling-restart.js';
import { security } from './security/index.js';
import { storms } from './storms.js';

export const SCENARIOS: readonly Scenario[] = [
  ...killedApi,
  ...killedWorker,
  ...killedMidCall,
  ...killedServers,
  ...killedDemoOperator,
  ...powerCut,
  ...killedAtRandom,
  ...rollingRestart,
  ...badLinks,
  ...lateRequests,
  ...providerAnswers,
  ...providerCallbacks,
  ...contradictions,
  ...receivers,
  ...storms,
  ...races,
  ...clocks,
  ...dependencies,
  ...security,
];
