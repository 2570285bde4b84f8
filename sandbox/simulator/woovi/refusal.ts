// A refusal of the simulated Woovi on its way to the one place that writes it.

export class WooviRefusal extends Error {
  constructor(
    readonly status: 400 | 404 | 429 | 500,
    readonly text: string,
    readonly errorCode: string | null = null,
  ) {
    super(text);
  }
}
