// Operators that are wrong on purpose, each in one thing, and the one check that must find it.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createGatewayClient,
  newIdempotencyKey,
  NoAnswerError,
  ProblemError,
  verifyWebhook,
} from '../../../client/index.js';
import type { GatewayClient, GatewayEvent, WebhookDelivery } from '../../../client/index.js';
import { signWebhookText, webhookSignedText } from '../../../client/webhooks.js';
import type { AdapterCredentials } from '../../../conformance/operator/adapter.js';
import type { Entry } from './entry.js';
import { giveBack, isOwn, kindOf, RIGHT } from './operator.js';
import type { Habits, Operator, Said } from './operator.js';

export interface WrongOperator {
  readonly does: string;
  readonly check: string;
  readonly habits: Partial<Habits>;
}

/** Those that lose or double money in the ways that are seen most. */
export const WRONG_OPERATORS: readonly WrongOperator[] = [
  {
    does: 'credits what a webhook says',
    check: 'webhook-trigger-only',
    habits: {
      onEvent(operator, event) {
        const said = event.data.object as unknown as Said;
        const entry = operator.entries.get(`${kindOf(event)} ${said.external_id}`);
        if (entry !== undefined && said.status === 'paid') RIGHT.apply(operator, entry, said);
        RIGHT.onEvent(operator, event);
      },
    },
  },
  {
    does: 'credits again when a webhook comes again',
    check: 'webhook-repeated',
    habits: {
      onEvent(operator, event) {
        const entry = operator.entries.get(`deposit ${ownId(event)}`) as (Entry & { heardOf?: string }) | undefined;
        if (entry?.heardOf === event.id && event.type === 'deposit.paid')
          operator.credit(entry.playerRef, entry.amountMinor);
        if (entry !== undefined) entry.heardOf = event.id;
        RIGHT.onEvent(operator, event);
      },
    },
  },
  {
    does: 'believes any signature',
    check: 'webhook-forged',
    habits: { verify: (delivery, secret) => verifyWebhook(signedAgain(delivery, secret), verification(secret)) },
  },
  {
    does: 'never reads GET /events',
    check: 'webhook-lost',
    habits: { readsEvents: false },
  },
  {
    does: 'gives the reserve back when no answer or a 5xx comes',
    check: 'withdrawal-reserve-kept',
    habits: {
      client(credentials) {
        const [patient, brief] = [clientOf(credentials), clientOf(credentials, 2)];
        return { ...patient, createWithdrawal: brief.createWithdrawal };
      },
      onFailure(failed) {
        const { operator, kind, entry, error } = failed;
        const isUnknown = error instanceof NoAnswerError || (error instanceof ProblemError && error.status >= 500);
        if (kind === 'withdrawal' && isUnknown) giveBack(operator, entry);
        else RIGHT.onFailure(failed);
      },
    },
  },
  {
    does: 'repeats under a new Idempotency-Key',
    check: 'requests-repeated-as-they-were',
    habits: { client: (credentials) => repeating(credentials, { newKeys: true }) },
  },
  {
    does: 'takes an unknown state for a failure',
    check: 'unknown-values',
    habits: {
      apply(operator, entry, said) {
        const isKnown = KNOWN.has(said.status);
        if (entry.kind === 'withdrawal' && !isKnown && entry.money === 'reserved') giveBack(operator, entry);
        RIGHT.apply(operator, entry, said);
      },
    },
  },
  {
    does: 'credits the amount that the gateway says, to the player that it says',
    check: 'deposit-compared',
    habits: {
      apply(operator, entry, said) {
        if (isOwn(entry, said)) return RIGHT.apply(operator, entry, said);
        if (entry.kind !== 'deposit' || said.status !== 'paid' || entry.money !== 'open') return;
        entry.money = 'credited';
        operator.credit(entry.playerRef, BigInt(said.amount.amount));
      },
    },
  },
];

