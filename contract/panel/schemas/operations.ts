// What is configured for operations: keys, networks, endpoints, lists, rules, money. And alerts and the audit trail.
import { z } from 'zod';
import { ALERT_PLACES } from '../../../domain/alert-places.js';
import { DAY_EXCEPTIONS } from '../../../domain/reconciliation.js';
import { type AccountName, accountNameOf } from '../../../domain/provider-accounts.js';
import { DIFFERING, STATEMENT_KINDS } from '../../../domain/statements.js';
import { STAFF_MEANS } from '../../../domain/staff.js';
import { DISPUTE_REASONS, DISPUTE_STATUSES } from '../../../domain/disputes.js';
import { SCOPES } from '../../http/route.js';
import {
  count,
  cursor,
  givenReason,
  instant,
  json,
  money,
  nextPage,
  operationId,
  operationName,
  possibility,
} from './common.js';

const ROTATIONS = ['fresh', 'due', 'overdue', 'ending', 'ended'] as const;

export const operationParams = z.object({ operation: operationId });

/** What lists and filters need of the operations within reach. */
export const operationsAnswer = z.object({
  items: z.array(
    z.object({
      ...operationName.shape,
      environment: z.string(),
      status: z.string(),
      /** Of its rules. */
      time_zone: z.string(),
      /** Events wait that its endpoint has not accepted. */
      is_failing: z.boolean(),
    }),
  ),
  more: z.boolean(),
});

const key = z.object({
  key_id: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: instant,
  first_used_at: instant.nullable(),
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  rotation: z.enum(ROTATIONS),
});

/** One operation, without any secret. */
export const operationAnswer = z.object({
  ...operationName.shape,
  time_zone: z.string(),
  environment: z.string(),
  status: z.string(),
  provider: z.string(),
  created_at: instant,
  /** Since when a person has paused that provider; `null` when it is not paused. */
  provider_paused_at: instant.nullable(),
  automatic_stopped_at: instant.nullable(),
  webhook_url: z.string().nullable(),
  /** Events that its endpoint has not accepted; `null` when none waits. */
  failing: z
    .object({
      events: count,
      since: instant.nullable(),
      response_status: z.int().nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
  /** Newest first, like secrets and certificates. */
  keys: z.array(key),
  webhook_secrets: z.array(z.object({ created_at: instant, expires_at: instant.nullable() })),
  networks: z.array(z.string()),
  certificates: z.array(
    z.object({ serial: z.string(), not_after: instant, renew_from: instant, revoked_at: instant.nullable() }),
  ),
  /** There are older keys, secrets or certificates than are shown. */
  has_older: z.boolean(),
  /** In minor units, signed; for each account at a provider where its money lies. */
  balances: z.array(
    z.object({ provider: z.string(), account: z.string(), currency: z.string(), balance_minor: z.string() }),
  ),
});

export const rulesAnswer = z.object({
  operation: operationName,
  in_force: z.object({
    version: z.int(),
    rules: json,
    created_at: instant.nullable(),
    created_by: z.string().nullable(),
    /** Every threshold that decides now, and where it comes from. `engine`: the gateway's staff set it. */
    thresholds: z.array(
      z.object({ currency: z.string(), name: z.string(), value: json, source: z.enum(['rules', 'engine', 'default']) }),
    ),
  }),
  /** Whether the viewer may try and propose thresholds. */
  may_propose: possibility,
  history: z.array(z.object({ version: z.int(), created_at: instant, created_by: z.string() })),
  changes: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      base_version: z.int(),
      applied_version: z.int().nullable(),
      justification: z.string(),
      requested_by: z.string(),
      is_operators: z.boolean(),
      created_at: instant,
      decided_at: instant.nullable(),
    }),
  ),
});

export const cashQuery = z.strictObject({ cursor: cursor.optional() });
export const cashPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      /** The account at the provider where the money moved; of `moved`, the one that it left. */
      provider: z.string(),
      to_provider: z.string().nullable(),
      amount: money,
      /** Where it is written: a transfer slip, a letter, a ticket. */
      document: z.string(),
      reason: z.string(),
      requested_by: z.string(),
      /** Null in the sandbox, where one person is enough. */
      approved_by: z.string().nullable(),
      created_at: instant,
    }),
  ),
  next: nextPage,
});

