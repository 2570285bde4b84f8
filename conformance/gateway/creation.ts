// How the stand-in gateway answers a creation: what the check plans, else as the contract says.
import type { Book, Payment, PaymentKind } from './book.js';
import { problemAnswer } from './plays.js';
import type { Answer, Play } from './plays.js';
import { readOrder } from './requests.js';
import type { OrderBody, ReceivedRequest, SeenRequest } from './requests.js';

export interface CreationState {
  readonly book: Book;
  /** The answers that are kept, by Idempotency-Key. */
  readonly replies: Map<string, { readonly bodySha256: string; readonly reply: Answer }>;
  /** What a check plans for the next creations, by player. */
  readonly plans: Map<string, Play[]>;
}

/** Creates the payment, or does what was planned. `cut`: the connection ends without an answer. */
export function createPayment(
  { book, replies, plans }: CreationState,
  kind: PaymentKind,
  { rawBody }: ReceivedRequest,
  { idempotencyKey, bodySha256 }: SeenRequest,
): Answer | 'cut' {
  const key = idempotencyKey ?? '';
  const read = readOrder(kind, rawBody);
  if (!('order' in read)) throw new Error('examined before');
  const keep = (reply: Answer): Answer => {
    replies.set(key, { bodySha256, reply });
    return reply;
  };
  const kept = replies.get(key);
  if (kept !== undefined && kept.bodySha256 !== bodySha256)
    return problemAnswer({ status: 409, code: 'idempotency_key_reused' });

  const play = plans.get(read.order.player.external_ref)?.shift();
  if (play?.play === 'refuse') {
    const refusal = problemAnswer(play.problem);
    return play.problem.status === 422 ? keep(refusal) : refusal;
  }
  if (kept !== undefined && play === undefined)
    return { ...kept.reply, headers: { ...kept.reply.headers, 'idempotent-replayed': 'true' } };
  const existing = book.byExternalId(kind, read.order.external_id);
  if (existing !== undefined && kept === undefined) return keep(existsAnswer(existing));

  const payment = existing ?? create(book, kind, read.order, play);
  const reply = keep({ status: play?.play === 'accept_for_later' ? 202 : 201, body: payment.object });
  if (play?.play === 'say_it_exists') return keep(existsAnswer(payment));
  return play?.play === 'lose_the_answer' ? 'cut' : reply;
}

function create(book: Book, kind: PaymentKind, order: OrderBody, play: Play | undefined): Payment {
  const status = kind === 'withdrawal' ? 'approved' : play?.play === 'accept_for_later' ? 'created' : 'pending';
  return book.create(
    kind,
    { externalId: order.external_id, playerRef: order.player.external_ref, amount: order.amount },
    status,
  );
}

function existsAnswer({ object }: Payment): Answer {
  return problemAnswer({ status: 409, code: 'duplicate_external_id', existing: object });
}
