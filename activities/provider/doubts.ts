// Alerts about what a provider answered: that its clock is minutes away, that an answer cannot be used, that it wants
// no calls for a while. A payment never waits for them: one that cannot be stored is raised by the next such answer.
import type { AlertKind } from '../../domain/alerts.js';
import { differenceOf } from '../../domain/provider-clock.js';
import type { Unknown } from '../../providers/port.js';
import type { GatewayAlert } from '../../store/alerts/alerts.js';

export type RaiseAlert = (alert: GatewayAlert) => Promise<void>;

/** The payment that the provider was asked about. */
export interface AskedAbout {
  readonly provider: string;
  readonly id: string;
  readonly operationId: string;
  /** The step's time. */
  readonly at: string;
}

/** A shorter wait passes before anybody could act. */
const ALERTED_WAIT_SECONDS = 60;

export class ProviderDoubts {
  constructor(private readonly raise: RaiseAlert) {}

  /** `what`: whose time it is. At most one open alert for each account. */
  async ofClock({ provider, id, at }: AskedAbout, what: string, stated: string): Promise<void> {
    const detail = `provider ${provider}: ${what} (${differenceOf(stated, at)}; ${id})`;
    await this.#note('PROVIDER_CLOCK_DIFFERS', { operationId: null, objectId: provider, at }, detail);
  }

  /** Nothing is noted of an answer that only has to be asked for again. */
  async ofAnswer(asked: AskedAbout, { reason, doubt, retryAfterSeconds = 0 }: Unknown): Promise<void> {
    const { provider, id: objectId, operationId, at } = asked;
    if (retryAfterSeconds >= ALERTED_WAIT_SECONDS) {
      const detail = `provider ${provider} wants no call for ${retryAfterSeconds} s`;
      await this.#note('PROVIDER_TOLD_TO_WAIT', { operationId: null, objectId: provider, at }, detail);
    }
    const about = { operationId, objectId, at };
    switch (doubt?.kind) {
      case undefined:
        return;
      case 'unreadable':
        return this.#note('ANSWER_UNREADABLE', about, `${objectId}: provider ${provider}: ${doubt.field} (${reason})`);
      case 'foreign_code':
        return this.#note('CODE_OF_ANOTHER_CHARGE', about, `${objectId}: provider ${provider}: ${reason}`);
    }
  }

  async #note(kind: AlertKind, about: Pick<GatewayAlert, 'operationId' | 'objectId' | 'at'>, detail: string) {
    try {
      await this.raise({ ...about, kind, detail, occasion: null });
    } catch {
      // The database does not answer: the step that stores the answer reports that.
    }
  }
}
