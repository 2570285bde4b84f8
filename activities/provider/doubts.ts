// Alerts about what a provider answered: that its clock is minutes away, that an answer cannot be used, that it wants
// no calls for a while. A payment never waits for them: one that cannot be stored is raised by the next such answer.
import { alertOf, type RecordWords } from '../../domain/alert-records.js';
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

  /** `timed`: whose time it is. At most one open alert for each account. */
  async ofClock({ provider, id, at }: AskedAbout, timed: RecordWords['timed'], stated: string): Promise<void> {
    const values = { provider, timed, ...differenceOf(stated, at), payment: id };
    await this.#note(
      { operationId: null, objectId: provider, at },
      alertOf('PROVIDER_CLOCK_DIFFERS', 'answer', values),
    );
  }

  /** Nothing is noted of an answer that only has to be asked for again. */
  async ofAnswer(asked: AskedAbout, { reason, doubt, retryAfterSeconds = 0 }: Unknown): Promise<void> {
    const { provider, id: objectId, operationId, at } = asked;
    if (retryAfterSeconds >= ALERTED_WAIT_SECONDS) {
      const said = alertOf('PROVIDER_TOLD_TO_WAIT', 'wait', { provider, seconds: retryAfterSeconds });
      await this.#note({ operationId: null, objectId: provider, at }, said);
    }
    const about = { operationId, objectId, at };
    const values = { payment: objectId, provider, code: reason };
    switch (doubt?.kind) {
      case undefined:
        return;
      case 'unreadable':
        return this.#note(about, alertOf('ANSWER_UNREADABLE', 'field', { ...values, field: doubt.field }));
      case 'foreign_code':
        return this.#note(about, alertOf('CODE_OF_ANOTHER_CHARGE', 'code', values));
    }
  }

  async #note(
    about: Pick<GatewayAlert, 'operationId' | 'objectId' | 'at'>,
    said: Pick<GatewayAlert, 'kind' | 'detail'>,
  ) {
    try {
      await this.raise({ ...about, ...said, occasion: null });
    } catch {
      // The database does not answer: the step that stores the answer reports that.
    }
  }
}
