// Items in suspense: late and extra payments, each with what is left of it. The operation's counter is locked by every
// statement that changes one.
import { SUSPENSE_ALERTS } from '../../domain/suspense-alerts.js';
import { isReturnId } from '../../domain/payments/returns.js';
import { type ReturnedPart, returnedMinor } from '../../domain/bank-movements.js';
import type { DepositPayer } from '../../domain/payments/deposit.js';
import { type Money, withAmounts, writeJson } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import { Prisma } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';

/** Why an item does not let money out. Nothing changed. */
export interface ItemRefusal {
  readonly kind: 'not_in_suspense';
  readonly payment: string;
  readonly why:
    /** The operation has no such item. */
    | 'no_item'
    /** Less is left of it. */
    | 'less_left'
    /** Without its id in PIX, only the return of all that is left can be entered: a second one has nothing left. */
    | 'return_unnamed'
    /** A return of it, or of another payment of its deposit, is ordered and not over. */
    | 'return_under_way'
    /** The return is in the books: the provider reported it, or people entered it. */
    | 'return_in_books';
  readonly leftMinor: bigint;
}

/** An exit of an item. `returnId`: of a return to the payer that the bank has made, its id in PIX. */
export interface ItemExit {
  readonly operationId: string;
  /** The payment's end-to-end id. */
  readonly payment: string;
  readonly amountMinor: bigint;
  readonly way: 'into_cash_box' | { readonly returnId: string | null };
}

/** `through_provider`: the gateway asks the provider for the return of all that is left. */
type AnyExit = Omit<ItemExit, 'way'> & { readonly way: ItemExit['way'] | 'through_provider' };

export interface Item {
  readonly account: AccountName;
  /** The deposit on whose charge it was paid. */
  readonly objectId: string;
  /** What has gone back of it. */
  readonly returnedMinor: bigint;
}

interface ItemRow extends Omit<Item, 'returnedMinor'> {
  readonly leftMinor: bigint;
  readonly parts: readonly ReturnedPart[];
  /** The payment whose return is under way; `null` if none is. */
  readonly returning: string | null;
}

/** The item, if it lets the money out in this way. */
export async function itemOf(
  database: Pick<Database, '$queryRaw'>,
  { operationId, payment, amountMinor, way }: AnyExit,
): Promise<({ readonly kind: 'item' } & Item) | ItemRefusal> {
  const rows = await database.$queryRaw<ItemRow[]>`
    SELECT item.account, object_id AS "objectId", left_minor::text AS "leftMinor", returned_parts AS parts,
      return_request ->> 'of' AS returning
    FROM suspense_item AS item JOIN deposit ON deposit.id = object_id
    WHERE item.operation_id = ${operationId} AND item.end_to_end_id = ${payment}
    ORDER BY left_minor DESC LIMIT 1`;
  const [item] = withAmounts(rows);
  const refuse = (why: ItemRefusal['why']): ItemRefusal => ({
    kind: 'not_in_suspense',
    payment,
    why,
    leftMinor: item?.leftMinor ?? 0n,
  });
  if (item === undefined) return refuse('no_item');
  const { account, objectId, leftMinor, parts, returning } = item;
  const own = parts.filter(({ of }) => of === payment);
  if (returning === payment || (returning !== null && way === 'through_provider')) return refuse('return_under_way');
  if (typeof way !== 'string' && own.some((part) => isEntered(part, way.returnId, amountMinor)))
    return refuse('return_in_books');
  if (leftMinor === 0n || leftMinor < amountMinor) return refuse('less_left');
  const isWhole = leftMinor === amountMinor;
  if (way === 'through_provider' && !isWhole) return refuse('less_left');
  if (typeof way !== 'string' && way.returnId === null && !isWhole) return refuse('return_unnamed');
  return { kind: 'item', account, objectId, returnedMinor: returnedMinor(parts, payment) };
}

