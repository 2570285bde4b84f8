// Chance from a seed: every draw of a run comes from here, so that a seed replays.

/** A stream of draws (splitmix64 and xorshift would do; this is sfc32, which is fast and passes PractRand). */
export class Chance {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  constructor(seed: number | string) {
    let hash = 2_166_136_261;
    for (const letter of String(seed)) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
    this.#a = hash | 0;
    this.#b = Math.imul(hash, 0x9e3779b9) | 0;
    this.#c = 0x243f6a88;
    for (let round = 0; round < 12; round += 1) this.bits();
  }

  /** 32 random bits. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** In [0, 1). */
  unit(): number {
    return this.bits() / 4_294_967_296;
  }

  /** Whether something of this probability happens. */
  is(probability: number): boolean {
    return this.unit() < probability;
  }

  /** A whole number of `from` to `to`, both included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1));
  }

  /** One of them. */
  of<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('nothing to choose from');
    return items[this.whole(0, items.length - 1)] as Item;
  }

  /** One of the names, by weight. */
  weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.unit() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return (entries.at(-1) as [Name, number])[0];
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let index = 0; index < length; index += 1) bytes[index] = this.bits() & 255;
    return bytes;
  }

  uuid(): `${string}-${string}-${string}-${string}-${string}` {
    const bytes = this.bytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
    bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
    const text = bytes.toString('hex');
    return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
  }

  /** A stream of its own, which draws of this one do not move. */
  branch(name: string): Chance {
    return new Chance(`${this.bits()}/${name}`);
  }

  /** Streams by name: one more name leaves the others as they were. */
  branches(): (name: string) => Chance {
    const from = this.bits();
    return (name) => new Chance(`${from}/${name}`);
  }
}
