// A row that must exist and does not: asking again will not help.

export class MissingRowError extends Error {
  override readonly name = 'MissingRowError';
  constructor(
    readonly row: 'Deposit' | 'Withdrawal' | 'RuleSet' | 'RuleChange',
    message: string,
  ) {
    super(message);
  }
}