/** An item by its payment: where its money is, its deposit, and all that is left; `null` without an item. */
export async function findItem(
  database: Pick<Database, '$queryRaw'>,
  operationId: string,
  payment: string,
): Promise<{ readonly account: AccountName; readonly deposit: string; readonly amount: Money } | null> {
  const [item] = await database.$queryRaw<{ account: AccountName; deposit: string; left: string; currency: string }[]>`
    SELECT account, object_id AS deposit, left_minor::text AS left, currency
    FROM suspense_item WHERE operation_id = ${operationId} AND end_to_end_id = ${payment}
    ORDER BY left_minor DESC LIMIT 1`;
  if (item === undefined) return null;
  const { account, deposit, left: amount, currency } = item;
  return { account, deposit, amount: { amount, currency } };
}

/** Of two with one amount that do not both say their id in PIX, nobody knows that they are not the same. */
function isEntered(part: ReturnedPart, returnId: string | null, amountMinor: bigint): boolean {
  if (returnId !== null && (part.reference === returnId || part.returnId === returnId)) return true;
  const areNamed = returnId !== null && (part.returnId !== undefined || isReturnId(part.reference));
  return !areNamed && part.amountMinor === amountMinor;
}

/** What the exit changes in the deposit's row, so that a step that was decided before it is decided again. */
export async function noteExit(
  transaction: Pick<Database, '$executeRaw'>,
  { objectId }: Item,
  { payment, amountMinor, way }: ItemExit,
  reference: string,
): Promise<void> {
  const amount = amountMinor.toString();
  const part: ReturnedPart = { of: payment, reference, amountMinor, isUnconfirmed: true };
  const changed =
    way === 'into_cash_box'
      ? Prisma.sql`suspense_credits = jsonb_set(suspense_credits, ARRAY[${payment}::text],
          to_jsonb((coalesce((suspense_credits ->> ${payment})::numeric, 0) + ${amount}::numeric)::text))`
      : Prisma.sql`returned_parts = returned_parts || jsonb_build_array(${writeJson(part)}::jsonb),
          returned_minor = returned_minor
            + CASE WHEN end_to_end_id = ${payment} THEN ${amount}::numeric ELSE 0 END`;
  await transaction.$executeRaw`UPDATE deposit SET revision = revision + 1, ${changed} WHERE id = ${objectId}`;
}

/** Items, oldest first, at most `take`; with `after`, those behind it. `isOpen`: those with something left. */
export async function readItems(
  database: Pick<Database, '$queryRaw'>,
  {
    operationId,
    isOpen,
    take,
    after = null,
  }: {
    readonly operationId: string | null;
    readonly isOpen: boolean;
    readonly take: number;
    readonly after?: { readonly at: Date; readonly key: string } | null;
  },
) {
  const mine = operationId === null ? Prisma.sql`TRUE` : Prisma.sql`item.operation_id = ${operationId}`;
  const behind =
    after === null ? Prisma.sql`TRUE` : Prisma.sql`(received_at, item.end_to_end_id) > (${after.at}, ${after.key})`;
  return database.$queryRaw<SuspenseItemRow[]>`
    SELECT item.end_to_end_id, item.operation_id, operation.name AS operation_name, item.account, object_id AS deposit,
      item.currency, item.amount_minor::text AS amount_minor, left_minor::text AS left_minor, received_at,
      extract(day FROM now() - received_at)::int AS age_days, payer_sealed, exits.list AS exits, asks.alert
    FROM suspense_item AS item JOIN operation ON operation.id = item.operation_id
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
          'way', CASE movement WHEN 'suspense_reversed' THEN 'returned' WHEN 'suspense_credited' THEN 'credited'
            WHEN 'suspense_assigned' THEN 'assigned' ELSE 'recalled' END,
          'amount_minor', abs(entry.amount_minor)::text, 'said_by', coalesce(said_by, 'people'),
          'return_id', nullif(part, '')
        ) ORDER BY entry.step), '[]') AS list
      FROM suspense_entry AS entry LEFT JOIN bank_movement AS bank USING (object_id, step)
      WHERE entry.account = item.account AND entry.end_to_end_id = item.end_to_end_id
        AND movement <> 'late_payment_received'
    ) AS exits
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('id', id, 'assigned_to', assigned_to) AS alert FROM alert
      WHERE resolved_at IS NULL AND alert.operation_id = item.operation_id AND alert.object_id = item.object_id
        AND kind = ANY (${[...SUSPENSE_ALERTS]}::text[]) AND (occasion IS NULL OR occasion = item.end_to_end_id)
      ORDER BY occasion IS NULL, alert.id LIMIT 1
    ) AS asks ON TRUE
    WHERE ${mine} AND ${behind} AND (left_minor > 0 OR NOT ${isOpen})
    ORDER BY received_at, item.end_to_end_id
    LIMIT ${take}`;
}

