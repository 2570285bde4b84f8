// Lines of a provider's statement matched with the movements in the books, one with one and over all days
// (docs/decisions/0015).
import { BANK_MOVEMENT_KINDS, type BankMovementKind } from './bank-movements.js';
import { isReturnId } from './payments/returns.js';
import { localDate } from './rules/local-time.js';
import { STATEMENT_TIME_ZONE, type StatementDifference, type StatementLine } from './statements.js';

/** A line with the day of the statement that has it. */
export interface DatedLine extends StatementLine {
  readonly day: string;
}

/** A movement at the account that is in the books. */
export interface BookedMovement {
  readonly kind: BankMovementKind;
  /** The payment's id at the bank. */
  readonly bankId: string;
  /** The return within the payment; empty for the payment itself. */
  readonly part: string;
  /** The return's id in PIX (`D…`), if the provider reported it. */
  readonly returnId: string | null;
  /** What people entered names the line here, and has no ids of the bank; `null` for movements of payments. */
  readonly document: string | null;
  readonly amountMinor: bigint;
  readonly settledAt: string;
  readonly operationId: string;
  /** The payment or the cash movement. */
  readonly subject: string;
}

/** The first and the last day with lines; `null` if there is none. */
export type ImportedDays = { readonly first: string; readonly last: string } | null;

/** What does not match. `identity` stays the same for the same line or movement, whatever becomes of it. */
export interface UnmatchedMovement extends StatementDifference {
  readonly identity: string;
  readonly day: string;
}

/** Banks book what is settled around midnight on either day. */
const EDGE_MS = 3_600_000;

/** Lines and movements that nothing is matched with any more. */
class Unmatched {
  constructor(
    public lines: readonly DatedLine[],
    public movements: readonly BookedMovement[],
  ) {}

  /** Matches each line, in order, with the first movement of the same key that fits it. @returns the pairs */
  pair(
    keysOfLine: (line: DatedLine) => readonly (string | null)[],
    keyOf: (movement: BookedMovement) => string | null,
    fits: (line: DatedLine, movement: BookedMovement) => boolean = () => true,
  ): readonly (readonly [DatedLine, BookedMovement])[] {
    const byKey = new Map<string, BookedMovement[]>();
    for (const movement of this.movements) {
      const key = keyOf(movement);
      if (key !== null) byKey.set(key, [...(byKey.get(key) ?? []), movement]);
    }
    const taken = new Set<BookedMovement>();
    const pairs = this.lines.flatMap((line) => {
      const candidates = keysOfLine(line).flatMap((key) => (key === null ? [] : (byKey.get(key) ?? [])));
      const movement = candidates.find((one) => !taken.has(one) && fits(line, one));
      if (movement === undefined) return [];
      taken.add(movement);
      return [[line, movement] as const];
    });
    const matched = new Set(pairs.map(([line]) => line));
    this.lines = this.lines.filter((line) => !matched.has(line));
    this.movements = this.movements.filter((movement) => !taken.has(movement));
    return pairs;
  }
}

/**
 * What of the lines and movements does not match. A payment's movement has the line's kind, end-to-end id and amount,
 * and no other return id; a return may be named by its own id alone. What people entered names the line as its
 * document, and moves as much the same way.
 */
export function unmatchedOf(
  lines: readonly DatedLine[],
  movements: readonly BookedMovement[],
  imported: ImportedDays,
): readonly UnmatchedMovement[] {
  // Lines that name their return choose first.
  const ordered = [...lines].sort(
    (one, other) =>
      Number(one.returnId === null) - Number(other.returnId === null) ||
      compare(one.settledAt, other.settledAt) ||
      compare(one.id, other.id),
  );
  const rest = new Unmatched(ordered, [...movements].sort(inOrder));
  const isSamePayment = (line: DatedLine, { bankId }: BookedMovement) =>
    line.endToEndId === null || line.endToEndId === bankId;
  const isSameAmount = (line: DatedLine, movement: BookedMovement) => line.amountMinor === movement.amountMinor;
  const mayBeSameReturn = (line: DatedLine, movement: BookedMovement) =>
    line.returnId === null || returnIdOf(movement) === null;
  const returnOfLine = ({ kind, returnId }: DatedLine) => [returnId === null ? null : `${kind} ${returnId}`];
  const returnOf = (movement: BookedMovement) => {
    const returnId = returnIdOf(movement);
    return returnId === null ? null : `${movement.kind} ${returnId}`;
  };
  const paymentOfLine = (line: DatedLine) => [`${line.kind} ${referenceOf(line)}`];
  const paymentOf = ({ kind, bankId, document }: BookedMovement) => (document === null ? `${kind} ${bankId}` : null);
  const documentsOfLine = (line: DatedLine) => namesOf(line).map((name) => `${BANK_MOVEMENT_KINDS[line.kind]} ${name}`);
  const documentOf = ({ kind, document }: BookedMovement) =>
    document === null ? null : `${BANK_MOVEMENT_KINDS[kind]} ${document}`;

  rest.pair(returnOfLine, returnOf, (line, one) => isSamePayment(line, one) && isSameAmount(line, one));
  rest.pair(paymentOfLine, paymentOf, (line, one) => mayBeSameReturn(line, one) && isSameAmount(line, one));
  rest.pair(documentsOfLine, documentOf, isSameAmount);
  rest.lines = withoutReversed(rest.lines, movements);
  const differing = [
    ...rest.pair(returnOfLine, returnOf, isSamePayment),
    ...rest.pair(paymentOfLine, paymentOf, mayBeSameReturn),
    ...rest.pair(documentsOfLine, documentOf),
  ];
  return [
    ...rest.lines.map((line) => differenceOf('missing_here', line, null)),
    ...rest.movements.flatMap((movement) => missingThere(movement, imported)),
    ...differing.map(([line, movement]) => differenceOf('amount_differs', line, movement)),
  ];
}

