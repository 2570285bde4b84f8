// What a killed worker leaves behind, made to happen at a chosen moment to a chosen payment: a step that was done and
// of which Temporal never learns, and a workflow task that is lost after its steps were stored.
import { activityInfo, Context } from '@temporalio/activity';
import { ApplicationFailure, type DataConverter, type PayloadCodec } from '@temporalio/common';
import type { GatewayActivities, PaymentSteps } from '../../../activities/index.js';
import { Gate } from '../../support/fakes/gate.js';

type Step = (input: never) => Promise<unknown>;

export class Crashes {
  /** Steps still to be lost, by payment. */
  private readonly completions = new Map<string, number>();
  private readonly tasks = new Map<string, number>();
  private readonly sends = new Map<string, number>();
  /** Before the completions of steps, by payment and name. */
  private readonly gates = new Map<string, Gate>();

  /** The next step of this payment (Postgres, provider, rules or webhook) is done, and its completion lost. */
  loseCompletion(objectId: string): void {
    this.completions.set(objectId, (this.completions.get(objectId) ?? 0) + 1);
  }

  /** The worker of this payment's next send is lost before it begins. */
  loseSend(objectId: string): void {
    this.sends.set(objectId, (this.sends.get(objectId) ?? 0) + 1);
  }

  /**
   * The next workflow task of this payment that would start an activity is lost; what it stored in Postgres is stored.
   */
  loseTask(objectId: string): void {
    this.tasks.set(objectId, (this.tasks.get(objectId) ?? 0) + 1);
  }

  /** This payment's step of that name is done; its completion is lost when the gate opens. */
  loseCompletionAt(objectId: string, step: keyof PaymentSteps & string): Gate {
    const gate = new Gate();
    gate.close();
    this.gates.set(`${objectId} ${step}`, gate);
    return gate;
  }

  heal(): void {
    for (const gate of this.gates.values()) gate.open();
    this.completions.clear();
    this.tasks.clear();
    this.sends.clear();
  }

  /** The same activities, whose completions can be lost. */
  around({ payments, providers, rules, webhooks }: GatewayActivities): GatewayActivities {
    return {
      payments: this.wrap(payments),
      providers: this.wrap(providers),
      rules: this.wrap(rules),
      webhooks: this.wrap(webhooks),
    };
  }

  /** For the workers: a task that cannot be handed over is a task whose worker died at that moment. */
  get dataConverter(): DataConverter {
    const codec: PayloadCodec = {
      encode: async (payloads, context) => {
        const schedules = context?.type === 'activity' && !context.isLocal;
        if (schedules && context.workflowId !== undefined && take(this.tasks, context.workflowId)) {
          throw new Error('the worker was killed');
        }
        return payloads;
      },
      decode: async (payloads) => payloads,
    };
    return { payloadCodecs: [codec] };
  }

  private wrap<Group extends object>(group: Group): Group {
    const lossy = (name: string, step: Step) => async (input: never) => {
      const payment = activityInfo().workflowExecution?.workflowId ?? '';
      // Not heard of again until the test's worker ends.
      if (name === 'sendPayout' && take(this.sends, payment)) await Context.current().cancelled;
      const result = await step(input);
      const gate = this.gates.get(`${payment} ${name}`);
      await gate?.passed();
      this.gates.delete(`${payment} ${name}`);
      if (gate !== undefined || take(this.completions, payment)) {
        throw ApplicationFailure.retryable('the worker was killed', 'WorkerKilled');
      }
      return result;
    };
    return Object.fromEntries(
      Object.entries(group as Record<string, Step>).map(([name, step]) => [name, lossy(name, step)]),
    ) as Group;
  }
}

function take(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0;
  if (left > 0) counts.set(key, left - 1);
  return left > 0;
}