/** An exit that people have ordered and that is not over. */
export type ExitUnderWay = 'return' | 'requested';

/** The exits that are under way, by the payment's end-to-end id. `requested`: it waits for a second person. */
export async function exitsUnderWay(
  database: Pick<Database, '$queryRaw'>,
  operationId: string,
  payments: readonly string[],
): Promise<ReadonlyMap<string, ExitUnderWay>> {
  if (payments.length === 0) return new Map();
  const rows = await database.$queryRaw<{ payment: string; way: ExitUnderWay }[]>`
    SELECT coalesce(payload ->> 'payment', payload ->> 'document') AS payment, 'requested' AS way
    FROM approval_request
    WHERE operation_id = ${operationId} AND status = 'pending' AND kind IN ('item_return', 'cash_movement')
      AND coalesce(payload ->> 'payment', payload ->> 'document') = ANY (${[...payments]}::text[])
    UNION ALL
    SELECT item.end_to_end_id, 'return' FROM suspense_item AS item JOIN deposit ON deposit.id = object_id
    WHERE item.operation_id = ${operationId} AND item.end_to_end_id = ANY (${[...payments]}::text[])
      AND return_request ->> 'of' = item.end_to_end_id`;
  return new Map(rows.map(({ payment, way }) => [payment, way]));
}

/** What is left in suspense of a deposit's payments, in minor units; `null`: nothing. */
export async function leftOfDeposit(
  database: Pick<Database, '$queryRaw'>,
  { id, operationId }: { readonly id: string; readonly operationId: string },
): Promise<string | null> {
  const [row] = await database.$queryRaw<{ left: string | null }[]>`
    SELECT sum(left_minor)::text AS left FROM suspense_item
    WHERE operation_id = ${operationId} AND object_id = ${id} AND left_minor > 0`;
  return row?.left ?? null;
}

/** Who paid an item, unsealed; `null` if nobody knows. */
export function payerOfItem(
  { operation_id: operationId, account, end_to_end_id, payer_sealed: sealed }: SuspenseItemRow,
  sealer: Sealer,
): DepositPayer | null {
  if (sealed === null) return null;
  return sealer.openJson<DepositPayer>(
    placeOf('suspense_item.payer_sealed', operationId, { account, end_to_end_id }),
    sealed,
  );
}

/** The item as people see it, without its payer. */
export function presentItem({ currency, amount_minor, left_minor, exits, payer_sealed: _, ...row }: SuspenseItemRow) {
  const money = (amount: string) => ({ amount, currency });
  return {
    ...row,
    amount: money(amount_minor),
    left: money(left_minor),
    exits: exits.map(({ amount_minor: amount, ...exit }) => ({ ...exit, amount: money(amount) })),
  };
}

export interface SuspenseItemRow {
  readonly end_to_end_id: string;
  readonly operation_id: string;
  readonly operation_name: string;
  readonly account: string;
  readonly deposit: string;
  readonly currency: string;
  readonly amount_minor: string;
  readonly left_minor: string;
  readonly received_at: Date;
  readonly age_days: number;
  /** Sealed DepositPayer. */
  readonly payer_sealed: Uint8Array | null;
  /** `recalled`: it came back out of the cash box, because the bank returned what had been given to it. */
  readonly exits: readonly {
    readonly way: 'returned' | 'credited' | 'assigned' | 'recalled';
    readonly amount_minor: string;
    readonly said_by: 'provider' | 'people';
    readonly return_id: string | null;
  }[];
  /** The open alert that asks for it, and the person who looks after both; null: somebody resolved it otherwise. */
  readonly alert: { readonly id: string; readonly assigned_to: string | null } | null;
}