export const suspenseQuery = z.strictObject({ cursor: cursor.optional() });
export const suspensePage = z.object({
  /** Late and extra payments of which something is left, oldest first. */
  items: z.array(
    z.object({
      end_to_end_id: z.string(),
      /** Where the money is. */
      account: z.string(),
      /** On whose charge it was paid. */
      deposit: z.string(),
      amount: money,
      left: money,
      received_at: instant,
      /** Masked; `null` if nobody knows. */
      payer: z
        .object({ name: z.string().nullable(), document: z.string().nullable(), matches_player: z.boolean() })
        .nullable(),
      exits: z.array(
        z.object({
          way: z.enum(['returned', 'credited', 'assigned', 'recalled']),
          amount: money,
          said_by: z.enum(['provider', 'people']),
          return_id: z.string().nullable(),
        }),
      ),
      /** The alert that asks for an exit, and who looks after it; null: there is none. */
      alert: z.object({ id: z.string(), assigned_to: z.string().nullable() }).nullable(),
      /** An exit that is ordered and not over: `requested` waits for a second person. Null: none. */
      under_way: z.enum(['return', 'requested']).nullable(),
    }),
  ),
  next: nextPage,
});

export const disputesQuery = z.strictObject({ cursor: cursor.optional() });
export const disputesPage = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      status: z.enum(DISPUTE_STATUSES),
      reason: z.enum(DISPUTE_REASONS).nullable(),
      deposit_id: z.string(),
      /** `null` if the provider does not report it unambiguously. */
      amount: money.nullable(),
      opened_at: instant,
      /** Until when it can be answered at the provider; `null` if the provider sets no deadline. */
      due_at: instant.nullable(),
    }),
  ),
  next: nextPage,
});

export const daysQuery = z.strictObject({ cursor: cursor.optional() });
export const daysPage = z.object({
  items: z.array(
    z.object({
      /** UTC. */
      day: z.string(),
      currency: z.string(),
      items: z.int(),
      /** Items that settled on an earlier day and were stored after that day was frozen. */
      carried_over: z.int(),
      deposits_paid: money,
      withdrawals_paid: money,
      refunds: money,
      chargebacks: money,
      fees: money,
      digest: z.string(),
      frozen_at: instant,
    }),
  ),
  next: nextPage,
});

export const dayParams = z.object({
  operation: operationId,
  day: z.iso.date(),
  currency: z.string().regex(/^[A-Z]{3,4}$/),
});
/** What a person has to check besides the day's items. */
export const dayExceptions = z.object({
  items: z.array(z.object({ kind: z.enum(DAY_EXCEPTIONS), payment_id: z.string(), amount: money, at: instant })),
  /** Whether there are more than are shown. */
  more: z.boolean(),
});

const statementDay = z.object({
  provider: z.string(),
  /** In Brasília's time. */
  day: z.string(),
  agrees: z.boolean(),
  lines: z.int(),
  matched: z.int(),
  missing_here: z.int(),
  missing_there: z.int(),
  amount_differs: z.int(),
  undecided: z.int(),
  resolved: z.int(),
  compared_at: instant,
  compared_by: z.string(),
});
/** `null` for people who may not see every operation: several operations share an account. */
export const statementsAnswer = z.object({ items: z.array(statementDay).nullable() });

const accountName = z.custom<AccountName>((value) => typeof value === 'string' && accountNameOf(value) !== undefined);

export const statementParams = z.object({ provider: accountName, day: z.iso.date() });
export const statementDifferences = z.object({
  digest: z.string(),
  items: z.array(
    z.object({
      id: z.string(),
      comparison: z.enum(DIFFERING),
      kind: z.enum(STATEMENT_KINDS),
      reference: z.string(),
      /** The payment or the cash movement. */
      subject: z.string().nullable(),
      /** The amount by each of the two; `null` if it has none. */
      statement: money.nullable(),
      ledger: money.nullable(),
      /** By two people. */
      explained: z.boolean(),
    }),
  ),
});

