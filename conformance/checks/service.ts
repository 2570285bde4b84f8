// Checks of what happens to the whole program: an outage of the gateway, and new keys and secrets.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Check } from './check.js';
import { newKey, newWebhookSecret } from './credentials.js';
import { brl } from './stage.js';

export const SERVICE_CHECKS: readonly Check[] = [
  {
    id: 'outage',
    title: 'An outage of the gateway delays payments and loses none',
    played:
      'Everything answers 503. Meanwhile a webhook says that a deposit is paid, and a player asks for another deposit. ' +
      'Then the gateway is back; a webhook that was not answered with 2xx is delivered again.',
    mustHold: 'The first deposit is credited once. The second one is created and, once paid, credited.',
    why: 'A webhook that you answered with 200 is not delivered again: what it announced is yours to find out.',
    guide: 'repetition',
    when: 'alone',
    async play(stage) {
      const { gateway, pace } = stage.world;
      const [one, other] = [stage.player(), stage.player()];
      const deposit = await stage.payment('deposit', one, '9100');
      await stage.deliverTaken(gateway.book.firstEvent(deposit), 'as usual');
      // So that reads on account of this event are over.
      await stage.stays(one, '0', 'the deposit is pending');
      gateway.isDown = true;
      stage.note('answers everything with 503');
      try {
        const paid = gateway.book.move(deposit, 'paid', { paid_amount: brl('9100') });
        const { status } = await stage.deliver(paid, 'during the outage');
        stage.begin('deposit', other, '9200');
        const asked = (): boolean => stage.creations('deposit', other).length > 0;
        await stage.until('POST /deposits during the outage', asked, () => 'none');
        await sleep(pace.settleMs);
        gateway.isDown = false;
        stage.note('is back');
        if (status === null || status > 299) await stage.deliverTaken(paid, 'again');
      } finally {
        gateway.isDown = false;
      }
      await stage.becomes(one, '9100', 'the deposit was paid during the outage', pace.recoveryMs + pace.waitMs);
      await stage.tell(await stage.accepted('deposit', other), 'paid', { paid_amount: brl('9200') });
      await stage.becomes(other, '9200', 'the deposit that was asked for during the outage is paid');
    },
  },
  {
    id: 'rotation-webhook-secret',
    title: 'The webhook secret changes without a lost webhook',
    played:
      'Webhooks are signed with the new and the old secret, in both orders, before and after the program is given the ' +
      'new one; then with the new one alone.',
    mustHold: 'All are answered with 2xx, and the payment is credited.',
    why: 'During a rotation Svc-Signature holds two values, and any match is enough.',
    guide: 'webhooks',
    when: 'alone',
    async play(stage) {
      const { gateway, credentials } = stage.world;
      const player = stage.player();
      const deposit = await stage.payment('deposit', player, '9300');
      const [before, after] = [credentials.current.webhook_secret, newWebhookSecret()];
      const bothOrders = async (what: string): Promise<void> => {
        for (const secrets of [
          [before, after],
          [after, before],
        ]) {
          const order = secrets[0] === before ? 'old, new' : 'new, old';
          await stage.deliverTaken(gateway.book.unlisted(deposit), `${what}, signed ${order}`, { secrets });
        }
      };
      await bothOrders('before the change');
      await credentials.change({ webhook_secret: after });
      await bothOrders('after the change');
      await stage.tell(deposit, 'paid', { paid_amount: brl('9300') });
      await stage.becomes(player, '9300', 'the deposit is paid');
    },
  },
  {
    id: 'rotation-api-key',
    title: 'The API key changes without a lost request',
    played: 'The program is given a new key while the old one still works. Then the old one is revoked.',
    mustHold: 'Every request after the change is signed with the new key; a deposit is created, paid and credited.',
    why: 'Keys end after 90 days, and at once if they leak.',
    guide: 'signing',
    when: 'alone',
    async play(stage) {
      const { gateway, credentials, pace } = stage.world;
      const old = credentials.current.key_id;
      await credentials.change(newKey());
      // Requests that were under way keep their signature.
      await sleep(pace.settleMs);
      gateway.keys.revoke(old);
      stage.note('revokes the old key');
      const from = gateway.requests.length;
      const player = stage.player();
      stage.begin('deposit', player, '9400');
      const sent = () => gateway.requests.slice(from);
      const decided = (): boolean => sent().some(({ asksFor }) => asksFor?.playerRef === player.external_ref);
      await stage.until('POST /deposits with the new key', decided, () => 'no request');
      const late = sent().filter(({ keyId }) => keyId === old).length;
      stage.must(late === 0, 'no request with the revoked key', `${late} request(s) with it`);
      await stage.tell(await stage.accepted('deposit', player), 'paid', { paid_amount: brl('9400') });
      await stage.becomes(player, '9400', 'the deposit is paid');
    },
  },
];
