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
  open(provider: AccountName, size: number): Batch {
    const batch = { size, messages: [] };
    this.#open.set(provider, batch);
    return batch;
  }

  /** Ends a batch that is not full: what is to be sent now, or nothing. */
  close(provider: AccountName, batch: Batch, format: CallbackFormat): CallbackMessage | null {
    if (this.#open.get(provider) !== batch) return null;
    this.#open.delete(provider);
    return merged(batch, format);
  }

  /** What is to be sent now: the message itself, a full batch, or nothing yet. */
  take(provider: AccountName, message: CallbackMessage, format: CallbackFormat): CallbackMessage | null {
    const batch = this.#open.get(provider);
    // What cannot be batched is sent alone.
    if (batch === undefined || (format.mergeCallbacks?.([message.body]) ?? null) === null) return message;
    batch.messages.push(message);
    if (batch.messages.length < batch.size) return null;
    this.#open.delete(provider);
    return merged(batch, format);
  }
}

function merged({ messages }: Batch, format: CallbackFormat): CallbackMessage | null {
  const [first] = messages;
  if (first === undefined) return null;
  return { target: first.target, body: format.mergeCallbacks?.(messages.map((one) => one.body)) ?? first.body };
}