/** One for every further check. */
export const MORE_WRONG_OPERATORS: readonly WrongOperator[] = [
  {
    does: 'does not look at the time of a webhook',
    check: 'webhook-replayed',
    habits: {
      verify: (delivery, secret) =>
        verifyWebhook(delivery, { secrets: [secret], nowSeconds: Number(delivery.headers['svc-timestamp']) }),
    },
  },
  {
    does: 'does not compare the two event ids',
    check: 'webhook-event-id',
    habits: {
      verify(delivery, secret) {
        const result = RIGHT.verify(delivery, secret);
        if (result.ok || result.refusal !== 'event_id_mismatch') return result;
        return { ok: true, event: JSON.parse(Buffer.from(delivery.rawBody).toString('utf8')) as GatewayEvent };
      },
    },
  },
  {
    does: 'answers 409 to an older event',
    check: 'webhook-reordered',
    habits: { answerTo: (operator, event) => (isOlderThanSeen(operator, event) ? 409 : null) },
  },
  {
    does: 'refuses events that were created long ago',
    check: 'webhook-late',
    habits: { answerTo: (_, event) => (Date.now() - Date.parse(event.created_at) > 86_400_000 ? 401 : null) },
  },
  {
    does: 'takes every 4xx for a decision',
    check: 'withdrawal-undecided',
    habits: {
      onFailure({ operator, kind, entry, error }) {
        if (kind === 'withdrawal' && error instanceof ProblemError && error.status < 500) giveBack(operator, entry);
      },
    },
  },
  {
    does: 'gives the reserve back as often as it hears of a failure',
    check: 'withdrawal-given-back',
    habits: {
      apply(operator, entry, said) {
        const isAgain = entry.money === 'given_back' && said.status === 'failed' && said.version === entry.version;
        if (isAgain) giveBack(operator, entry);
        RIGHT.apply(operator, entry, said);
      },
    },
  },
  {
    does: 'forgets a webhook whose look-up failed',
    check: 'outage',
    habits: {
      retriesReads: false,
      client(credentials) {
        const [patient, brief] = [clientOf(credentials), clientOf(credentials, 1)];
        return { ...patient, getDeposit: brief.getDeposit };
      },
    },
  },
  {
    does: 'compares the first signature only',
    check: 'rotation-webhook-secret',
    habits: {
      verify: (delivery, secret) =>
        RIGHT.verify(
          {
            ...delivery,
            headers: {
              ...delivery.headers,
              'svc-signature': String(delivery.headers['svc-signature'] ?? '').split(',')[0],
            },
          },
          secret,
        ),
    },
  },
  {
    does: 'keeps its key until the next release',
    check: 'rotation-api-key',
    habits: {
      take: (given, before) => (before === null ? given : { ...given, key_id: before.key_id, secret: before.secret }),
    },
  },
  {
    does: 'believes the digest of a day',
    check: 'reconciliation-proof',
    habits: { books: { ...RIGHT.books, computesDigest: false } },
  },
  {
    does: 'does not miss its own payments in a day',
    check: 'reconciliation-differences',
    habits: { books: { ...RIGHT.books, looksBothWays: false } },
  },
  {
    does: 'takes an open day for one that agrees',
    check: 'reconciliation-day-open',
    habits: { books: { ...RIGHT.books, openDayAgrees: true } },
  },
  {
    does: 'reads the first page of a day',
    check: 'reconciliation-agrees',
    habits: { books: { ...RIGHT.books, readsAllPages: false } },
  },
  {
    does: 'reads the currencies without a signature',
    check: 'requests-well-formed',
    habits: {
      atStart: ({ base_url: baseUrl }) => fetch(`${baseUrl}/currencies`).then((answer) => answer.arrayBuffer()),
    },
  },
  {
    does: 'starts over after a lost answer',
    check: 'create-answer-lost',
    habits: {
      client: (credentials) => repeating(credentials, { stopsWhenLost: true }),
      onFailure(failed) {
        const { operator, kind, order, error } = failed;
        if (kind === 'deposit' && error instanceof NoAnswerError) operator.begin(kind, order);
        else RIGHT.onFailure(failed);
      },
    },
  },
  {
    does: 'does not wait for Retry-After',
    check: 'create-repeated-later',
    habits: { client: (credentials) => repeating(credentials, { pauseMs: 100 }) },
  },
  {
    does: 'creates another deposit after a 202',
    check: 'create-202',
    habits: {
      onAccepted(operator, kind, order, status) {
        if (status === 202) operator.begin(kind, order);
      },
    },
  },
  {
    does: 'forgets a deposit that went to review',
    check: 'deposit-credited',
    habits: {
      apply(operator, entry, said) {
        const wasReviewed = entry.kind === 'deposit' && entry.status === 'under_review';
        if (!wasReviewed) RIGHT.apply(operator, entry, said);
      },
    },
  },
  {
    does: 'credits whatever has a paid amount',
    check: 'deposit-not-credited',
    habits: {
      apply(operator, entry, said) {
        const hasMoney = entry.kind === 'deposit' && said.paid_amount != null && said.status !== 'under_review';
        const isKnown = KNOWN.has(said.status);
        RIGHT.apply(operator, entry, hasMoney && isKnown ? { ...said, status: 'paid' } : said);
      },
    },
  },
];

