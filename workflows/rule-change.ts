// A proposed change of rules: its report is computed, then two people approve that report, one person rejects the
// change, or the change expires. The workflow is the only writer of the request: it takes items one at a time, stores
// them, then answers.
import { allHandlersFinished, ApplicationFailure, CancellationScope, setHandler } from '@temporalio/workflow';
import {
  decideRuleChange,
  type RecomputeInput,
  recomputeRuleChangeProof,
  type RuleChangeDecisionInput,
  type RuleChangeInput,
  type RuleChangeOutcome,
  ruleChangeQuery,
  type RuleChangeRefusal,
} from '../contract/temporal/rule-change.js';
import {
  approvalsMissing,
  hasApproved,
  ruleChangeExpiresAt,
  type RuleChangeSnapshot,
  type RuleChangeStatus,
} from '../domain/rule-change.js';
import { ruleChanges } from './steps/activity-proxies.js';
import { millisecondsUntil, nextId, now } from './steps/clock.js';
import { waitUntil } from './steps/deadline-timer.js';
import { Inbox, newReply, type Reply } from './steps/inbox.js';
import { Prover, type Proven } from './steps/prover.js';
import { Publisher } from './steps/publisher.js';
import { NO_WAIT, StatusReporter } from './steps/status-reporter.js';

type Request =
  | { readonly kind: 'decision'; readonly order: RuleChangeDecisionInput; readonly reply: Reply<RuleChangeOutcome> }
  | { readonly kind: 'recompute'; readonly order: RecomputeInput; readonly reply: Reply<RuleChangeOutcome> }
  | Proven;

const UNLISTED = { reviewReasons: [], summary: null };

