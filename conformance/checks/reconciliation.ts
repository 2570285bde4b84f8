// Checks of the daily reconciliation: a right day agrees, and no wrong one does.
import { itemOf } from '../gateway/days.js';
import type { Payment } from '../gateway/book.js';
import type { Check } from './check.js';
import { newWebhookSecret } from './credentials.js';
import { NotApplicable } from './findings.js';
import { brl } from './stage.js';
import type { Stage } from './stage.js';

const CURRENCY = 'BRL';
const DAY_MS = 86_400_000;

export const RECONCILIATION_CHECKS: readonly Check[] = [
  {
    id: 'reconciliation-agrees',
    title: 'A closed day that is right agrees',
    played: 'Two deposits and a withdrawal were paid on one day. Its list has two pages, a digest and a signature.',
    mustHold: 'The program finds that the day agrees with its records.',
    why: 'A comparison that never agrees is one that nobody looks at.',
    guide: 'reconciliation',
    when: 'together',
    async play(stage) {
      const { date, payments } = await paidDay(stage, 1);
      stage.world.gateway.days.set(date, { items: payments.map(itemOf) });
      await mustFind(stage, date, true, 'a day that is right');
    },
  },
  {
    id: 'reconciliation-differences',
    title: 'A day with a difference is found',
    played:
      'The same day is served with a payment that the program does not know, without one of its own, with another ' +
      'amount, and with two parts of a payment that went back.',
    mustHold: 'The program says each time that the day does not agree.',
    why: 'A payment on one side only is money that somebody misses.',
    guide: 'reconciliation',
    when: 'together',
    async play(stage) {
      const { date, payments } = await paidDay(stage, 2);
      const items = payments.map(itemOf);
      const [first, ...rest] = items;
      if (first === undefined) throw new Error('the day has items');
      const stranger = { ...first, object_id: `${first.object_id}0`, external_id: 'nobody-asked-for-this' };
      const part = (amount: string) => ({ ...first, kind: 'chargeback', amount: brl(amount) });
      const wrongDays = {
        'a payment that the program does not know': [...items, stranger],
        'a day without one of its payments': rest,
        'another amount': [{ ...first, amount: brl('1') }, ...rest],
        'two parts of a payment that went back': [...items, part('200'), part('300')],
      };
      for (const [what, wrong] of Object.entries(wrongDays)) {
        stage.world.gateway.days.set(date, { items: wrong });
        await mustFind(stage, date, false, what);
      }
    },
  },
  {
    id: 'reconciliation-proof',
    title: 'A day whose digest or signature is wrong is not believed',
    played: 'A day is served with a digest of something else, then with the signature of another secret.',
    mustHold: 'The program says each time that the day does not agree.',
    why: 'Digest and signature prove that the list is the gateway’s and whole, also to an auditor years later.',
    guide: 'reconciliation',
    when: 'together',
    async play(stage) {
      const { date, payments } = await paidDay(stage, 3);
      const items = payments.map(itemOf);
      stage.world.gateway.days.set(date, { items, digest: '0'.repeat(64) });
      await mustFind(stage, date, false, 'a wrong digest');
      stage.world.gateway.days.set(date, { items, signingSecret: newWebhookSecret() });
      await mustFind(stage, date, false, 'a signature of another secret');
    },
  },
  {
    id: 'reconciliation-day-open',
    title: 'A day that is still open is not taken for a day without payments',
    played: 'The gateway answers 409 day_open.',
    mustHold: 'The program does not say that the day agrees.',
    why: 'A day closes at 02:00 UTC of the next one. What is read earlier proves nothing.',
    guide: 'reconciliation',
    when: 'together',
    async play(stage) {
      const date = dateBefore(4);
      stage.world.gateway.days.set(date, { items: [], isOpen: true });
      await mustFind(stage, date, false, 'a day that is open');
    },
  },
];

/** Two deposits and a withdrawal, all paid on the same earlier day and known to the program. */
async function paidDay(stage: Stage, daysAgo: number): Promise<{ date: string; payments: readonly Payment[] }> {
  const date = dateBefore(daysAgo);
  const noon = { paid_at: `${date}T12:00:00.000Z` };
  const [one, other] = [stage.player(), stage.player()];
  const deposits = [await stage.payment('deposit', one, '1500'), await stage.payment('deposit', other, '1700')];
  for (const deposit of deposits) await stage.tell(deposit, 'paid', { paid_amount: deposit.object.amount, ...noon });
  await stage.becomes(one, '1500', 'the deposit is paid');
  await stage.becomes(other, '1700', 'the deposit is paid');
  const withdrawal = await stage.payment('withdrawal', one, '600');
  const paid = await stage.tell(withdrawal, 'paid', noon);
  await mustReadBack(stage, withdrawal, paid.created_at);
  await stage.stays(one, '900', 'the withdrawal is paid');
  return { date, payments: [...deposits, withdrawal] };
}

/** A withdrawal that is paid moves no balance, so the kit waits until the program has read it. */
async function mustReadBack(stage: Stage, { object }: Payment, since: string): Promise<void> {
  const path = `/v1/withdrawals/${object.id}`;
  const seen = (): boolean =>
    stage.world.gateway.requests.some((request) => request.path === path && request.atMs >= Date.parse(since));
  await stage.until(`GET ${path} after its webhook`, seen, () => 'none');
}

async function mustFind(stage: Stage, date: string, agrees: boolean, what: string): Promise<void> {
  const found = await stage.world.adapter.reconcile(date, CURRENCY);
  if (found === null) throw new NotApplicable('the adapter has no POST /reconciliations');
  stage.note(`asks the program to reconcile ${date}, ${what}: ${found ? 'agrees' : 'does not agree'}`);
  stage.must(found === agrees, `${what}: ${agrees ? 'agrees' : 'does not agree'}`, found ? 'agrees' : 'does not agree');
}

function dateBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