const KNOWN = new Set([
  ...['created', 'pending', 'under_review', 'paid', 'expired', 'cancelled', 'failed', 'returned'],
  ...['refunded', 'chargeback', 'requested', 'approved', 'processing', 'rejected'],
]);

function ownId({ data }: GatewayEvent): string {
  return (data.object as unknown as Said).external_id;
}

function verification(secret: string) {
  return { secrets: [secret], nowSeconds: Math.floor(Date.now() / 1000) };
}

/** The delivery with a right signature in place of whatever it has. */
function signedAgain(delivery: WebhookDelivery, secret: string): WebhookDelivery {
  const { headers, rawBody } = delivery;
  const text = webhookSignedText(String(headers['svc-timestamp']), String(headers['svc-event-id']), rawBody);
  return { ...delivery, headers: { ...headers, 'svc-signature': `v1=${signWebhookText(secret, text)}` } };
}

function clientOf(
  { base_url: baseUrl, key_id: keyId, secret }: AdapterCredentials,
  maxAttempts?: number,
): GatewayClient {
  return createGatewayClient({ baseUrl, keyId, secret, ...(maxAttempts === undefined ? {} : { maxAttempts }) });
}

/** A client that repeats the creation of a deposit in a way of its own. */
function repeating(
  credentials: AdapterCredentials,
  how: { readonly newKeys?: boolean; readonly stopsWhenLost?: boolean; readonly pauseMs?: number },
): GatewayClient {
  const once = clientOf(credentials, 1);
  return {
    ...clientOf(credentials),
    async createDeposit(deposit, key) {
      for (;;) {
        try {
          return await once.createDeposit(
            deposit,
            how.newKeys === true ? { idempotencyKey: newIdempotencyKey() } : key,
          );
        } catch (error) {
          const isLost = error instanceof NoAnswerError;
          const isLater = error instanceof ProblemError && error.verdict === 'repeat';
          if (!isLater && (!isLost || how.stopsWhenLost === true)) throw error;
          const retryAfterSeconds = error instanceof ProblemError ? (error.retryAfterSeconds ?? 1) : 1;
          await sleep(how.pauseMs ?? retryAfterSeconds * 1_000);
        }
      }
    },
  };
}

function isOlderThanSeen(operator: Operator, event: GatewayEvent): boolean {
  const entry = operator.entries.get(`${kindOf(event)} ${ownId(event)}`) as (Entry & { heard?: number }) | undefined;
  if (entry === undefined) return false;
  const isOlder = event.object_version < (entry.heard ?? 0);
  entry.heard = Math.max(entry.heard ?? 0, event.object_version);
  return isOlder;
}
