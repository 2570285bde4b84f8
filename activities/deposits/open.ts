// Opens a deposit: the rules decide it, its row is inserted with the decision, and its charge is requested once. A
// repeat finds the row of its own deposit and continues from there.
import { ApplicationFailure } from '@temporalio/activity';
import type { DepositOrder } from '../../contract/temporal/deposit.js';
import type { DepositSnapshot } from '../../domain/deposit.js';
import type { DepositRefusal } from '../../domain/rules/refusals.js';
import { type DepositVerdict, isDepositVerdict } from '../../domain/rules/verdicts.js';
import type { DepositInsertion } from '../../store/deposits/insert.js';
import type { KeptDeposit } from '../../store/deposits/read.js';
import type { DecisionRecord } from '../../store/rules/decisions.js';
import { assertProven } from '../payments/proven.js';
import { refuseOrder } from '../payments/refusals.js';
import { askRules } from '../rules/asking.js';
import type { Decision } from '../rules/types.js';
import { storeCharge } from './charge.js';
import { answerOf, questionOf, readExisting } from './deciding.js';
import type { DepositDependencies } from './ports.js';
import type { DepositOpening, DepositRulesSteps } from './types.js';

/** How often the rules decide when the player's facts change between the decision and the insertion. */
const MOST_DECISIONS = 20;

type OpenInput = Parameters<DepositRulesSteps['openDeposit']>[0];
type NotOpened = Exclude<DepositOpening, { readonly kind: 'created' }>;
type Creation =
  /** `isNew` is true if the insertion permitted the charge. */
  { readonly kind: 'created'; readonly kept: KeptDeposit; readonly isNew: boolean } | NotOpened;

export async function openDeposit(dependencies: DepositDependencies, input: OpenInput): Promise<DepositOpening> {
  const startedMs = performance.now();
  const { order, at, chargeWithinMs } = input;
  await assertProven(dependencies.deposits, dependencies.sealer, 'deposit', order);
  const creation = await create(dependencies, input);
  if (creation.kind !== 'created') return creation;
  const { kept } = creation;
  const leftMs = chargeWithinMs - (performance.now() - startedMs);
  const { brief, charges } = dependencies;
  const charge = !(await mayCharge(dependencies, creation))
    ? null
    : await brief.charges.ask(order.provider, leftMs, () => charges.createCharge(questionOf(kept, at)));
  if (charge === null) return { kind: 'created', ...answerOf(kept) };
  const stored = await storeCharge(dependencies, refOf(order, at), charge, kept);
  return { kind: 'created', ...stored };
}

/** If the charge cannot be requested now, the step that retries it reports the reason. */
async function mayCharge(
  { deposits, environment }: DepositDependencies,
  { kept, isNew }: Extract<Creation, { kind: 'created' }>,
): Promise<boolean> {
  if (kept.snapshot.status !== 'created') return false;
  return isNew || (await deposits.permitCharge(kept, environment)) === 'given';
}

async function create(dependencies: DepositDependencies, { order, at }: OpenInput): Promise<Creation> {
  for (let decisions = 1; decisions <= MOST_DECISIONS; decisions += 1) {
    const decided = await decide(dependencies, order, at);
    if (decided.kind !== 'decided') return decided;
    const { verdict, record } = decided.decided;
    if (verdict.kind === 'refuse') return refuse(dependencies, order, at, verdict.code, record);
    const deposit = newDeposit(order, at);
    const { playerRevision = null } = verdict;
    const insertion = await dependencies.deposits.insert({
      order,
      deposit,
      playerRevision,
      decision: record,
      environment: dependencies.environment,
    });
    const creation = await creationBy(dependencies, insertion, order, at);
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
    const own = rules === null ? null : await readOwn(dependencies, order, at);
    if (own === null) throw error;
    return { kind: 'created', kept: own, isNew: false };
  }
}

/** The answer to a refusal by the rules. A deposit that an earlier attempt inserted still exists. */
async function refuse(
  dependencies: DepositDependencies,
  order: DepositOrder,
  at: string,
  code: DepositRefusal | null,
  record: DecisionRecord | null = null,
): Promise<Creation> {
  const { deposits, sealer } = dependencies;
  const { depositId: id, operationId, proof } = order;
  const refusing = { store: deposits, sealer, kind: 'deposit', order: { id, operationId, proof } } as const;
  return (
    (await refuseOrder(refusing, code, record)) ?? {
      kind: 'created',
      kept: await readExisting(deposits, refOf(order, at)),
      isNew: false,
    }
  );
}

async function creationBy(
  dependencies: DepositDependencies,
  insertion: DepositInsertion,
  order: DepositOrder,
  at: string,
): Promise<Creation | 'stale'> {
  switch (insertion.kind) {
    case 'inserted':
      return { kind: 'created', kept: newlyKept(order, at, insertion.updatedAt), isNew: true };
    case 'found':
      return { kind: 'created', kept: await readExisting(dependencies.deposits, refOf(order, at)), isNew: false };
    case 'duplicate':
      return insertion;
    case 'document_mismatch':
      return refuse(dependencies, order, at, 'document_mismatch');
    case 'order_refused':
      return refuse(dependencies, order, at, null);
    case 'provider_paused':
    case 'other_environment':
      return { kind: 'undecided' };
    case 'stale':
      return 'stale';
  }
}

function readOwn({ deposits }: DepositDependencies, order: DepositOrder, at: string): Promise<KeptDeposit | null> {
  return deposits.read(refOf(order, at));
}

function refOf({ depositId: id, operationId }: DepositOrder, at: string) {
  return { id, operationId, seenVersion: 0, at };
}

function newlyKept(order: DepositOrder, at: string, updatedAt: string): KeptDeposit {
  const { operationName, environment, sealedRequest } = order;
  const returns = { returnRequest: null, returns: 0, returnedParts: [], suspenseCredits: {}, isReturnInDoubt: false };
  const row = { revision: 1, ...returns, extraPayments: [], fees: {}, sealedPayer: null };
  return { snapshot: { ...newDeposit(order, at), updatedAt }, ...row, operationName, environment, sealedRequest };
}

function newDeposit(order: DepositOrder, at: string): DepositSnapshot {
  return {
    id: order.depositId,
    operationId: order.operationId,
    externalId: order.externalId,
    status: 'created',
    version: 1,
    amountMinor: order.amountMinor,
    currency: order.currency,
    paidAmountMinor: null,
    method: 'pix',
    playerRef: order.playerRef,
    provider: order.provider,
    instructions: null,
    failureCode: null,
    reviewReasons: [],
    decidedBy: [],
    endToEndId: null,
    hasPayer: false,
    latePayment: false,
    createdAt: at,
    updatedAt: at,
    paidAt: null,
    expiresAt: new Date(Date.parse(at) + order.expiresInSeconds * 1_000).toISOString(),
  };
}
