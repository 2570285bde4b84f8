// The inbox of a workflow. Every request, signal and call result goes through it and is applied one at a time, because
// the workflow is the only writer of its object.

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

/** The pending answer to an update. Its handler puts the reply into the inbox and awaits `promise`. */
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