/** The names by which a movement can mean the line. */
function namesOf({ id, endToEndId, returnId }: DatedLine): readonly string[] {
  return [id, endToEndId, returnId].flatMap((name) => name ?? []);
}

const referenceOf = ({ id, endToEndId }: StatementLine) => endToEndId ?? id;

function returnIdOf({ part, returnId }: BookedMovement): string | null {
  return returnId ?? (isReturnId(part) ? part : null);
}

/** A payment that the books never had, and that went back whole: the account is as it was before. */
const REVERSED_BY: Partial<Record<BankMovementKind, BankMovementKind>> = {
  received: 'returned_to_payer',
  sent: 'returned_to_us',
};

function withoutReversed(lines: readonly DatedLine[], movements: readonly BookedMovement[]): readonly DatedLine[] {
  const booked = new Set(movements.map(({ kind, bankId }) => `${kind} ${bankId}`));
  const groups = new Map<string, DatedLine[]>();
  for (const line of lines) {
    const whole = wholeOf(line.kind);
    if (whole === null || line.endToEndId === null || booked.has(`${whole} ${line.endToEndId}`)) continue;
    const key = `${whole} ${line.endToEndId}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  const reversed = [...groups.values()].filter(
    (group) =>
      group.reduce((sum, { kind, amountMinor }) => sum + BigInt(BANK_MOVEMENT_KINDS[kind]) * amountMinor, 0n) === 0n,
  );
  const gone = new Set(reversed.flat());
  return lines.filter((line) => !gone.has(line));
}

function wholeOf(kind: BankMovementKind): BankMovementKind | null {
  if (REVERSED_BY[kind] !== undefined) return kind;
  return (Object.keys(REVERSED_BY) as BankMovementKind[]).find((whole) => REVERSED_BY[whole] === kind) ?? null;
}

function differenceOf(
  comparison: 'missing_here' | 'amount_differs',
  line: DatedLine,
  movement: BookedMovement | null,
): UnmatchedMovement {
  return {
    identity: `line ${line.id}`,
    day: line.day,
    comparison,
    kind: line.kind,
    reference: referenceOf(line),
    return_id: line.returnId ?? (movement === null ? null : returnIdOf(movement)),
    line: line.id,
    operation_id: movement?.operationId ?? null,
    subject: movement?.subject ?? null,
    statement: line.amountMinor.toString(),
    ledger: movement?.amountMinor.toString() ?? null,
  };
}

/**
 * A movement without a line. Its line is expected in the statements from the first to the last imported day: a day
 * between them without a statement had no movement, or its statement is missing. At the very edge of these days it may
 * be in the statement beside them.
 */
function missingThere(movement: BookedMovement, imported: ImportedDays): readonly UnmatchedMovement[] {
  const ms = Date.parse(movement.settledAt);
  const isWithin = (at: number) => {
    const day = localDate(new Date(at), STATEMENT_TIME_ZONE);
    return imported !== null && day >= imported.first && day <= imported.last;
  };
  if (!isWithin(ms)) return [];
  const isCertain = isWithin(ms - EDGE_MS) && isWithin(ms + EDGE_MS);
  const { kind, bankId, part, document, operationId, subject, amountMinor } = movement;
  return [
    {
      identity: ['movement', kind, bankId, part].join(' ').trimEnd(),
      day: localDate(new Date(ms), STATEMENT_TIME_ZONE),
      comparison: isCertain ? 'missing_there' : 'undecided',
      kind,
      reference: document ?? bankId,
      return_id: returnIdOf(movement) ?? (part === '' ? null : part),
      line: null,
      operation_id: operationId,
      subject,
      statement: null,
      ledger: amountMinor.toString(),
    },
  ];
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function inOrder(one: BookedMovement, other: BookedMovement): number {
  // A line without a return id leaves the named returns to the lines that name them.
  return (
    Number(returnIdOf(one) !== null) - Number(returnIdOf(other) !== null) ||
    compare(one.settledAt, other.settledAt) ||
    compare(one.bankId + one.part, other.bankId + other.part)
  );
}
