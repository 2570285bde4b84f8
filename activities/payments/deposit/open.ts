// Opens a deposit: the rules decide it, its row is inserted with the decision, and its charge is requested once; until
// the provider answers it is requested again. A repeat finds the row of its own deposit and continues from there.
import { ApplicationFailure } from '@temporalio/activity';
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import type { PaymentRef } from '../../../contract/temporal/payment-steps.js';
import type { DepositSnapshot } from '../../../domain/payments/deposit.js';
import { chargeAnswered, type ChargeResult } from '../../../domain/payments/deposit-acts.js';
import { newRecord } from '../../../domain/payments/deposit-record.js';
import { MissingRowError } from '../../../store/errors.js';
import { type DepositRefusal, type DepositVerdict, isDepositVerdict } from '../../../domain/rules/verdicts.js';
import type { InsertedDeposit } from '../../../store/payments/deposit/insert.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { askRules, type Decision } from '../../rules.js';
import { assertProven, refuseOrder } from '../orders.js';
import { assertPermitted } from '../retries.js';
import { decideAndStore, readBy } from '../step.js';
import type { DepositOpening, DepositRulesSteps, StoredDeposit } from '../types.js';
import { answerOf, type DepositDependencies, questionOf } from './ports.js';

/** How often the rules decide when the player's facts change between the decision and the insertion. */
const MOST_DECISIONS = 20;

type OpenInput = Parameters<DepositRulesSteps['openDeposit']>[0];
type NotOpened = Exclude<DepositOpening, { readonly kind: 'created' }>;
type Creation =
  /** `isNew` is true if the insertion permitted the charge. */
  { readonly kind: 'created'; readonly row: DepositRow; readonly isNew: boolean } | NotOpened;

export async function openDeposit(dependencies: DepositDependencies, input: OpenInput): Promise<DepositOpening> {
  const startedMs = performance.now();
  const { order, at, chargeWithinMs } = input;
  await assertProven(dependencies.deposits, dependencies.sealer, 'deposit', order);
  const creation = await create(dependencies, input);
  if (creation.kind !== 'created') return creation;
  const { row } = creation;
  const leftMs = chargeWithinMs - (performance.now() - startedMs);
  const { brief, charges } = dependencies;
  const charge = !(await mayCharge(dependencies, creation))
    ? null
    : await brief.charges.ask(order.provider, leftMs, () => charges.createCharge(questionOf(row, at)));
  if (charge === null) return { kind: 'created', ...answerOf(row) };
  const stored = await storeCharge(dependencies, refOf(order, at), charge, row);
  return { kind: 'created', ...stored };
}

/** If the charge cannot be requested now, the step that retries it reports the reason. */
async function mayCharge(
  { deposits, environment }: DepositDependencies,
  { row, isNew }: Extract<Creation, { kind: 'created' }>,
): Promise<boolean> {
  if (row.record.snapshot.status !== 'created') return false;
  return isNew || (await deposits.permitCharge(row, environment)) === 'given';
}

async function create(dependencies: DepositDependencies, { order, at }: OpenInput): Promise<Creation> {
  for (let decisions = 1; decisions <= MOST_DECISIONS; decisions += 1) {
    const decided = await decide(dependencies, order, at);
    if (decided.kind !== 'decided') return decided;
    const { verdict, record } = decided.decided;
    if (verdict.kind === 'refuse') return refuse(dependencies, order, verdict.code, record);
    const { deposits, environment } = dependencies;
    const { playerRevision = null } = verdict;
    const insertion = {
      order,
      record: newRecord(newSnapshot(order, at)),
      playerRevision,
      decision: record,
      environment,
    };
    const creation = await creationBy(dependencies, await deposits.insert(insertion), order);
    if (creation !== 'stale') return creation;
  }
  return { kind: 'undecided' };
}

type DecidedDeposit =
  | { readonly kind: 'decided'; readonly decided: Decision<DepositVerdict> }
  | Extract<Creation, { kind: 'created' }>;

