// What happened in a run, in the words of the field: one line for each thing that somebody did or saw.
import { createHash } from 'node:crypto';

const DAY_MS = 86_400_000;

export class Story {
  readonly lines: string[] = [];
  readonly #digest = createHash('sha256');
  readonly #beganMs: number;
  /** Prints each line as it happens. */
  isTold = false;

  constructor(private readonly nowMs: () => number) {
    this.#beganMs = nowMs();
  }

  tell(line: string): void {
    const at = new Date(this.nowMs()).toISOString().slice(11, 23);
    const dayOf = (ms: number) => Math.floor(ms / DAY_MS);
    const day = 1 + dayOf(this.nowMs()) - dayOf(this.#beganMs);
    const told = `day ${day} ${at}  ${line}`;
    this.lines.push(told);
    this.#digest.update(told);
    if (this.isTold) process.stdout.write(`${told}\n`);
  }

  /** The same for two runs that went the same way. */
  get digest(): string {
    return this.#digest.copy().digest('hex').slice(0, 12);
  }

  get hours(): number {
    return (this.nowMs() - this.#beganMs) / 3_600_000;
  }
}

/** `dep_0123…` is enough to know a payment by. */
export const short = (id: string): string => id.slice(0, 10);
/** The reference of a payment at its provider. */
export const referenceOf = (id: string): string => id.slice(id.indexOf('_') + 1);
export const brl = (amountMinor: string | bigint): string => {
  const text = String(amountMinor).padStart(3, '0');
  return `R$ ${text.slice(0, -2)},${text.slice(-2)}`;
};
