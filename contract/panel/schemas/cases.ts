// A case: one payment under review, with what a person needs to judge it. Personal data is masked.
import { z } from 'zod';
import { CASE_ACTS, LONGEST_SNOOZE_HOURS } from '../../../domain/case-work.js';
import { isPersonName } from '../../../domain/people.js';
import {
  compared,
  confirmedPossibility,
  count,
  givenReason,
  instant,
  money,
  operationName,
  paymentKind,
  personalDecision,
  personsReason,
  possibility,
  reason,
} from './common.js';
import { confirmation } from './confirmation.js';
import { caseWork, claim } from './queue.js';

const BLOCKED_KINDS = ['player', 'document', 'payer', 'pix_key', 'device'] as const;

const DECISIONS = ['approve', 'refuse', 'return'] as const;

/** What can be revealed, for a time and with a reason. */
const REVEALED_FIELDS = [
  'player.name',
  'player.document',
  'player.email',
  'player.birth_date',
  'player.ip',
  'player.device_id',
  'payer.name',
  'payer.document',
  'destination.key',
] as const;
export const revealedField = z.enum(REVEALED_FIELDS);

/** `masked` null: the request does not have it. */
const maskedField = z.object({ field: revealedField, masked: z.string().nullable() });

const outcome = z.object({ kind: z.string(), reasons: z.array(z.string()) });
/** Every rule that matched; `decided` false: a block outranked it. */
const why = z.array(z.object({ code: z.string(), compared, decided: z.boolean() }));

/** One decision of the rules on the payment. */
export const ruleDecision = z.object({
  stage: z.string(),
  at: instant,
  ruleset_version: z.int(),
  time_zone: z.string(),
  outcome,
  why,
  /** What would have passed; null where that is no question. Both null: only people or other facts could change it. */
  counterfactual: z.object({ automatic_up_to: money.nullable(), automatic_from: instant.nullable() }).nullable(),
  digest: z.string(),
  /** The stored facts give the stored outcome again. */
  reproduced: z.boolean(),
});

/** The same decisions under another version of the operation's rules. */
export const replayAnswer = z.object({
  version: z.int(),
  decisions: z.array(
    z.object({
      stage: z.string(),
      at: instant,
      ruleset_version: z.int(),
      was: outcome,
      is: outcome,
      /** Another outcome, or other reasons. */
      differs: z.boolean(),
      /** `null` under another version than its own. */
      reproduced: z.boolean().nullable(),
      why,
    }),
  ),
});
/** A version of the rules, as texts in addresses are. */
export const replayQuery = z.strictObject({ version: z.string().regex(/^[1-9]\d{0,8}$/) });

const sums = z.object({
  settled: money,
  settled_count: count,
  /** Settled and open. */
  counted: money,
});

const earlierPayment = z.object({
  id: z.string(),
  kind: paymentKind,
  status: z.string(),
  amount: money,
  reasons: z.array(z.string()),
  created_at: instant,
});

/**
 * What two players share. `payer_is_player`: the other's document paid for this one; `pays_for_player`: this one's
 * document paid for the other.
 */
const LINKS = ['document', 'payer', 'payer_is_player', 'pays_for_player', 'pix_key', 'device', 'ip'] as const;
export const linkedPlayers = z.object({
  players: z.array(z.object({ ref: z.string(), shares: z.array(z.enum(LINKS)) })),
  /** There are more than are shown. */
  more: z.boolean(),
});

/** The work on a case, with what people wrote and changed, newest first. */
const workWithNotes = z.object({
  ...caseWork.shape,
  notes: z.array(
    z.object({
      act: z.enum(CASE_ACTS),
      person: z.string(),
      /** An answer that a person of the operator gave by themselves. */
      is_operators: z.boolean(),
      text: z.string().nullable(),
      given_to: z.string().nullable(),
      waits_until: instant.nullable(),
      at: instant,
    }),
  ),
  may: possibility,
});

/** That a player, or something of theirs, is on a list. */
const listed = z.object({ list: z.enum(['block', 'review']), kind: z.string(), added_at: instant });

