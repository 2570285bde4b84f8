// Everything that wants something of a payment is put into its inbox and taken out one at a time: the workflow is the
// single writer of its object.

/** A first-in, first-out list. */
export class Inbox<Item> {
  private readonly items: Item[] = [];

  put(item: Item): void {
    this.items.push(item);
  }

  take(): Item | undefined {
    return this.items.shift();
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }
}

/** What somebody waits for: an update handler puts it into the inbox and awaits the answer. */
export interface Reply<Answer> {
  readonly answer: (answer: Answer) => void;
  readonly promise: Promise<Answer>;
}

export function newReply<Answer>(): Reply<Answer> {
  let answer: (answer: Answer) => void = () => undefined;
  const promise = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  return { answer, promise };
}
