// A month at a provider's account, generated: what the bank's statements say, and what is in the books once people have
// done what the documentation asks of them.
import fc from 'fast-check';
import type { BankMovementKind } from '../../domain/bank-movements.js';
import { localDate } from '../../domain/rules/local-time.js';
import type { BookedMovement, DatedLine } from '../../domain/statement-matching.js';
import { STATEMENT_TIME_ZONE } from '../../domain/statements.js';

export const FIRST_DAY = '2026-11-01';
export const LAST_DAY = '2026-11-30';
const DAYS = 28;

/** How a bank writes its statements, and what of a return the books know. */
export const STATEMENT_STYLES = {
  'API Pix': { paymentOfReturn: true, returnId: true },
  Woovi: { paymentOfReturn: false, returnId: true },
  'a bank without ids of returns': { paymentOfReturn: true, returnId: false },
} as const;
export type StatementStyle = keyof typeof STATEMENT_STYLES;

export interface Month {
  readonly lines: readonly DatedLine[];
  readonly movements: readonly BookedMovement[];
}

/** A moment of the month in minutes; often around midnight, where the bank may book on the day beside. */
const moment = fc.record({
  day: fc.integer({ min: 1, max: DAYS }),
  minute: fc.oneof(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 0, max: 59 })),
  isBookedBeside: fc.boolean(),
});
const amount = fc.integer({ min: 1, max: 5 }).map((reais) => BigInt(reais * 100));
const part = fc.record({ amount, at: moment });
const happening = fc.record({
  what: fc.constantFrom('deposit', 'withdrawal', 'transfer', 'charge', 'stray'),
  /** Of a late or extra payment too: the books have it all the same. */
  amount,
  at: moment,
  fee: fc.option(amount, { nil: null }),
  parts: fc.array(part, { maxLength: 3 }),
  isOut: fc.boolean(),
});
type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;

export function monthOf(style: StatementStyle): fc.Arbitrary<Month> {
  return fc.array(happening, { minLength: 1, maxLength: 12 }).map((all) => written(all, STATEMENT_STYLES[style]));
}

function written(happenings: readonly Happening[], style: (typeof STATEMENT_STYLES)[StatementStyle]): Month {
  const lines: DatedLine[] = [];
  const movements: BookedMovement[] = [];
  const add = (
    kind: BankMovementKind,
    amountMinor: bigint,
    at: Happening['at'],
    ids: {
      readonly payment: string | null;
      readonly ofReturn?: string;
      readonly isBooked?: boolean;
      readonly of: number;
    },
  ) => {
    const settledAt = instantOf(at);
    const id = `line-${lines.length + 1}`;
    const { payment, ofReturn, isBooked = true, of } = ids;
    const isNamed = payment !== null && (ofReturn === undefined || style.paymentOfReturn || !isBooked);
    const returnId = ofReturn !== undefined && style.returnId ? `D${ofReturn}` : null;
    const endToEndId = isNamed ? payment : null;
    lines.push({ id, day: dayOf(at, settledAt), kind, amountMinor, settledAt, endToEndId, returnId });
    if (!isBooked) return;
    const isPeople = payment === null;
    movements.push({
      // People may enter a bank's charge as a settlement: only the direction is the same.
      kind: kind === 'fee' && isPeople ? 'transfer_out' : kind,
      bankId: payment ?? `csh_${id}`,
      // The reference of the gateway's own return; the line has the bank's id of it.
      part: ofReturn === undefined ? '' : `ref-${ofReturn}`,
      returnId,
      document: isPeople ? id : null,
      amountMinor,
      settledAt: isPeople ? `${LAST_DAY}T15:00:00.000Z` : settledAt,
      operationId: 'op_1',
      subject: `object-${of}`,
    });
  };
  happenings.forEach((one, of) => {
    const payment = `E${String(of).padStart(31, '0')}`;
    const whole = one.parts.reduce((sum, each) => sum + each.amount, 0n);
    switch (one.what) {
      case 'deposit':
      case 'withdrawal': {
        const isIn = one.what === 'deposit';
        add(isIn ? 'received' : 'sent', one.amount + whole, one.at, { payment, of });
        one.parts.forEach((each, number) =>
          add(isIn ? 'returned_to_payer' : 'returned_to_us', each.amount, each.at, {
            payment,
            ofReturn: `${of}${number}`.padStart(31, '0'),
            of,
          }),
        );
        if (one.fee !== null) add('fee', one.fee, one.at, { payment, of });
        return;
      }
      case 'transfer':
        return add(one.isOut ? 'transfer_out' : 'transfer_in', one.amount, one.at, { payment: null, of });
      case 'charge':
        return add('fee', one.amount, one.at, { payment: null, of });
      case 'stray':
        // Nobody knows it, and all of it goes back.
        if (one.parts.length === 0) return;
        add(one.isOut ? 'sent' : 'received', whole, one.at, { payment, of, isBooked: false });
        one.parts.forEach((each, number) =>
          add(one.isOut ? 'returned_to_us' : 'returned_to_payer', each.amount, each.at, {
            payment,
            ofReturn: `${of}${number}`.padStart(31, '0'),
            of,
            isBooked: false,
          }),
        );
    }
  });
  return { lines, movements };
}

function instantOf({ day, minute }: Happening['at']): string {
  return new Date(Date.parse(`${FIRST_DAY}T03:00:00.000Z`) + (day * 1_440 + minute) * 60_000).toISOString();
}

/** The day of the statement: within the hour after midnight it may be the one before. */
function dayOf({ isBookedBeside, minute }: Happening['at'], settledAt: string): string {
  const ms = Date.parse(settledAt) - (isBookedBeside && minute < 60 ? 3_600_000 : 0);
  return localDate(new Date(ms), STATEMENT_TIME_ZONE);
}

/** One thing that is wrong with a statement. */
export const WRONG_LINES: Readonly<Record<string, (lines: readonly DatedLine[], at: number) => DatedLine[]>> = {
  'another amount': (lines, at) => changed(lines, at, (line) => ({ ...line, amountMinor: line.amountMinor + 1n })),
  'a line less': (lines, at) => lines.filter((_, index) => index !== at),
  'a line twice': (lines, at) => [...lines, { ...lines[at]!, id: 'line-twice' }],
  'a line more': (lines, at) => [
    ...lines,
    { ...lines[at]!, id: 'line-more', endToEndId: `E${'9'.repeat(31)}`, returnId: null },
  ],
  'another id': (lines, at) =>
    changed(lines, at, (line) => {
      if (line.endToEndId !== null) return { ...line, endToEndId: `E${'8'.repeat(31)}` };
      return line.returnId === null ? { ...line, id: 'line-other' } : { ...line, returnId: `D${'8'.repeat(31)}` };
    }),
  'the other direction': (lines, at) =>
    changed(lines, at, (line) => ({ ...line, kind: line.kind === 'transfer_in' ? 'transfer_out' : 'transfer_in' })),
};

function changed(lines: readonly DatedLine[], at: number, change: (line: DatedLine) => DatedLine): DatedLine[] {
  return lines.map((line, index) => (index === at ? change(line) : line));
}
