// Checks of the reserve behind a withdrawal: kept while nothing is decided, given back once when it is.
import { refuse } from '../gateway/plays.js';
import type { Check } from './check.js';

const RETRY_AFTER_SECONDS = 1;

export const WITHDRAWAL_CHECKS: readonly Check[] = [
  {
    id: 'withdrawal-reserve-kept',
    title: 'The reserve is kept while the outcome is unknown',
    played: 'The answer to a withdrawal is lost, its repeats get 503 twice, then 201. Later it is paid.',
    mustHold: 'The player cannot spend the amount at any time.',
    why: 'The first request may have been carried out. Money that is given back now is paid out and spent.',
    guide: 'withdrawals',
    when: 'together',
    async play(stage) {
      const player = await stage.playerWith('8000');
      const later = refuse(503, 'service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      stage.begin('withdrawal', player, '3000', [{ play: 'lose_the_answer' }, later, later]);
      const asked = (): boolean => stage.creations('withdrawal', player).length > 1;
      const notAsked = (): string => `${stage.creations('withdrawal', player).length} request(s)`;
      await stage.until('POST /withdrawals, and again after the lost answer', asked, notAsked);
      await stage.stays(player, '5000', 'the outcome of the withdrawal is unknown');
      const withdrawal = await stage.accepted('withdrawal', player);
      await stage.tell(withdrawal, 'processing');
      await stage.tell(withdrawal, 'paid');
      await stage.stays(player, '5000', 'the withdrawal is paid');
    },
  },
  {
    id: 'withdrawal-undecided',
    title: 'A refusal that does not decide the payment keeps the reserve',
    played:
      'The answer to a withdrawal is lost and its repeat gets 403 operation_suspended. Another one gets 409 ' +
      'duplicate_external_id with the existing withdrawal. Both exist, and are paid later.',
    mustHold: 'The player cannot spend either amount at any time.',
    why: 'Most refusals speak about the request, not about the payment. The table in the guide says which.',
    guide: 'withdrawals',
    when: 'together',
    async play(stage) {
      const [one, other] = [await stage.playerWith('8000'), await stage.playerWith('8000')];
      stage.begin('withdrawal', one, '3100', [{ play: 'lose_the_answer' }, refuse(403, 'operation_suspended')]);
      const lost = await stage.accepted('withdrawal', one);
      await stage.stays(one, '4900', 'the first request may have been carried out');
      stage.begin('withdrawal', other, '3200', [{ play: 'say_it_exists' }]);
      const existing = await stage.accepted('withdrawal', other);
      await stage.stays(other, '4800', 'the gateway says that the withdrawal exists');
      for (const withdrawal of [lost, existing]) {
        await stage.tell(withdrawal, 'processing');
        await stage.tell(withdrawal, 'paid');
      }
      await stage.stays(one, '4900', 'the withdrawal is paid');
      await stage.stays(other, '4800', 'the withdrawal is paid');
    },
  },
  {
    id: 'withdrawal-given-back',
    title: 'A withdrawal that is refused or fails gives the reserve back, once',
    played:
      'One withdrawal is refused with 422. Others are rejected, cancelled and failed; the event of the failed one is delivered twice.',
    mustHold: 'The player has the whole amount again each time, and never more. The refused request is not repeated.',
    why: 'Too little angers the player, too much is a loss.',
    guide: 'withdrawals',
    when: 'together',
    async play(stage) {
      const player = await stage.playerWith('8000');
      stage.begin('withdrawal', player, '3300', [refuse(422, 'insufficient_operation_balance')]);
      const refused = (): boolean => stage.creations('withdrawal', player).length > 0;
      await stage.until('POST /withdrawals', refused, () => 'none');
      await stage.becomes(player, '8000', 'a 422 decides the payment: nothing was done');
      const sent = stage.creations('withdrawal', player).length;
      stage.must(sent === 1, 'no repeat of a request that was refused with 422', `${sent} requests`);

      for (const status of ['rejected', 'cancelled', 'failed']) {
        const who = await stage.playerWith('8000');
        const withdrawal = await stage.payment('withdrawal', who, '3400');
        const ended = await stage.tell(withdrawal, status);
        await stage.becomes(who, '8000', `the withdrawal is ${status}`);
        if (status !== 'failed') continue;
        await stage.deliverTaken(ended, 'again');
        await stage.deliverTaken(stage.world.gateway.book.unlisted(withdrawal), 'as another event');
        await stage.stays(who, '8000', 'the withdrawal failed once');
      }
    },
  },
];
