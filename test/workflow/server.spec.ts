// Workflows on a real Temporal server whose time is skipped, over the real SDK: lives of each kind, what histories hold
// and cost, and what staff see. The server and its workers cost seconds, so one serves all of these; what workflows
// decide is tested on the lab's model of Temporal (docs/decisions/0028).
import { useGateway } from './harness/gateway.js';
import { actsTests } from './server/acts.js';
import { cancelRequestTests } from './server/cancel-request.js';
import { historyCostTests } from './server/history-cost.js';
import { livesTests } from './server/lives.js';
import { operationsViewTests } from './server/operations-view.js';
import { timedLivesTests } from './server/timed-lives.js';

describe('on a time-skipping server', () => {
  const gateway = useGateway({ on: 'time-skipping server' });
  livesTests(gateway);
  timedLivesTests(gateway);
  actsTests(gateway);
  cancelRequestTests(gateway);
  historyCostTests(gateway);
  operationsViewTests(gateway);
});
