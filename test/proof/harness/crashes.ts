// What a killed worker leaves behind, made to happen at a chosen moment to a chosen payment: a step that was done and
// of which Temporal never learns.
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { GatewayActivities, PaymentSteps } from '../../../activities/index.js';
import { Gate } from '../../support/fakes/gate.js';

type Step = (input: never) => Promise<unknown>;

export class Crashes {
  /** Before the completions of steps, by payment and name. */
  private readonly gates = new Map<string, Gate>();

  /** This payment's step of that name is done; its completion is lost when the gate opens. */
  loseCompletionAt(objectId: string, step: keyof PaymentSteps & string): Gate {
    const gate = new Gate();
    gate.close();
    this.gates.set(`${objectId} ${step}`, gate);
    return gate;
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

  private wrap<Group extends object>(group: Group): Group {
    const lossy = (name: string, step: Step) => async (input: never) => {
      const place = `${activityInfo().workflowExecution?.workflowId ?? ''} ${name}`;
      const result = await step(input);
      const gate = this.gates.get(place);
      if (gate === undefined) return result;
      await gate.passed();
      this.gates.delete(place);
      throw ApplicationFailure.retryable('the worker was killed', 'WorkerKilled');
    };
    return Object.fromEntries(
      Object.entries(group as Record<string, Step>).map(([name, step]) => [name, lossy(name, step)]),
    ) as Group;
  }
}
