// Checks of webhooks: what is believed, what is refused, and what happens when they repeat, mix up or never come.
import { newId } from '../gateway/book.js';
import type { Check } from './check.js';
import { newWebhookSecret } from './credentials.js';
import { brl } from './stage.js';
import type { Stage } from './stage.js';
import type { Delivery } from '../operator/deliveries.js';

const DAY_MS = 86_400_000;
const OUTSIDE_THE_WINDOW_SECONDS = 600;

export const WEBHOOK_CHECKS: readonly Check[] = [
  {
    id: 'webhook-trigger-only',
    title: 'A webhook’s body is not money',
    played: 'A genuine webhook says paid while GET /deposits/{id} still says pending. Later the deposit is paid.',
    mustHold: 'Nothing is credited until GET says paid; then it is credited once.',
    why: 'Webhooks come late, twice and out of order. Only what you read back is the state.',
    guide: 'webhooks',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      const deposit = await stage.payment('deposit', player, '6100');
      const early = stage.world.gateway.book.unlisted(deposit, {
        ...{ status: 'paid', version: deposit.object.version + 1, paid_amount: brl('6100') },
        paid_at: new Date().toISOString(),
      });
      await stage.deliverTaken(early, 'while GET says pending');
      await stage.stays(player, '0', 'GET /deposits/{id} says pending');
      await stage.tell(deposit, 'paid', { paid_amount: brl('6100') });
      await stage.becomes(player, '6100', 'GET /deposits/{id} says paid');
    },
  },
  {
    id: 'webhook-forged',
    title: 'A webhook without a right signature is refused',
    played: 'Webhooks arrive without a signature, signed with another secret, and with a body changed after signing.',
    mustHold: 'Each is answered with 401, and nothing is credited.',
    why: 'Anybody who knows your address can send you a body.',
    guide: 'webhooks',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      const deposit = await stage.payment('deposit', player, '6200');
      const { book } = stage.world.gateway;
      const paid = { status: 'paid', version: deposit.object.version + 1, paid_amount: brl('6200') };
      const forged = book.unlisted(deposit, paid);
      mustBe(stage, 401, await stage.deliver(forged, 'without a signature', { secrets: [] }));
      mustBe(stage, 401, await stage.deliver(forged, 'signed with another secret', { secrets: [newWebhookSecret()] }));
      const signed = book.unlisted(deposit);
      const sentInstead = { ...signed, data: { object: { ...deposit.object, ...paid } } };
      mustBe(stage, 401, await stage.deliver(signed, 'changed after signing', { sentInstead }));
      await stage.stays(player, '0', 'no genuine webhook came, and GET says pending');
    },
  },
  {
    id: 'webhook-replayed',
    title: 'A webhook that was signed long ago is refused',
    played:
      'A webhook arrives whose Svc-Timestamp is ten minutes old, and one from ten minutes ahead. Both are signed.',
    mustHold: 'Both are answered with 401.',
    why: 'A copy of a genuine webhook stays genuine for ever unless its time is checked.',
    guide: 'webhooks',
    when: 'together',
    async play(stage) {
      const deposit = await stage.payment('deposit', stage.player(), '6300');
      const nowSeconds = Math.floor(Date.now() / 1000);
      for (const [what, shift] of [
        ['signed ten minutes ago', -1],
        ['signed ten minutes ahead', 1],
      ] as const) {
        const timestampSeconds = nowSeconds + shift * OUTSIDE_THE_WINDOW_SECONDS;
        mustBe(stage, 401, await stage.deliver(stage.world.gateway.book.unlisted(deposit), what, { timestampSeconds }));
      }
    },
  },
  {
    id: 'webhook-event-id',
    title: 'A webhook whose two event ids differ is refused',
    played: 'A signed webhook arrives whose Svc-Event-Id is not the id in its body.',
    mustHold: 'It is answered with 400.',
    why: 'Whoever removes duplicates by one id and reads the other processes an event twice, or never.',
    guide: 'webhooks',
    when: 'together',
    async play(stage) {
      const deposit = await stage.payment('deposit', stage.player(), '6400');
      const event = stage.world.gateway.book.unlisted(deposit);
      mustBe(stage, 400, await stage.deliver(event, 'under another Svc-Event-Id', { eventId: newId('evt') }));
    },
  },
  {
    id: 'webhook-repeated',
    title: 'Repeated webhooks credit once',
    played: 'The event of a paid deposit is delivered three times, then another event about the same version.',
    mustHold: 'All are answered with 2xx, and the payment is credited once.',
    why: 'The gateway delivers again whenever it has not seen your 2xx.',
    guide: 'webhooks',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      const deposit = await stage.payment('deposit', player, '6500');
      const paid = await stage.tell(deposit, 'paid', { paid_amount: brl('6500') });
      await stage.deliverTaken(paid, 'again');
      await stage.becomes(player, '6500', 'the deposit is paid');
      await stage.deliverTaken(paid, 'a third time');
      await stage.deliverTaken(stage.world.gateway.book.unlisted(deposit), 'as another event');
      await stage.stays(player, '6500', 'the deposit was paid once');
    },
  },
  {
    id: 'webhook-reordered',
    title: 'Webhooks may come in any order',
    played:
      'The events of a deposit arrive as paid, under review, pending; those of a withdrawal as paid, processing, approved.',
    mustHold: 'All are answered with 2xx. The deposit is credited once; the withdrawal’s money stays out.',
    why: 'Order is not promised. Only a higher version counts, and an older event is no error.',
    guide: 'webhooks',
    when: 'together',
    async play(stage) {
      const player = await stage.playerWith('6600');
      const other = stage.player();
      const { book } = stage.world.gateway;
      const deposit = await stage.payment('deposit', other, '6600');
      const events = [
        book.firstEvent(deposit),
        book.move(deposit, 'under_review', { paid_amount: brl('6600'), review_reasons: ['PAYER_UNKNOWN'] }),
        book.move(deposit, 'paid', { review_reasons: [] }),
      ];
      for (const event of events.reverse()) await stage.deliverTaken(event, 'newest first');
      await stage.becomes(other, '6600', 'the deposit is paid');

      const withdrawal = await stage.payment('withdrawal', player, '2600');
      const moves = [book.firstEvent(withdrawal), book.move(withdrawal, 'processing'), book.move(withdrawal, 'paid')];
      for (const event of moves.reverse()) await stage.deliverTaken(event, 'newest first');
      await stage.stays(player, '4000', 'the withdrawal is paid');
    },
  },
  {
    id: 'webhook-late',
    title: 'A webhook that comes days late is taken',
    played: 'The event of a paid deposit, three days old, is delivered now, with a signature of now.',
    mustHold: 'It is answered with 2xx and the payment is credited.',
    why: 'Deliveries are repeated for two days, and by hand after that. Svc-Timestamp is the time of the attempt.',
    guide: 'webhooks',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      const deposit = await stage.payment('deposit', player, '6700');
      const paid = stage.world.gateway.book.move(deposit, 'paid', { paid_amount: brl('6700') });
      const createdAt = new Date(Date.now() - 3 * DAY_MS).toISOString();
      await stage.deliverTaken({ ...paid, created_at: createdAt }, 'created three days ago');
      await stage.becomes(player, '6700', 'the deposit is paid');
    },
  },
  {
    id: 'webhook-lost',
    title: 'A webhook that never comes costs minutes, not money',
    played: 'A deposit is paid and no webhook is delivered. GET /events lists the event.',
    mustHold: 'The payment is credited within the time between two reads of GET /events.',
    why: 'An outage on your side may outlast all deliveries.',
    guide: 'webhooks',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      const deposit = await stage.payment('deposit', player, '6800');
      stage.world.gateway.book.move(deposit, 'paid', { paid_amount: brl('6800') });
      stage.note('marks the deposit as paid and delivers nothing');
      const { recoveryMs, waitMs } = stage.world.pace;
      await stage.becomes(player, '6800', 'GET /events lists deposit.paid', recoveryMs + waitMs);
    },
  },
  {
    id: 'unknown-values',
    title: 'Unknown types, states and fields move nothing and break nothing',
    played:
      'A webhook of an unknown type with unknown fields; a deposit and a withdrawal in unknown states. Then both are paid.',
    mustHold: 'Webhooks are answered with 2xx. An unknown state moves no money and is not the end: paid still counts.',
    why: 'Lists of the contract only grow, and they grow without asking you.',
    guide: 'tolerance',
    when: 'together',
    async play(stage) {
      const player = await stage.playerWith('7000');
      const other = stage.player();
      const { book } = stage.world.gateway;
      const deposit = await stage.payment('deposit', other, '7100');
      await stage.deliverTaken(
        book.unlisted(deposit, { a_new_field: { deep: [1] } }, 'deposit.a_new_type'),
        'unknown type',
      );
      await stage.tell(deposit, 'a_new_state', { paid_amount: brl('7100'), a_new_field: true });
      await stage.stays(other, '0', 'the deposit’s state is unknown');
      await stage.tell(deposit, 'paid');
      await stage.becomes(other, '7100', 'the deposit is paid after all');

      const withdrawal = await stage.payment('withdrawal', player, '3000');
      await stage.tell(withdrawal, 'a_new_state', { a_new_field: true });
      await stage.stays(player, '4000', 'the withdrawal’s state is unknown: the reserve is kept');
      await stage.tell(withdrawal, 'paid');
      await stage.stays(player, '4000', 'the withdrawal is paid');
    },
  },
];

function mustBe(stage: Stage, status: number, { event, status: answered }: Delivery): void {
  stage.must(
    answered === status,
    `${status} to this webhook (${event.type})`,
    answered === null ? 'no answer' : `${answered}`,
  );
}