/** If the rules do not answer, nothing is created, unless an earlier attempt created it. */
async function decide(dependencies: DepositDependencies, order: DepositOrder, at: string): Promise<DecidedDeposit> {
  const { rules } = dependencies;
  try {
    const decided = await askRules(rules, (engine) => engine.decideDeposit({ order, at }));
    if (!isDepositVerdict(decided.verdict))
      throw ApplicationFailure.retryable('the rules gave no valid answer', 'RulesInvalidResponse');
    return { kind: 'decided', decided };
  } catch (error) {
    const own = rules === null ? null : await readOwn(dependencies, order);
    if (own === null) throw error;
    return { kind: 'created', row: own, isNew: false };
  }
}

/** The answer to a refusal by the rules. A deposit that an earlier attempt inserted still exists. */
async function refuse(
  dependencies: DepositDependencies,
  order: DepositOrder,
  code: DepositRefusal | null,
  record: DecisionRecord | null = null,
): Promise<Creation> {
  const { deposits, sealer } = dependencies;
  const { id, operationId, proof } = order;
  const refusing = { store: deposits, sealer, kind: 'deposit', order: { id, operationId, proof } } as const;
  const refused = await refuseOrder(refusing, code, record);
  return refused ?? { kind: 'created', row: await deposits.read({ id, operationId }), isNew: false };
}

async function creationBy(
  dependencies: DepositDependencies,
  inserted: InsertedDeposit,
  order: DepositOrder,
): Promise<Creation | 'stale'> {
  switch (inserted.kind) {
    case 'inserted':
    case 'found':
      return { kind: 'created', row: inserted.row, isNew: inserted.kind === 'inserted' };
    case 'duplicate':
      return inserted;
    case 'document_mismatch':
      return refuse(dependencies, order, 'document_mismatch');
    case 'order_refused':
      return refuse(dependencies, order, null);
    case 'provider_paused':
    case 'other_environment':
      return { kind: 'undecided' };
    case 'stale':
      return 'stale';
  }
}

/** `null` if no earlier attempt inserted it. */
async function readOwn({ deposits }: DepositDependencies, order: DepositOrder): Promise<DepositRow | null> {
  try {
    return await deposits.read({ id: order.id, operationId: order.operationId });
  } catch (error) {
    if (error instanceof MissingRowError) return null;
    throw error;
  }
}

function refOf({ id, operationId }: DepositOrder, at: string) {
  return { id, operationId, seenVersion: 0, at };
}

function newSnapshot(order: DepositOrder, at: string): DepositSnapshot {
  const { id, operationId, externalId, amountMinor, currency, playerRef, provider } = order;
  return {
    ...{ id, operationId, externalId, status: 'created', version: 1, amountMinor, currency },
    ...{ method: 'pix', playerRef, provider },
    ...{ paidAmountMinor: null, instructions: null, failureCode: null, endToEndId: null },
    ...{ reviewReasons: [], decidedBy: [], hasPayer: false, latePayment: false },
    ...{ createdAt: at, updatedAt: at, paidAt: null },
    expiresAt: new Date(Date.parse(at) + order.expiresInSeconds * 1_000).toISOString(),
  };
}

/** An inconclusive answer of the provider, or a refused permission to call it, is a retryable failure. */
export async function createCharge(dependencies: DepositDependencies, ref: PaymentRef): Promise<StoredDeposit> {
  const { deposits, charges, environment } = dependencies;
  const row = await deposits.read(ref);
  if (row.record.snapshot.status !== 'created') return answerOf(row);
  await assertPermitted(deposits, 'charge', ref, await deposits.permitCharge(row, environment));
  const result = await charges.createCharge(questionOf(row, ref.at));
  return storeCharge(dependencies, ref, result, row);
}

async function storeCharge(
  { deposits, charges }: DepositDependencies,
  ref: PaymentRef,
  result: ChargeResult,
  first: DepositRow,
): Promise<StoredDeposit> {
  const contract = charges.contractOf(first.order);
  const decide = ({ record }: DepositRow) => ({
    outcome: null,
    change: readBy(contract, chargeAnswered(record, result)),
  });
  const { row } = await decideAndStore(deposits, ref, decide, { first });
  return answerOf(row);
}
