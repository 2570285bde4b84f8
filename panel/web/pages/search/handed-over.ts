// A text that another part of the page wants searched: it may be a document, so it is in no address.
let text = '';

/** The search page begins with this text when it opens next. */
export function handOver(wanted: string): void {
  text = wanted;
}

/** The text, once. */
export function takeOver(): string {
  const taken = text;
  text = '';
  return taken;
}
