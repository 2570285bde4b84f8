// The panel as a separate process on a whole gateway: what two people do in the page happens to a real payment, and
// what the panel stands on goes away and comes back while somebody looks.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { once } from '../../lab/harness/payments.js';
import { PANEL_URL } from '../integration/panel/world.js';
import type { Visitor } from './chromium.js';
import { dialog } from './dialogs.js';
import { createStackWorld, type StackWorld } from './stack-world.js';
import { readTexts, type Say } from './texts.js';

/** A process that starts on a busy machine takes this long at most. */
const BACK_MS = 60_000;

describe('the panel’s page, on a whole gateway', function () {
  this.timeout(180_000);
  let world: StackWorld;
  let say: Say;

  before(async () => {
    [world, say] = await Promise.all([createStackWorld(), readTexts()]);
  });
  after(() => world.close());

  const open = async ({ page }: Visitor, path: string, aside: string) => {
    await page.goto(`${PANEL_URL}${path}`);
    await page.getByRole('complementary', { name: say(aside) }).waitFor();
  };
  const openCase = (visitor: Visitor, id: string) => open(visitor, `/cases/${id}`, 'caseTexts.decide');
  const confirm = (page: Page, id: string) =>
    dialog(page)
      .getByLabel(say('caseTexts.confirm', id.slice(-4)))
      .fill(id.slice(-4));
  const toast = (page: Page, place: string) => page.getByRole('status').getByText(say(place)).waitFor();
  const approve = async (visitor: Visitor, id: string) => {
    await openCase(visitor, id);
    await visitor.page.keyboard.press('a');
    await confirm(visitor.page, id);
    await visitor.page.keyboard.press('Control+Enter');
  };

  it('a withdrawal that needs two people is approved by both, sent once and paid', async () => {
    const { stack, rita, paulo } = world;
    const id = await world.withdrawal('50000');
    await approve(rita, id);
    await toast(rita.page, 'caseTexts.outcome.noted');
    assert.equal((await stack.client.getWithdrawal(id)).body.status, 'under_review');
    await approve(paulo, id);
    await toast(paulo.page, 'caseTexts.outcome.done');
    await stack.receiver.waitFor(id, 'withdrawal.processing');
    await open(paulo, `/payments/${id}`, 'paymentTexts.acts');
    await stack.client.sandbox.withdrawal(id, 'pay', once());
    await stack.receiver.waitFor(id, 'withdrawal.paid');
    // The open page learns of it by itself.
    const { page } = paulo;
    await page.locator('header.page-head').getByText(say('commonTexts.statuses.paid'), { exact: true }).waitFor();
    const sent = await world.rows('SELECT state FROM payout_send WHERE withdrawal_id = $1', id);
    assert.equal(sent.length, 1);
  });

  it('Temporal’s server is away: the page says so and keeps what was typed; back, the same page decides', async () => {
    const { stack, panelPort, temporal, rita, paulo } = world;
    const id = await world.withdrawal();
    const away = (page: Page) => page.getByText(say('shellTexts.processesAway'));
    const health = async () => {
      const answer = await fetch(`http://127.0.0.1:${panelPort}/healthz`);
      return [answer.status, await answer.json()];
    };
    const saidBy = (page: Page, place: string) => page.getByText(say(`paymentTexts.saidBy.${place}`)).waitFor();
    await open(paulo, `/payments/${id}`, 'paymentTexts.acts');
    await saidBy(paulo.page, 'workflow');
    await openCase(rita, id);
    for (const { page } of [rita, paulo]) await page.evaluate('window.isTheSamePage = true');
    await temporal.kill();
    try {
      await rita.page.keyboard.press('a');
      await dialog(rita.page).getByRole('textbox').first().fill('known player');
      await confirm(rita.page, id);
      await rita.page.keyboard.press('Control+Enter');
      await away(rita.page).waitFor();
      await dialog(rita.page).getByText(say('caseTexts.unknownTitle')).waitFor({ timeout: BACK_MS });
      await away(paulo.page).waitFor();
      await saidBy(paulo.page, 'database');
      // Whoever balances load goes on sending people to the page that tells them so.
      assert.deepEqual(await health(), [200, { ready: true, temporal: 'away' }]);
    } finally {
      await temporal.start();
    }
    for (const { page } of [rita, paulo]) await away(page).waitFor({ state: 'detached', timeout: BACK_MS });
    await saidBy(paulo.page, 'workflow');
    assert.deepEqual(await health(), [200, { ready: true, temporal: 'answers' }]);
    // Temporal was gone before it was asked: nothing was decided, and nothing has to be typed again.
    await dialog(rita.page).getByText(say('caseTexts.notFound')).waitFor({ timeout: BACK_MS });
    await dialog(rita.page)
      .getByRole('button', { name: say('commonTexts.again') })
      .click();
    assert.equal(await dialog(rita.page).getByRole('textbox').first().inputValue(), 'known player');
    await rita.page.keyboard.press('Control+Enter');
    await toast(rita.page, 'caseTexts.outcome.done');
    await stack.receiver.waitFor(id, 'withdrawal.approved');
    for (const { page } of [rita, paulo]) assert.equal(await page.evaluate('window.isTheSamePage'), true);
    const acts = await world.rows('SELECT outcome FROM staff_act WHERE subject_id = $1 ORDER BY created_at', id);
    assert.deepEqual(acts, [{ outcome: null }, { outcome: 'done' }]);
  });

  it('the panel’s process ends and starts again: the page says so, and recovers without a reload', async () => {
    const { panel, paulo } = world;
    const { page } = paulo;
    await page.goto(`${PANEL_URL}/queue`);
    await page.getByText(say('shellTexts.connection.open'), { exact: true }).waitFor();
    await page.evaluate('window.isTheSamePage = true');
    await panel.stop();
    await page.getByText(say('shellTexts.connection.lost')).waitFor();
    const id = await world.withdrawal();
    await panel.start();
    await page.getByText(say('shellTexts.connection.lost')).waitFor({ state: 'detached', timeout: BACK_MS });
    await page.locator(`a[data-row][href*="${id}"]`).waitFor();
    assert.equal(await page.evaluate('window.isTheSamePage'), true);
  });

  it('nothing was asked of another host, and nothing broke the page’s own policy', async () => {
    assert.deepEqual([...(await world.rita.faults()), ...(await world.paulo.faults())], []);
  });
});
