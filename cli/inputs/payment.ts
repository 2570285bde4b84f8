// The argument of commands on one payment: its id, or with --operation the operator's external id.
import type { Command } from 'commander';
import { isId } from '../../domain/identifiers.js';
import type { Database } from '../../store/database.js';
import type { CommandContext } from '../context.js';
import { readId } from './identifiers.js';
import { assertOperation } from './existing.js';
import { badInput, refused } from '../problem.js';

export type PaymentKind = 'deposit' | 'withdrawal';

export interface PaymentRef {
  readonly kind: PaymentKind;
  readonly id: string;
}

const NAMES: Readonly<Record<PaymentKind, string>> = { deposit: 'deposit (dep_…)', withdrawal: 'withdrawal (wdr_…)' };

/** Adds `<id>` and `--operation` to a command on payments of these kinds. */
export function paymentArgument(command: Command, kinds: readonly PaymentKind[], more = ''): Command {
  return command
    .argument(
      '<id>',
      `the ${kinds.map((kind) => NAMES[kind]).join(' or ')}${more}; with --operation also the operator’s external id`,
    )
    .option('--operation <id>', 'the operation (op_…), when ID is its external id');
}

interface NamedPayment {
  readonly kinds: readonly PaymentKind[];
  readonly text: string;
  readonly operation: string | undefined;
  /** The kinds that the command can act on, in case a deposit and a withdrawal have the same external id. */
  readonly preferred?: readonly PaymentKind[];
  readonly field?: string;
}

/**
 * The named payment. An external id is looked up in its operation. An id is used as it is, and refused if --operation
 * names another operation.
 */
export async function namedPayment(
  context: CommandContext,
  { kinds, text, operation, preferred = kinds, field = 'ID' }: NamedPayment,
): Promise<PaymentRef> {
  const byForm = kinds.find((kind) => isId(kind, text));
  if (operation === undefined) {
    if (byForm !== undefined) return { kind: byForm, id: text };
    throw badInput(
      field,
      `must be the id of ${kinds.map((kind) => `a ${NAMES[kind]}`).join(' or ')}, or an external id with --operation`,
    );
  }
  const operationId = readId('operation', '--operation', operation);
  return context.withDatabase(async (database) => {
    await assertOperation(database, operationId);
    const found = await findOne(database, operationId, { text, kinds, preferred });
    if (found !== null) return found;
    if (byForm === undefined) throw refused(`operation ${operationId}: no ${kinds.join(' or ')} has this external id`);
    const { operationOfPayment } = await import('../../store/payments/payment-ids.js');
    const owner = await operationOfPayment(database, { kind: byForm, id: text });
    if (owner !== null && owner !== operationId) throw refused(`${byForm} ${text}: is of another operation`);
    return { kind: byForm, id: text };
  });
}

/** The payment with this external id; `null` if there is none. */
async function findOne(
  database: Database,
  operationId: string,
  { text, kinds, preferred }: Pick<NamedPayment, 'text' | 'kinds'> & { preferred: readonly PaymentKind[] },
): Promise<PaymentRef | null> {
  const { findByExternalId } = await import('../../store/payments/payment-ids.js');
  const found = await findByExternalId(database, operationId, text, kinds);
  const fitting = found.filter(({ kind }) => preferred.includes(kind));
  const [first, ...others] = fitting.length > 0 ? fitting : found;
  if (first !== undefined && others.length > 0) {
    const both = [first, ...others].map(({ kind, id }) => `${kind} ${id}`).join(' and ');
    throw refused(`operation ${operationId}: ${both} have this external id; give the id`);
  }
  return first ?? null;
}