export const caseAnswer = z.object({
  id: z.string(),
  kind: paymentKind,
  operation: z.object({ ...operationName.shape, time_zone: z.string() }),
  external_id: z.string(),
  status: z.string(),
  version: z.int(),
  amount: money,
  paid_amount: money.nullable(),
  fee: money.nullable(),
  created_at: instant,
  /** Under review since; null if it never was. */
  since: instant.nullable(),
  decide_by: instant.nullable(),
  claim: claim.nullable(),
  work: workWithNotes,

  reasons: z.array(reason),
  decisions: z.array(ruleDecision),

  player: z.object({
    ref: z.string(),
    known_since: instant.nullable(),
    /** Other players of the operation that share something with this one, most in common first. */
    linked: linkedPlayers,
    /** On which lists of the operation, and by what. */
    lists: z.array(listed),
    fields: z.array(maskedField),
    deposits: sums,
    withdrawals: sums,
    /** Newest first, without this one. */
    payments: z.array(earlierPayment),
  }),
  /** What the operator said with the request. */
  told: z.object({
    account_created_at: instant.nullable(),
    kyc_level: z.string().nullable(),
    total_deposited: money.nullable(),
    total_withdrawn: money.nullable(),
    net_gaming_result: money.nullable(),
    /** Documents and e-mail addresses in it are masked. */
    metadata: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  /** Of a deposit that was paid: who paid, against who was to pay. Null otherwise. */
  payer: z
    .object({
      is_known: z.boolean(),
      /** The ISPB of the bank that sent it, by the end-to-end id; null: the id does not say. */
      bank_ispb: z.string().nullable(),
      fields: z.array(maskedField),
      /** `null` if one of the two is not known. */
      same_document: z.boolean().nullable(),
      same_name: z.boolean().nullable(),
    })
    .nullable(),
  /** Of a withdrawal: where the money goes. */
  destination: z.object({ type: z.string(), fields: z.array(maskedField), holder: z.string() }).nullable(),
  /** The same key (withdrawal) or the same payer (deposit) in payments of the operation. */
  other_uses: z.object({
    of: z.enum(['key', 'payer']),
    payments: count,
    /** Other players, without this one. */
    players: count,
    latest: z.array(
      z.object({ id: z.string(), player_ref: z.string(), status: z.string(), amount: money, created_at: instant }),
    ),
  }),
  /** What people decided on earlier payments of the player, newest first. */
  earlier_decisions: z.array(
    z.object({ payment_id: z.string(), kind: paymentKind, amount: money, ...personalDecision.shape }),
  ),
  approvals: z.object({ given: z.array(personalDecision), needed: count }),
  /** What people decided on this one, in order. */
  decided: z.array(personalDecision),
  /** Whether a refusal or a return may also block what the case is about. */
  may_block: possibility,
  /** An approval needs a reason too: the amount is above the deployment's threshold. */
  reason_needed: z.boolean(),
  acts: z.object({ approve: confirmedPossibility, refuse: possibility, return: confirmedPossibility }),
});

export const workBody = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('note'), text: givenReason }),
  /** To nobody with `person: null`. `seen`: who had it when the person saw it. */
  z.strictObject({
    act: z.literal('assign'),
    person: z.string().refine(isPersonName, { error: 'must be a handle' }).nullable(),
    seen: z.string().max(64).nullable(),
  }),
  z.strictObject({
    act: z.literal('snooze'),
    hours: z.int().min(1).max(LONGEST_SNOOZE_HOURS),
    text: givenReason,
  }),
  /** It waits no longer. */
  z.strictObject({ act: z.literal('wake') }),
  z.strictObject({ act: z.literal('escalate'), is_escalated: z.boolean(), text: givenReason }),
  z.strictObject({ act: z.literal('ask'), text: givenReason }),
  /** What the operator answered. Only while an answer is awaited. */
  z.strictObject({ act: z.literal('answer'), text: givenReason }),
  /** One's own decision was a mistake. It undoes nothing. */
  z.strictObject({ act: z.literal('flag') }),
]);
export const worked = z.object({ work: workWithNotes });

export const decisionBody = z
  .strictObject({
    decision: z.enum(DECISIONS),
    reason: personsReason,
    /** The version that the page shows: a payment that changed since is not decided. */
    version: z.int().min(1),
    /** With a refusal or a return: what of the case goes onto the block list. */
    block: z.array(z.enum(BLOCKED_KINDS)).max(BLOCKED_KINDS.length).default([]),
    /** How long it stays there; without it until somebody removes it. */
    block_days: z.int().min(1).max(365).optional(),
    ...confirmation,
  })
  .refine(({ decision, block }) => decision !== 'approve' || block.length === 0, {
    path: ['block'],
    error: 'goes with a refusal or a return',
  })
  .refine(({ decision, reason: text }) => decision === 'approve' || text.length >= 3, {
    path: ['reason'],
    error: 'a refusal or a return needs a reason',
  });

/** `done`: it took effect. `noted`: another person must approve too. `under_way`: it is being returned. */
export const decided = z.object({
  outcome: z.enum(['done', 'noted', 'under_way']),
  id: z.string(),
  status: z.string(),
  version: z.int().nullable(),
  approvals: z.object({ given: z.array(personalDecision), needed: count }),
  /** What is on the block list now. */
  blocked: z.array(z.enum(BLOCKED_KINDS)),
});

export const revealBody = z.strictObject({ field: revealedField, reason: givenReason });
export const revealed = z.object({
  field: revealedField,
  /** `null` if the payment does not have it. Plain text of unknown origin: never markup. */
  value: z.string().nullable(),
  /** The page hides it again then. */
  until: instant,
});
