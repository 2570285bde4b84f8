// A proposed change of rules: two different people approve it, one rejects it, or it expires. The single writer of the
// request: decisions are taken one at a time, stored, and only then answered.
import { allHandlersFinished, ApplicationFailure, setHandler } from '@temporalio/workflow';
import { decideRuleChange, type RuleChangeDecisionInput, type RuleChangeInput, type RuleChangeOutcome, ruleChangeQuery } from '../contract/temporal/rule-change.js';
import { approvalsMissing, hasApproved, ruleChangeExpiresAt, type RuleChangeSnapshot, type RuleChangeStatus } from '../domain/rule-change.js';
import { ruleChanges } from './steps/activity-proxies.js';
import { millisecondsUntil, nextId, now } from './steps/clock.js';
import { Inbox, newReply, type Reply } from './steps/inbox.js';
import { Publisher } from './steps/publisher.js';
import { Waiting, waitUntil } from './steps/waiting.js';

interface Request {
  readonly order: RuleChangeDecisionInput;
  readonly reply: Reply<RuleChangeOutcome>;
}

export async function ruleChange(input: RuleChangeInput): Promise<RuleChangeStatus> {
  const inbox = new Inbox<Request>();
  const publisher = new Publisher();
  const waiting = new Waiting({ status: 'pending_approval', waitingFor: 'approval' });
  let change: RuleChangeSnapshot | null = null;

  // A query: reads never disturb the request.
  setHandler(ruleChangeQuery, () => change);
  // An update: the person needs to know whether the decision counted.
  setHandler(
    decideRuleChange,
    (order) => {
      const reply = newReply<RuleChangeOutcome>();
      inbox.put({ order, reply });
      return reply.promise;
    },
    { validator: assertDecision },
  );

  change = await ruleChanges.loadRuleChange(input);
  const expiresAt = ruleChangeExpiresAt(change);
  while (change.status === 'pending_approval') {
    sayWaiting(waiting, change, expiresAt);
    // Expiry first: a decision that wakes a request too late does not count.
    const isTaken = millisecondsUntil(expiresAt) > 0 && (await waitUntil(() => !inbox.isEmpty, expiresAt, 'expires'));
    change = isTaken ? await takeDecision(inbox, change, input, publisher) : await end(change, 'expired');
  }
  waiting.say(change.status, { for: 'nothing', next: '', until: null }, []);
  await finish(inbox, change, publisher);
  return change.status;
}

/** Applies the next decision and answers it. */
async function takeDecision(inbox: Inbox<Request>, change: RuleChangeSnapshot, input: RuleChangeInput, publisher: Publisher): Promise<RuleChangeSnapshot> {
  const request = inbox.take();
  if (request === undefined) return change;
  const { decision, person, reason } = request.order;
  if (decision === 'approve' && hasApproved(change.decisions, person)) {
    request.reply.answer({ kind: 'same_person', change });
    return change;
  }
  const decided = { ...change, decisions: [...change.decisions, { person, decision, reason, at: now() }] };
  const changed = await afterDecision(decided, decision, input, publisher);
  request.reply.answer({ kind: 'done', change: changed });
  return changed;
}

async function afterDecision(change: RuleChangeSnapshot, decision: 'approve' | 'reject', input: RuleChangeInput, publisher: Publisher): Promise<RuleChangeSnapshot> {
  if (decision === 'reject') return end(change, 'rejected');
  if (approvalsMissing(change.decisions) > 0) {
    await ruleChanges.storeRuleChange({ change });
    return change;
  }
  const event = { id: nextId('event'), type: 'rules.updated' };
  const decidedAt = now();
  const applied = await ruleChanges.applyRuleChange({ change: { ...change, decidedAt }, eventId: event.id });
  if (applied.kind === 'superseded') return end(change, 'superseded');
  publisher.publish(event, input.operationId);
  return { ...change, status: 'approved', appliedVersion: applied.version, decidedAt };
}

async function end(change: RuleChangeSnapshot, status: 'rejected' | 'superseded' | 'expired'): Promise<RuleChangeSnapshot> {
  const ended = { ...change, status, decidedAt: now() };
  await ruleChanges.storeRuleChange({ change: ended });
  return ended;
}

/** Whoever decided too late is told so; the workflow ends when everybody has an answer and the event has left. */
async function finish(inbox: Inbox<Request>, change: RuleChangeSnapshot, publisher: Publisher): Promise<void> {
  for (;;) {
    for (let late = inbox.take(); late !== undefined; late = inbox.take()) late.reply.answer({ kind: 'not_pending', change });
    if (publisher.isIdle && allHandlersFinished()) return;
    await waitUntil(() => !inbox.isEmpty || (publisher.isIdle && allHandlersFinished()), null, 'handlers finish');
  }
}

function sayWaiting(waiting: Waiting, change: RuleChangeSnapshot, expiresAt: string): void {
  const missing = approvalsMissing(change.decisions);
  const next = `${missing} more ${missing === 1 ? 'person approves' : 'people approve'} (gateway rules changes approve), or it expires`;
  waiting.say(change.status, { for: 'approval', next, until: expiresAt }, []);
}

function assertDecision({ decision, person, reason }: RuleChangeDecisionInput): void {
  const isKnown = decision === 'approve' || decision === 'reject';
  if (!isKnown) throw ApplicationFailure.nonRetryable('a decision approves or rejects', 'InvalidDecision');
  if (person.trim() === '' || person.length > 64) throw ApplicationFailure.nonRetryable('a decision needs the person who decides', 'InvalidDecision');
  if (reason.length > 500) throw ApplicationFailure.nonRetryable('a reason has at most 500 characters', 'InvalidDecision');
}
