// Checks of creations: lost answers, answers that say "later", and the 202.
import type { PaymentKind } from '../gateway/book.js';
import { refuse } from '../gateway/plays.js';
import type { SeenRequest } from '../gateway/requests.js';
import type { Check } from './check.js';
import { brl } from './stage.js';
import type { Stage, TestPlayer } from './stage.js';

const RETRY_AFTER_SECONDS = 1;
/** Clocks and timers are not exact to the millisecond. */
const RETRY_AFTER_SLACK_MS = 50;

/** The answers after which the same request is sent again. */
const LATER = [
  refuse(500, 'internal_error'),
  refuse(429, 'rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  refuse(503, 'service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  refuse(409, 'idempotency_in_progress', { retryable: true, retryAfterSeconds: RETRY_AFTER_SECONDS }),
];

export const CREATION_CHECKS: readonly Check[] = [
  {
    id: 'create-answer-lost',
    title: 'A lost answer is asked for again',
    played: 'The gateway creates a deposit and the connection is cut before the answer arrives.',
    mustHold:
      'The program sends the request again, or looks the deposit up by its external_id. There is one deposit, and its ' +
      'payment is credited once.',
    why: 'Whoever starts over after a lost answer makes a second payment; whoever forgets it loses the player’s money.',
    guide: 'repetition',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      stage.begin('deposit', player, '5100', [{ play: 'lose_the_answer' }]);
      const deposit = await stage.accepted('deposit', player);
      const again = (): boolean =>
        stage.creations('deposit', player).length > 1 ||
        stage.world.gateway.requests.some(({ looksFor }) => looksFor === deposit.object.external_id);
      await stage.until('the request again, or a look-up by external_id', again, () => 'neither');
      await stage.tell(deposit, 'paid', { paid_amount: brl('5100') });
      await stage.becomes(player, '5100', 'the deposit whose answer was lost is paid');
      mustHaveOne(stage, 'deposit', player);
    },
  },
  {
    id: 'create-repeated-later',
    title: 'A 500, 429, 503 or 409 in progress is repeated, not before Retry-After',
    played: 'The gateway answers a creation with 500, 429, 503 and 409 idempotency_in_progress, then with 201.',
    mustHold: 'The program sends the request again each time, never sooner than Retry-After. There is one deposit.',
    why: 'These answers decide nothing. A program that stops there abandons players; one that hammers is limited further.',
    guide: 'repetition',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      stage.begin('deposit', player, '5200', LATER);
      const deposit = await stage.accepted('deposit', player);
      const sent = stage.creations('deposit', player);
      for (const [index, request] of sent.slice(1, LATER.length + 1).entries())
        mustHaveWaited(stage, sent[index], request);
      await stage.tell(deposit, 'paid', { paid_amount: brl('5200') });
      await stage.becomes(player, '5200', 'the deposit was accepted in the end, and paid');
      mustHaveOne(stage, 'deposit', player);
    },
  },
  {
    id: 'create-202',
    title: 'A 202 is a deposit: no other one is created',
    played: 'The gateway answers 202 created, without instructions. Later the deposit is pending, then paid.',
    mustHold: 'The program waits for this deposit, creates no other one, and credits the payment once.',
    why: '202 means that the bank is slow. A second deposit gives the player two codes to pay.',
    guide: 'deposits',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      stage.begin('deposit', player, '5300', [{ play: 'accept_for_later' }]);
      const deposit = await stage.accepted('deposit', player);
      await stage.stays(player, '0', 'nothing is paid yet');
      mustHaveOne(stage, 'deposit', player);
      await stage.tell(deposit, 'pending', {
        instructions: { pix: { copy_paste: 'kit', expires_at: deposit.object['expires_at'] } },
      });
      await stage.tell(deposit, 'paid', { paid_amount: brl('5300') });
      await stage.becomes(player, '5300', 'the deposit that was answered with 202 is paid');
      mustHaveOne(stage, 'deposit', player);
    },
  },
];

function mustHaveOne(stage: Stage, kind: PaymentKind, { external_ref: reference }: TestPlayer): void {
  const count = stage.world.gateway.book.ofPlayer(kind, reference).length;
  stage.must(count === 1, `one ${kind} for one request of the player`, `${count} at the gateway`);
}

function mustHaveWaited(stage: Stage, before: SeenRequest | undefined, { atMs }: SeenRequest): void {
  if (before === undefined || before.answered === 500) return;
  const pauseMs = atMs - before.atMs;
  stage.must(
    pauseMs >= RETRY_AFTER_SECONDS * 1_000 - RETRY_AFTER_SLACK_MS,
    `the repeat at least ${RETRY_AFTER_SECONDS} s after the ${before.answered} with Retry-After: ${RETRY_AFTER_SECONDS}`,
    `the repeat after ${pauseMs} ms`,
  );
}