const LISTS = ['block', 'review'] as const;
const LIST_KINDS = ['player', 'pix_key', 'document', 'ip', 'device'] as const;
export const listsQuery = z.strictObject({
  list: z.enum(LISTS).optional(),
  kind: z.enum(LIST_KINDS).optional(),
  cursor: cursor.optional(),
});
/** One value onto a list or off it. In production two people take something off a block list. */
export const listChangeBody = z.discriminatedUnion('change', [
  z.strictObject({
    change: z.literal('add'),
    list: z.enum(LISTS),
    kind: z.enum(LIST_KINDS),
    value: z.string().trim().min(1).max(256),
    reason: givenReason,
    /** How long it counts; without it until somebody removes it. */
    days: z.int().min(1).max(3_650).optional(),
  }),
  z.strictObject({
    change: z.literal('remove'),
    list: z.enum(LISTS),
    kind: z.enum(LIST_KINDS),
    value: z.string().trim().min(1).max(256),
  }),
]);
export const listChanged = z.discriminatedUnion('status', [
  /** `is_changed` false: it was so already. */
  z.object({ status: z.literal('done'), is_changed: z.boolean() }),
  z.object({ status: z.literal('requested'), request_id: z.string() }),
]);

export const listsAnswer = z.object({
  operation: operationName,
  items: z.array(
    z.object({
      list: z.enum(LISTS),
      kind: z.enum(LIST_KINDS),
      /** The start of its keyed hash, as in the audit trail. */
      entry: z.string(),
      /** Its last characters, to tell entries apart. */
      value_ends: z.string(),
      added_at: instant,
      added_by: z.string().nullable(),
      reason: z.string(),
      /** It counts until then; null: until it is removed. */
      expires_at: instant.nullable(),
    }),
  ),
  next: nextPage,
});

const alertId = z.string().regex(/^alr_[A-Za-z0-9]{1,64}$/);
export const alertsQuery = z.strictObject({
  /** Only this one, resolved or not. */
  id: alertId.optional(),
  operation: operationId.optional(),
  resolved: z.enum(['no', 'yes']).default('no'),
  cursor: cursor.optional(),
});
export const alert = z.object({
  id: z.string(),
  kind: z.string(),
  operation: operationName.nullable(),
  object_id: z.string().nullable(),
  /** Where in the panel the act is that it asks for; null: the panel has none. */
  place: z.enum(ALERT_PLACES).nullable(),
  detail: z.string(),
  meaning: z.string(),
  safe_action: z.string(),
  /** The gateway resolves a condition when it ends. A person resolves an incident. */
  lasts: z.enum(['condition', 'incident']),
  created_at: instant,
  assigned_to: z.string().nullable(),
  resolved_at: instant.nullable(),
  resolved_by: z.string().nullable(),
  resolution: z.string().nullable(),
  acts: z.object({ assign: possibility, resolve: possibility }),
});
export const alertsPage = z.object({ items: z.array(alert), next: nextPage });
export const alertParams = z.object({ id: alertId });
export const alertBody = z.discriminatedUnion('act', [
  /** Assigns it to oneself, or to no one with `person: null`. `seen`: whom it was assigned to when the person saw it. */
  z.strictObject({
    act: z.literal('assign'),
    person: z.enum(['me']).nullable(),
    seen: z.string().max(64).nullable(),
  }),
  z.strictObject({ act: z.literal('resolve'), reason: givenReason }),
]);

export const auditQuery = z.strictObject({
  operation: operationId.optional(),
  subject: z.string().max(100).optional(),
  person: z.string().max(64).optional(),
  cursor: cursor.optional(),
});
/** The entries that a page would show, all of them. */
export const auditExportQuery = auditQuery.omit({ cursor: true });
export const auditPage = z.object({
  items: z.array(
    z.object({
      sequence: z.string(),
      at: instant,
      person: z.string(),
      action: z.string(),
      operation: operationName.nullable(),
      subject: z.string().nullable(),
      /** How the person was recognised; null where the gateway wrote in their name. */
      means: z.enum(STAFF_MEANS).nullable(),
      /** Without the means. */
      detail: json,
      hash: z.string(),
    }),
  ),
  next: nextPage,
  /** The last check of the whole chain; null: none has run yet. */
  verified: z.object({ at: instant, problems: count }).nullable(),
});

/** What the stream sends whenever it changes: numbers only. */
export const counters = z.object({
  waiting: count,
  overdue: count,
  approvals: count,
  alerts: count,
  /** Questions to the operator that its own people may answer; nobody else counts them. */
  questions: count,
  /** Rises with every event of the operations that the person sees: what a page shows may be old. */
  changes: z.string(),
  /** False: the processes of payments cannot be reached, so decisions and acts on payments have no outcome for now. */
  processes_answer: z.boolean(),
});
export type Counters = z.output<typeof counters>;
