// What `gateway find` prints: each hit with its workflow's status, its page in the Temporal UI, and the commands to run
// next.
import type { WorkflowPage } from '../../../staff/reads/workflow-page.js';
import type { Hit } from '../../../staff/reads/find/find.js';
import { pageUrl, type TemporalUi } from '../../../contract/temporal/ui-links.js';
import { WAITS } from '../../../contract/temporal/search-attributes.js';

/** Whether Temporal was queried, and whether it answered. */
export type TemporalAnswer = 'answered' | 'no_answer' | 'not_configured' | 'not_needed';

/** The workflow of a hit; null if it has none. */
export function workflowIdOf(hit: Hit): string | null {
  switch (hit.type) {
    case 'deposit':
    case 'withdrawal':
    case 'event':
    case 'rule_change':
      return hit.id;
    case 'operation':
    case 'key':
    case 'alert':
    case 'request_for_approval':
    case 'act':
    case 'cash_movement':
    case 'item_return':
    case 'request':
    case 'refused_payment':
    case 'player':
      return null;
  }
}

export type PresentedHit = ReturnType<typeof presentHit>;

/** A hit as it is printed. `page` is null if its workflow was not queried. */
export function presentHit(hit: Hit, page: WorkflowPage | null, ui: TemporalUi | null) {
  const workflowId = workflowIdOf(hit);
  const { waits_for, ...rest } =
    hit.type === 'deposit' || hit.type === 'withdrawal' ? withWait(hit, page) : { ...hit, waits_for: null };
  return {
    ...rest,
    ...(waits_for === null ? {} : { waits_for }),
    ...(page === null || page.answer !== 'page'
      ? {}
      : { workflow: { status: page.status, says: page.says, pending_activities: page.pending_activities } }),
    temporal_ui:
      ui === null || workflowId === null ? null : pageUrl(ui, workflowId, page?.answer === 'page' ? page.run_id : null),
    commands: commandsOf(hit, page).map((command) => `gateway ${command}`),
  };
}

type PaymentHit = Extract<Hit, { readonly type: 'deposit' | 'withdrawal' }>;

/** What the payment waits for: from its workflow if it answered, otherwise from its row. */
function withWait(hit: PaymentHit, page: WorkflowPage | null) {
  const { awaits, is_closed: isClosed, ...payment } = hit;
  const reported =
    page?.answer === 'page' && page.status === 'running' && page.waiting_for !== null ? page.waiting_for : null;
  const wait =
    reported === null || reported === awaits.for
      ? awaits
      : { for: reported, meaning: WAITS[reported], next: null, at: null };
  return {
    ...payment,
    waits_for: { ...wait, source: reported === null ? 'database' : 'workflow', problem: problemOf(isClosed, page) },
  };
}

type WorkflowProblem =
  | 'temporal_not_asked'
  | 'temporal_does_not_answer'
  | 'no_workflow'
  | 'workflow_has_ended'
  | 'no_worker_answers';

/** Why an open payment has no running workflow, or why that is unknown. */
function problemOf(isClosed: boolean, page: WorkflowPage | null): WorkflowProblem | null {
  if (isClosed) return null;
  if (page === null) return 'temporal_not_asked';
  switch (page.answer) {
    case 'none':
      return 'temporal_does_not_answer';
    case 'no_workflow':
      return 'no_workflow';
    case 'page':
      if (page.status !== 'running') return 'workflow_has_ended';
      return page.says === null ? 'no_worker_answers' : null;
  }
}

/** The commands to run next, most useful first. */
function commandsOf(hit: Hit, page: WorkflowPage | null): string[] {
  switch (hit.type) {
    case 'deposit':
    case 'withdrawal':
      return paymentCommands(hit, page);
    case 'event':
      return [...(hit.status === 'delivered' ? [] : [`event redeliver ${hit.id}`]), ...findObject(hit.object_id)];
    case 'operation':
      return [
        `balance list --operation ${hit.id}`,
        `review list --operation ${hit.id}`,
        `endpoint list --operation ${hit.id}`,
        `rules show --operation ${hit.id}`,
      ];
    case 'key':
      return [
        `key list --operation ${hit.operation_id ?? ''}`,
        ...(hit.status === 'ended' ? [] : [`key revoke ${hit.id}`]),
      ];
    case 'alert':
      return [...findObject(hit.object_id), ...(hit.status === 'open' ? [`alerts resolve ${hit.id}`] : [])];
    case 'rule_change':
      return [`rules changes show ${hit.id}`];
    case 'request_for_approval':
      return hit.status === 'pending'
        ? ['request list', `request approve ${hit.id} --as NAME`]
        : ['request list --all'];
    case 'act':
    case 'item_return':
    case 'request':
      return findObject(hit.object_id);
    case 'cash_movement':
      return [`cash list --operation ${hit.operation_id ?? ''}`, ...findObject(hit.object_id)];
    case 'refused_payment':
      return [`decision show ${hit.id}`];
    case 'player':
      return [`player payments ${hit.external_ref} --operation ${hit.operation_id}`];
  }
}

const REVIEWS = { deposit: ['approve', 'return'], withdrawal: ['approve', 'refuse'] } as const;

function paymentCommands(hit: PaymentHit, page: WorkflowPage | null): string[] {
  const { type, id, status } = hit;
  const isAdrift =
    !hit.is_closed && (page?.answer === 'no_workflow' || (page?.answer === 'page' && page.status !== 'running'));
  return [
    ...(isAdrift ? ['workflow verify --refresh'] : []),
    ...(status === 'under_review'
      ? [`review show ${id}`, ...REVIEWS[type].map((decision) => `review ${decision} ${id} --as NAME`)]
      : []),
    `${type} show ${id}`,
    ...(hit.reasons.length > 0 || type === 'withdrawal' ? [`decision show ${id}`] : []),
    `player payments ${hit.player_ref} --operation ${hit.operation_id}`,
  ];
}

function findObject(id: string | null): string[] {
  return id === null ? [] : [`find ${id}`];
}
