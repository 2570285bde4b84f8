// A send whose outcome nobody knows: staff are alerted in time by a separate timer, and the payment's page says what
// is being done.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';

const INSTANT = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z`;

describe('withdrawal: a send whose outcome nobody knows', () => {
  const gateway = useGateway();

  /** The send is lost on the way, and the provider answers every look-up with an error. */
  async function unansweredWithdrawal(): Promise<WithdrawalCase> {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.payout.sendAnswers.push('times_out_lost');
    withdrawal.payout.isSilent = true;
    await withdrawal.create();
    await eventually(() => withdrawal.payout.sendsThatLeft === 1, 'it was sent');
    return withdrawal;
  }

  const alertsOf = ({ id, database }: WithdrawalCase) =>
    database.alerts.filter(({ objectId, kind }) => objectId === id && kind === 'PAYOUT_OUTCOME_UNKNOWN');

  async function currentDetails({ handle }: WithdrawalCase): Promise<string> {
    return (await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails ?? '';
  }

  it('nothing but errors from the provider: staff are alerted within five minutes of the send, and not in the first', async () => {
    const withdrawal = await unansweredWithdrawal();
    await gateway.sleep(60);
    assert.deepEqual(alertsOf(withdrawal), []);
    await gateway.sleep(239);
    await eventually(() => alertsOf(withdrawal).length > 0, 'staff are alerted');
    assert.deepEqual(
      alertsOf(withdrawal).map(({ detail }) => detail),
      [`${withdrawal.id}: the provider does not answer look-ups (http_500)`],
    );
    assert.ok(withdrawal.payout.lookups >= 10, `${withdrawal.payout.lookups} tries`);
  });

  it('the page says that it is being asked, since when, and the last error; no planned time that has passed', async () => {
    const withdrawal = await unansweredWithdrawal();
    await gateway.sleep(150);
    let details = '';
    // The workflow's clock has passed; its worker may not have been given a processor since.
    await eventually(async () => {
      details = await currentDetails(withdrawal);
      return details.includes('look-ups');
    }, 'a look-up has failed');
    const steps = [
      `waits for \\*\\*payout reply\\*\\* since ${INSTANT}`,
      `now: the provider is being asked for it by its reference since ${INSTANT}; tries so far: Pending Activities`,
      `last error: the provider does not answer look-ups \\(http_500\\) \\(${INSTANT}\\)$`,
    ];
    assert.match(details, new RegExp(steps.join(' · ')));
    withdrawal.payout.isSilent = false;
    await gateway.sleep(60);
    const { raw } = await withdrawal.handle.describe();
    const [pending] = raw.pendingActivities ?? [];
    assert.equal(pending?.activityType?.name, 'followPayout');
    assert.equal(pending?.lastFailure?.message, 'nothing has changed: no_trace');
  });

  it('known before the time is up: nobody is alerted, and the timer is gone', async () => {
    const withdrawal = await unansweredWithdrawal();
    await gateway.sleep(30);
    withdrawal.payout.arriveLate();
    withdrawal.payout.isSilent = false;
    await gateway.sleep(300);
    assert.deepEqual(alertsOf(withdrawal), []);
    const { events } = await withdrawal.handle.fetchHistory();
    assert.equal(events?.filter(({ timerCanceledEventAttributes }) => timerCanceledEventAttributes).length, 1);
  });
});
