// Checks of what a deposit's state does to a player's money.
import type { Check } from './check.js';
import { brl } from './stage.js';

export const DEPOSIT_CHECKS: readonly Check[] = [
  {
    id: 'deposit-credited',
    title: 'A paid deposit is credited, also after a review',
    played: 'One deposit is paid. Another one is under review first, then paid.',
    mustHold: 'Each is credited, once.',
    why: 'This is what the player waits for.',
    guide: 'deposits',
    when: 'together',
    async play(stage) {
      const player = stage.player();
      const deposit = await stage.payment('deposit', player, '2500');
      await stage.tell(deposit, 'paid', { paid_amount: brl('2500') });
      await stage.becomes(player, '2500', 'the deposit is paid');

      const other = stage.player();
      const reviewed = await stage.payment('deposit', other, '2600');
      await stage.tell(reviewed, 'under_review', { paid_amount: brl('2600'), review_reasons: ['PAYER_UNKNOWN'] });
      await stage.stays(other, '0', 'a deposit under review is not credited');
      await stage.tell(reviewed, 'paid', { review_reasons: [] });
      await stage.becomes(other, '2600', 'a person approved the deposit: it is paid');
    },
  },
  {
    id: 'deposit-not-credited',
    title: 'Only a paid deposit is credited, whatever else it shows',
    played:
      'Deposits end as expired, cancelled and failed with paid_amount and paid_at filled (the player paid too late), and ' +
      'as returned after a review.',
    mustHold: 'Nothing is credited.',
    why: 'That money goes back to the payer. Credited, it is paid out twice.',
    guide: 'deposits',
    when: 'together',
    async play(stage) {
      const late = { paid_amount: brl('3100'), paid_at: new Date().toISOString() };
      const players = [];
      for (const status of ['expired', 'cancelled', 'failed', 'returned']) {
        const player = stage.player();
        const deposit = await stage.payment('deposit', player, '3100');
        if (status === 'returned') await stage.tell(deposit, 'under_review', { review_reasons: ['PAYER_MISMATCH'] });
        await stage.tell(deposit, status, { ...late, review_reasons: [] });
        players.push({ player, status });
      }
      await Promise.all(
        players.map(({ player, status }) => stage.stays(player, '0', `the deposit is ${status}, not paid`)),
      );
    },
  },
  {
    id: 'deposit-compared',
    title: 'A payment that differs from the own record is not credited',
    played:
      'GET /deposits/{id} says paid, once with another amount and once with another player_ref than was asked for.',
    mustHold: 'Nothing is credited: a person looks.',
    why: 'Credit by your own record, after comparing. Otherwise a mistake anywhere between you and the bank becomes money.',
    guide: 'deposits',
    when: 'together',
    async play(stage) {
      const [one, other] = [stage.player(), stage.player()];
      const dearer = await stage.payment('deposit', one, '4100');
      await stage.tell(dearer, 'paid', { amount: brl('410000'), paid_amount: brl('410000') });
      const stranger = await stage.payment('deposit', other, '4200');
      await stage.tell(stranger, 'paid', { player_ref: 'somebody-else', paid_amount: brl('4200') });
      await stage.stays(one, '0', 'the gateway says another amount than the program recorded');
      await stage.stays(other, '0', 'the gateway says another player than the program recorded');
    },
  },
];
