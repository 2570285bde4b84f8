// A proposed change of rules: its report is computed, then two people approve that report, one person rejects the
// change, or the change expires. The workflow is the only writer of the request: it takes items one at a time, stores
// them, then answers.
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setHandler,
} from '@temporalio/workflow';
import {
  decideRuleChange,
  type RecomputeInput,
  recomputeRuleChangeProof,
  type RuleChangeDecisionInput,
  type RuleChangeInput,
  type RuleChangeOutcome,
  ruleChangeQuery,
} from '../contract/temporal/rule-change.js';
import {
  RULE_CHANGE_APPROVALS,
  ruleChangeExpiresAt,
  type RuleChangeProofSummary,
  type RuleChangeState,
  type RuleChangeStatus,
} from '../domain/rule-change.js';
import { assertActId } from './steps/message-queue.js';
import { NO_WAIT, StatusReporter } from './steps/status-reporter.js';
import { step } from './steps/step.js';
import { isReached, nextId, waitForTime, waitUntil } from './steps/time.js';

type Request =
  | { readonly kind: 'decision'; readonly order: RuleChangeDecisionInput; readonly reply: Reply<RuleChangeOutcome> }
  | { readonly kind: 'recompute'; readonly order: RecomputeInput; readonly reply: Reply<RuleChangeOutcome> }
  | ProofResult;

const UNLISTED = { reviewReasons: [], summary: null };

/** The parts of one run. */
interface Run {
  readonly input: RuleChangeInput;
  readonly inbox: Inbox<Request>;
  readonly prover: Prover;
  /** The callers that wait for the report under computation. */
  readonly readers: Reply<RuleChangeOutcome>[];
}

/** Ignores cancellation requests to Temporal: a proposed change ends by a decision or by its expiry. */
export function ruleChange(input: RuleChangeInput): Promise<RuleChangeStatus> {
  return CancellationScope.nonCancellable(() => runRuleChange(input));
}

async function runRuleChange(input: RuleChangeInput): Promise<RuleChangeStatus> {
  const inbox = new Inbox<Request>();
  const run: Run = {
    input,
    inbox,
    prover: new Prover(input, (proven) => inbox.put(proven)),
    readers: [],
  };
  const reporter = new StatusReporter({ status: 'pending_approval', waitingFor: 'rule_change_proof' });
  let change: RuleChangeState | null = null;

  // A query, because reads must not change the history.
  setHandler(ruleChangeQuery, () => change);
  // An update, because the person needs to know whether the decision counted.
  setHandler(decideRuleChange, (order) => answered(inbox, (reply) => ({ kind: 'decision', order, reply })), {
    validator: assertDecision,
  });
  // An update, because the person waits for the new report.
  setHandler(recomputeRuleChangeProof, (order) => answered(inbox, (reply) => ({ kind: 'recompute', order, reply })), {
    validator: ({ actId }) => assertActId(actId),
  });

  change = await step.loadRuleChange(input);
  const expiresAt = ruleChangeExpiresAt(change);
  if (change.status === 'pending_approval' && change.proof === null) run.prover.start();
  while (change.status === 'pending_approval') {
    reportWait(reporter, change, run.prover, expiresAt);
    // Expiry comes first: a decision that arrives too late does not count.
    const taken = () => waitForTime(() => !inbox.isEmpty, expiresAt, 'expire the proposed change');
    const isTaken = !isReached(expiresAt) && (await taken());
    change = isTaken ? await takeNext(run, change) : await expire(run);
  }
  run.prover.stop();
  reporter.report(change.status, NO_WAIT, UNLISTED);
  await finish(run, change);
  return change.status;
}

function answered(
  inbox: Inbox<Request>,
  request: (reply: Reply<RuleChangeOutcome>) => Request,
): Promise<RuleChangeOutcome> {
  const reply = newReply<RuleChangeOutcome>();
  inbox.put(request(reply));
  return reply.promise;
}

async function takeNext(run: Run, change: RuleChangeState): Promise<RuleChangeState> {
  const request = run.inbox.take();
  switch (request?.kind) {
    case undefined:
      return change;
    case 'decision':
      return takeDecision(run, request.order, request.reply);
    case 'recompute':
      return takeRecompute(run, request.order, request.reply, change);
    case 'proven': {
      const proven = withProof(change, request.proof);
      for (const reader of run.readers.splice(0)) reader.answer({ kind: 'done', change: proven });
      return proven;
    }
  }
}

/** Has a decision stored, or refused, and answers its caller. */
async function takeDecision(
  { input }: Run,
  { decision, actId }: RuleChangeDecisionInput,
  reply: Reply<RuleChangeOutcome>,
): Promise<RuleChangeState> {
  const outcome = await step.decideRuleChange({ ...input, decision, actId, eventId: nextId('event') });
  reply.answer(outcome);
  return outcome.change;
}

