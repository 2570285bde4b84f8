// Callbacks that are held back to go out together, as banks send several PIX in one call. A restart forgets them.
import type { AccountName } from '../../providers/port.js';
import type { CallbackMessage, CallbackFormat } from './callback-format.js';

interface Batch {
  readonly size: number;
  readonly messages: CallbackMessage[];
}

export class Batches {
  readonly #open = new Map<AccountName, Batch>();

  /** The next `size` callbacks of this provider go out in one call. */
  open(provider: AccountName, size: number): void {
    this.#open.set(provider, { size, messages: [] });
  }

  /** What is to be sent now: the message itself, a full batch, or nothing yet. */
  take(provider: AccountName, message: CallbackMessage, format: CallbackFormat): CallbackMessage | null {
    const batch = this.#open.get(provider);
    // What cannot be batched is sent alone.
    if (batch === undefined || (format.mergeCallbacks?.([message.body]) ?? null) === null) return message;
    batch.messages.push(message);
    if (batch.messages.length < batch.size) return null;
    this.#open.delete(provider);
    const body = format.mergeCallbacks?.(batch.messages.map((one) => one.body)) ?? message.body;
    return { target: message.target, body };
  }
}