/** The parts of one run. */
interface Run {
  readonly inbox: Inbox<Request>;
  readonly publisher: Publisher;
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
    inbox,
    publisher: new Publisher(input.operationId),
    prover: new Prover(input, (proven) => inbox.put(proven)),
    readers: [],
  };
  const reporter = new StatusReporter({ status: 'pending_approval', waitingFor: 'rule_change_proof' });
  let change: RuleChangeSnapshot | null = null;

  // A query, because reads must not change the history.
  setHandler(ruleChangeQuery, () => change);
  // An update, because the person needs to know whether the decision counted.
  setHandler(decideRuleChange, (order) => answered(inbox, (reply) => ({ kind: 'decision', order, reply })), {
    validator: (order) => assertDecision(order, change, run),
  });
  // An update, because the person waits for the new report.
  setHandler(recomputeRuleChangeProof, (order) => answered(inbox, (reply) => ({ kind: 'recompute', order, reply })), {
    validator: assertPerson,
  });

  change = await ruleChanges.loadRuleChange('load the proposed change', input);
  const expiresAt = ruleChangeExpiresAt(change);
  run.prover.continueAfter(change.proof?.number ?? 0);
  if (change.status === 'pending_approval' && change.proof === null) run.prover.start(null);
  while (change.status === 'pending_approval') {
    reportWait(reporter, change, run.prover, expiresAt);
    // Expiry comes first: a decision that arrives too late does not count.
    const taken = () => waitUntil(() => !inbox.isEmpty, expiresAt, 'expire the proposed change');
    const isTaken = millisecondsUntil(expiresAt) > 0 && (await taken());
    change = isTaken ? await takeNext(run, change) : await end(change, 'expired');
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

async function takeNext(run: Run, change: RuleChangeSnapshot): Promise<RuleChangeSnapshot> {
  const request = run.inbox.take();
  switch (request?.kind) {
    case undefined:
      return change;
    case 'decision':
      return takeDecision(request.order, request.reply, change, run.publisher);
    case 'recompute':
      run.readers.push(request.reply);
      // The earlier report is void: an approval during the computation could not refer to the new one.
      if (!run.prover.isBusy) run.prover.start(request.order.person);
      return { ...change, proof: null };
    case 'proven': {
      const proven = { ...change, proof: request.proof };
      for (const reader of run.readers.splice(0)) reader.answer({ kind: 'done', change: proven });
      return proven;
    }
  }
}

/** Applies a decision and answers its caller. */
async function takeDecision(
  order: RuleChangeDecisionInput,
  reply: Reply<RuleChangeOutcome>,
  change: RuleChangeSnapshot,
  publisher: Publisher,
): Promise<RuleChangeSnapshot> {
  const { decision, person, reason } = order;
  const digest = decision === 'approve' ? order.digest : null;
  const refused = decision === 'approve' ? refusalOf(digest, change, person) : null;
  if (refused !== null) {
    reply.answer({ kind: refused, change });
    return change;
  }
  const decided = { ...change, decisions: [...change.decisions, { person, decision, reason, digest, at: now() }] };
  const changed = await afterDecision(decided, decision, publisher);
  reply.answer({ kind: 'done', change: changed });
  return changed;
}

/** Repeats the validator's checks: the report may have changed since. */
function refusalOf(
  digest: string | null,
  change: RuleChangeSnapshot,
  person: string,
): 'other_proof' | 'same_person' | null {
  if (change.proof?.digest !== digest) return 'other_proof';
  return hasApproved(change, person) ? 'same_person' : null;
}

async function afterDecision(
  change: RuleChangeSnapshot,
  decision: 'approve' | 'reject',
  publisher: Publisher,
): Promise<RuleChangeSnapshot> {
  if (decision === 'reject') return end(change, 'rejected');
  if (approvalsMissing(change) > 0) {
    await ruleChanges.storeRuleChange('store the decision', { change });
    return change;
  }
  const event = { id: nextId('event'), type: 'rules.updated' };
  const decidedAt = now();
  const order = { change: { ...change, decidedAt }, eventId: event.id };
  const applied = await ruleChanges.applyRuleChange('put the proposed rules in force', order);
  if (applied.kind === 'superseded') return end(change, 'superseded');
  publisher.publish(event);
  return { ...change, status: 'approved', appliedVersion: applied.version, decidedAt };
}

async function end(
  change: RuleChangeSnapshot,
  status: 'rejected' | 'superseded' | 'expired',
): Promise<RuleChangeSnapshot> {
  const ended = { ...change, status, decidedAt: now() };
  await ruleChanges.storeRuleChange(`store the end of the change: ${status}`, { change: ended });
  return ended;
}

/** Answers late requests with `not_pending`. Returns when every caller has an answer and the event was sent. */
async function finish({ inbox, publisher, readers }: Run, change: RuleChangeSnapshot): Promise<void> {
  for (;;) {
    for (let late = inbox.take(); late !== undefined; late = inbox.take())
      if (late.kind !== 'proven') readers.push(late.reply);
    for (const reader of readers.splice(0)) reader.answer({ kind: 'not_pending', change });
    if (publisher.isIdle && allHandlersFinished()) return;
    await waitUntil(() => !inbox.isEmpty || (publisher.isIdle && allHandlersFinished()), null, 'handlers finish');
  }
}

function reportWait(reporter: StatusReporter, change: RuleChangeSnapshot, prover: Prover, expiresAt: string): void {
  if (change.proof === null) {
    const next = prover.isBusy
      ? 'the last 30 days are decided again under the proposed rules; then two people approve, or it expires'
      : 'its report could not be computed (gateway rules changes recompute), or it expires';
    reporter.report(change.status, { for: 'rule_change_proof', next, until: expiresAt }, UNLISTED);
    return;
  }
  const missing = approvalsMissing(change);
  const people = `${missing} more ${missing === 1 ? 'person approves' : 'people approve'}`;
  const next = `${people} (gateway rules changes approve), or it expires; ${change.proof.summary}`;
  reporter.report(change.status, { for: 'approval', next, until: expiresAt }, UNLISTED);
}

/**
 * Validates a decision. Before the row is loaded the report is unknown: the decision is then checked when it is
 * applied.
 */
function assertDecision(
  { decision, person, reason, digest }: RuleChangeDecisionInput,
  change: RuleChangeSnapshot | null,
  { prover }: Run,
): void {
  const isKnown = decision === 'approve' || decision === 'reject';
  if (!isKnown) throw refuse('InvalidDecision', 'a decision approves or rejects');
  assertPerson({ person });
  if (reason.length > 500) throw refuse('InvalidDecision', 'a reason has at most 500 characters');
  if (decision === 'reject' || change?.status !== 'pending_approval') return;
  if (change.proof === null)
    throw refuse('ProofNotReady', prover.isBusy ? 'the report is being computed' : 'the report could not be computed');
  if (digest !== change.proof.digest) throw refuse('OtherProof', 'the digest is not that of the report');
}

function assertPerson({ person }: RecomputeInput): void {
  if (person.trim() === '' || person.length > 64)
    throw refuse('InvalidDecision', 'a decision needs the person who decides');
}

function refuse(type: RuleChangeRefusal, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, type);
}