/** Voids the report and has it computed again. Requests during a computation wait for its report. */
async function takeRecompute(
  { input, prover, readers }: Run,
  { actId }: RecomputeInput,
  reply: Reply<RuleChangeOutcome>,
  change: RuleChangeState,
): Promise<RuleChangeState> {
  if (prover.isBusy) {
    readers.push(reply);
    return change;
  }
  const outcome = await step.voidRuleChangeProof({ ...input, actId });
  if (outcome.kind === 'done') {
    readers.push(reply);
    prover.start();
  } else reply.answer(outcome);
  return outcome.change;
}

/** The change with the report that was computed. A decision may have brought the same one from the row before. */
function withProof(change: RuleChangeState, proof: RuleChangeProofSummary | null): RuleChangeState {
  if (proof === null || proof.digest === change.proof?.digest) return change;
  return { ...change, proof, approvalsMissing: RULE_CHANGE_APPROVALS };
}

function expire({ input }: Run): Promise<RuleChangeState> {
  return step.expireRuleChange(input);
}

/** Answers late requests with `not_pending`. Returns when every caller has an answer. */
async function finish({ inbox, readers }: Run, change: RuleChangeState): Promise<void> {
  for (;;) {
    for (let late = inbox.take(); late !== undefined; late = inbox.take())
      if (late.kind !== 'proven') readers.push(late.reply);
    for (const reader of readers.splice(0)) reader.answer({ kind: 'not_pending', change });
    if (allHandlersFinished()) return;
    await waitUntil(() => !inbox.isEmpty || allHandlersFinished());
  }
}

function reportWait(reporter: StatusReporter, change: RuleChangeState, prover: Prover, expiresAt: string): void {
  if (change.proof === null) {
    const next = prover.isBusy
      ? 'the last 30 days are decided again under the proposed rules; then two people approve, or it expires'
      : 'its report could not be computed (gateway rules changes recompute), or it expires';
    reporter.report(change.status, { for: 'rule_change_proof', next, until: expiresAt }, UNLISTED);
    return;
  }
  const missing = change.approvalsMissing;
  const people = `${missing} more ${missing === 1 ? 'person approves' : 'people approve'}`;
  const next = `${people} (gateway rules changes approve), or it expires; ${change.proof.summary}`;
  reporter.report(change.status, { for: 'approval', next, until: expiresAt }, UNLISTED);
}

/** Refuses malformed decisions before they enter the history. The step checks whether a decision counts. */
function assertDecision({ decision, actId }: RuleChangeDecisionInput): void {
  if (decision !== 'approve' && decision !== 'reject')
    throw ApplicationFailure.nonRetryable('a decision approves or rejects', 'InvalidReview');
  assertActId(actId);
}

/** What is applied one at a time: requests, and reports that were computed. First in, first out. */
class Inbox<Item> {
  private readonly items: Item[] = [];

  put(item: Item): void {
    this.items.push(item);
  }

  take(): Item | undefined {
    return this.items.shift();
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }
}

/** The pending answer to an update. Its handler puts the reply into the inbox and awaits `promise`. */
interface Reply<Answer> {
  readonly answer: (answer: Answer) => void;
  readonly promise: Promise<Answer>;
}

function newReply<Answer>(): Reply<Answer> {
  let answer: (answer: Answer) => void = () => undefined;
  const promise = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  return { answer, promise };
}

/** The result of a computation. `proof` is null when it failed; a person may request it again. */
interface ProofResult {
  readonly kind: 'proven';
  readonly proof: RuleChangeProofSummary | null;
}

/** Computes the report beside the workflow's loop, so that a rejection never waits for it: once at a time. */
class Prover {
  private scope: CancellationScope | null = null;

  constructor(
    private readonly input: RuleChangeInput,
    private readonly done: (proven: ProofResult) => void,
  ) {}

  get isBusy(): boolean {
    return this.scope !== null;
  }

  /** Computes the report, over the last 30 days. */
  start(): void {
    const scope = new CancellationScope();
    this.scope = scope;
    void scope
      .run(() => step.proveRuleChange(this.input))
      .then((proof) => this.end(proof))
      .catch((error: unknown) => {
        if (!isCancellation(error)) this.end(null);
      });
  }

  /** Cancels the computation. */
  stop(): void {
    this.scope?.cancel();
    this.scope = null;
  }

  private end(proof: RuleChangeProofSummary | null): void {
    this.scope = null;
    this.done({ kind: 'proven', proof });
  }
}
