// A payment's page, what it waits for, the safe acts on it, and the search that leads there.
import type { Answering } from '../../contract/panel/routes.js';
import { redeliver } from '../../staff/acts/deliveries.js';
import { lookUp } from '../../staff/acts/look-ups.js';
import { cancelPayment, writeOffPayout } from '../../staff/acts/payments.js';
import { moneyOf } from '../../staff/reads/panel/money.js';
import { type PaymentRow, visiblePayment } from '../../staff/reads/panel/payment.js';
import { readPaymentPage } from '../../staff/reads/panel/payment-page.js';
import { readReplay } from '../../staff/reads/panel/replay.js';
import { search } from '../../staff/reads/panel/search.js';
import { readWait } from '../../staff/reads/panel/wait.js';
import { eventById } from '../../store/events/event-delivery.js';
import { takeToken } from '../../store/rate-buckets.js';
import { confirmed } from '../confirmation.js';
import { isRefusal, type Refusal, refuse } from '../refusal.js';
import type { HandlerRequest, Handlers } from '../request.js';
import { actServices, type PanelServices } from '../services.js';
import { type ActOutcome, decisionRefusal, lookUpRefusal } from './outcomes.js';

type PaymentHandlers = Handlers<'readPayment' | 'readWait' | 'readReplay' | 'actOnPayment' | 'search'>;
type ActAnswer = Answering<'actOnPayment'> | Refusal;
type Acting = HandlerRequest<'actOnPayment'>;

/** A person types some searches a minute; a program that tries references is stopped. */
const SEARCH_RATE = { perSecond: 1, burst: 30 } as const;

export function paymentHandlers(services: PanelServices): PaymentHandlers {
  const { database } = services;
  return {
    readPayment: async ({ viewer, params: { id } }) =>
      (await readPaymentPage(services, viewer, id)) ?? refuse('not_found'),
    readWait: async ({ viewer, params: { id } }) => (await readWait(services, viewer, id)) ?? refuse('not_found'),
    readReplay: async ({ viewer, params: { id }, query: { version } }) =>
      (await readReplay(database, viewer, id, Number(version))) ?? refuse('not_found'),
    actOnPayment: async (request) => {
      const payment = await visiblePayment(database, request.viewer, request.params.id);
      return payment === null ? refuse('not_found') : act(services, request, payment);
    },
    search: async ({ viewer, body: { q } }) => {
      const seconds = await takeToken(database, `search:${viewer.handle}`, SEARCH_RATE);
      return seconds > 0 ? refuse('rate_limited', { retry_after_seconds: seconds }) : search(services, viewer, q);
    },
  };
}

function act(services: PanelServices, { viewer, body }: Acting, payment: PaymentRow): Promise<ActAnswer> {
  switch (body.act) {
    case 'look_up':
      return lookUpAgain(services, viewer, payment);
    case 'cancel':
      return cancel(services, viewer, payment, body);
    case 'redeliver':
      return deliverAgain(services, viewer, payment, body.event_id);
    case 'write_off':
      return writeOff(services, viewer, payment, body);
  }
}

async function lookUpAgain(services: PanelServices, viewer: Acting['viewer'], payment: PaymentRow): Promise<ActAnswer> {
  const outcome = await lookUp(services, viewer, { kind: payment.kind, id: payment.row.id });
  if (outcome.kind !== 'done') return lookUpRefusal(outcome.kind, payment);
  const { status, version } = outcome;
  const { row } = (await visiblePayment(services.database, viewer, payment.row.id)) ?? payment;
  const paid = 'paidAmountMinor' in row ? row.paidAmountMinor : null;
  const found = {
    is_changed: version !== payment.row.version,
    amount: moneyOf(paid ?? row.amountMinor, row.currency),
    at: row.paidAt ?? row.updatedAt,
    failure_code: row.failureCode,
  };
  return { outcome: 'done', status, version, looked_up: found };
}

async function cancel(
  services: PanelServices,
  viewer: Acting['viewer'],
  payment: PaymentRow,
  { reason, version: seenVersion }: Extract<Acting['body'], { act: 'cancel' }>,
): Promise<ActAnswer> {
  const order = { kind: payment.kind, id: payment.row.id, reason, seenVersion };
  return acted(services, viewer, payment, await cancelPayment(actServices(services), viewer, order));
}

/** Only an event of this payment: its page is where the person saw it. */
async function deliverAgain(
  services: PanelServices,
  viewer: Acting['viewer'],
  { row }: PaymentRow,
  eventId: string,
): Promise<ActAnswer> {
  const event = await eventById(services.database, eventId);
  if (event?.objectId !== row.id) return refuse('not_found');
  const outcome = await redeliver(services.database, viewer, eventId);
  switch (outcome.kind) {
    case 'unknown_event':
      return refuse('not_found');
    case 'not_permitted':
      return refuse('not_permitted');
    case 'scheduled':
      return { outcome: 'under_way', status: row.status, version: row.version };
  }
}

async function writeOff(
  services: PanelServices,
  viewer: Acting['viewer'],
  before: PaymentRow,
  body: Extract<Acting['body'], { act: 'write_off' }>,
): Promise<ActAnswer> {
  const { id } = before.row;
  if (before.kind !== 'withdrawal') return refuse('not_found');
  const { reason, evidence, version: seenVersion } = body;
  const act = { kind: 'withdrawal.write_off', subjectId: id, subjectVersion: seenVersion, reason, evidence } as const;
  const actor = await confirmed(services, viewer, act, body);
  if (isRefusal(actor)) return actor;
  const order = { id, reason, evidence, seenVersion };
  return acted(services, viewer, before, await writeOffPayout(actServices(services), actor, order));
}

/** The answer to an act that was stored first, with the payment as it is now. */
async function acted(
  { database }: PanelServices,
  viewer: Acting['viewer'],
  before: PaymentRow,
  outcome: ActOutcome,
): Promise<ActAnswer> {
  const payment = (await visiblePayment(database, viewer, before.row.id)) ?? before;
  const refusal = decisionRefusal(outcome, payment);
  if (refusal !== null) return refusal;
  const { status, version } = payment.row;
  const taken = outcome.kind === 'requested' ? 'requested' : outcome.kind === 'under_way' ? 'under_way' : 'done';
  return { outcome: taken, status, version };
}
