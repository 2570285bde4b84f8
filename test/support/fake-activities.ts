// Every activity of the gateway as a double, typed as the factory's own result: an activity that is missing here does
// not compile. The doubles keep state and are scripted per payment, so that tests do not meet.
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import type { GatewayActivities, PaymentSteps } from '../../activities/index.js';
import { createDepositSteps, createWithdrawalSteps } from '../../activities/payments/index.js';
import type { Clock } from '../../activities/intercepted.js';
import { offeredAt } from './intercepted.js';
import { CLOCKS } from '../../activities/payments/withdrawal/deadline.js';
import type { SweepActivities } from '../../activities/types.js';
import { MemoryAttempts, type StartDelivery } from '../../activities/webhooks/memory-attempts.js';
import { Sealer } from '../../store/sealing/sealer.js';
import { keysInMemory } from '../../store/sealing/keys.js';
import { FakeOperations } from './fakes/operations.js';
import { FakeDatabase } from './fakes/database.js';
import { FakeProvider } from './fakes/provider.js';
import { FakeReceiver } from './fakes/receiver.js';
import { FakeRules } from './fakes/rules.js';

/** The fake receiver needs neither a target nor a body. */
const NOWHERE = { target: { url: null, secrets: [] }, body: Buffer.of(), createdAt: new Date(0).toISOString() };
const FIRST = { request: '', attempts: 0, dueAt: new Date(0).toISOString() };

/** The world outside the workflows. */
export class FakeWorld {
  /** Real sealing, with a key for tests: what crosses Temporal is as unreadable as in production. */
  readonly sealer = new Sealer(
    keysInMemory(
      [{ id: 'test', key: createHash('sha256').update('sealing').digest() }],
      createHash('sha256').update('hash').digest(),
    ),
  );
  readonly database = new FakeDatabase(this.sealer);
  readonly operations = new FakeOperations(this.database);
  readonly provider = new FakeProvider(this.database);
  readonly rules = new FakeRules(this.database);
  readonly receiver = new FakeReceiver(this.database);
  /** Continues the delivery of an event whose first attempt failed. A stage puts its server's in. */
  startDelivery: StartDelivery = () => Promise.reject(new Error('there is no Temporal'));
  private readonly attempts = new MemoryAttempts({
    deliver: async (input) => this.receiver.receive(input, { atMs: await this.clock(), workflowId: null }),
    endExhausted: async () => undefined,
    startDelivery: (delivery) => this.startDelivery(delivery),
    logger: pino({ level: 'silent' }),
    afterMs: 0,
  });
  /** The environment of the workers. */
  environment: 'sandbox' | 'production' = 'sandbox';

  /** What time it is for every activity. A stage that skips time puts its server's in. */
  clock: Clock = Date.now;

  /** No account lists what it received, unless a test says otherwise. */
  sweeps: SweepActivities = { sweepPage: async () => ({ kind: 'refused', reason: 'not_listed' }) };

  constructor() {
    this.database.onPublished = ({ id: eventId, operationId, objectId }) =>
      this.attempts.deliver({ eventId, operationId, objectId, ...FIRST, delivery: NOWHERE });
  }

  activities(): GatewayActivities {
    const steps = this.steps();
    const offered = <Activities extends object>(activities: Activities) => offeredAt(() => this.clock(), activities);
    return {
      payments: offered({
        ...steps,
        ...this.database.activities,
        ...this.operations.activities,
      }),
      providers: offered({
        ...steps,
        sweepPage: (input: Parameters<SweepActivities['sweepPage']>[0]) => this.sweeps.sweepPage(input),
      }),
      rules: offered(steps),
      webhooks: offered(this.receiver.activities),
    };
  }

  private steps(): PaymentSteps {
    const { sealer } = this;
    const rules = this.rules.engine;
    const withdrawals = () =>
      createWithdrawalSteps({
        withdrawals: this.database.withdrawals,
        rules,
        payouts: this.provider.payoutCalls,
        sealer,
        environment: this.environment,
        clocks: CLOCKS,
      });
    return {
      ...createDepositSteps({
        deposits: this.database.deposits,
        rules,
        charges: this.provider.chargeCalls,
        sealer,
        environment: this.environment,
      }),
      ...withdrawals(),
      // The environment of the process may change between two sends.
      sendPayout: (input) => withdrawals().sendPayout(input),
    };
  }

  /** Everything works again, for whatever is still open. */
  heal(): void {
    this.environment = 'sandbox';
    this.database.heal();
    this.operations.heal();
    this.provider.heal();
    this.rules.heal();
    this.receiver.heal();
  }
}
