// What needs a whole gateway with default settings: one stack for all, and an operation for each.
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import { cashBoxTests } from './one-stack/cash-box.js';
import { clockTests } from './one-stack/clock.js';
import { erasureTests } from './one-stack/erasure.js';
import { guideTests } from './one-stack/guide.js';
import { movedOperationTests } from './one-stack/moved-operation.js';
import { pausedProviderTests } from './one-stack/paused-provider.js';
import { recipeTests } from './one-stack/recipes.js';
import { redeliveryTests } from './one-stack/redelivery.js';
import { rulesAndDaysTests } from './one-stack/rules-and-days.js';
import { temporalPageTests } from './one-stack/temporal-page.js';
import { toolTests } from './one-stack/tool.js';
import { workflowVerifyTests } from './one-stack/workflow-verify.js';

describe('on one stack', function () {
  let stack: Stack | undefined;

  before(async function () {
    this.timeout(60_000);
    // The guide's examples are one player's.
    stack = await startStack({ variables: { SANDBOX_WITHDRAWALS_PER_PLAYER_AND_HOUR: '20' } });
  });
  after(() => stack?.close());

  const openStack = async () => {
    if (stack === undefined) throw new Error('the stack did not start');
    return stack.withNewOperation();
  };

  // First: these count every open payment, and read every row and every history.
  workflowVerifyTests(openStack);
  erasureTests(openStack);
  cashBoxTests(openStack);
  clockTests(openStack);
  guideTests(openStack);
  movedOperationTests(openStack);
  pausedProviderTests(openStack);
  recipeTests(openStack);
  redeliveryTests(openStack);
  rulesAndDaysTests(openStack);
  temporalPageTests(openStack);
  toolTests(openStack);
});
