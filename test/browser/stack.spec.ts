// The panel as a separate process on a whole gateway: what people do in the page happens to real payments, rules and
// keys, and each thing that the panel stands on goes away and comes back while somebody looks.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { createGatewayClient } from '../../client/index.js';
import { eventually } from '../../lab/harness/eventually.js';
import { once } from '../../lab/harness/payments.js';
import { PANEL_URL } from '../integration/panel/world.js';
import type { Visitor } from './chromium.js';
import { dialog } from './dialogs.js';
import { createStackWorld, type StackWorld } from './stack-world.js';
import { readTexts, type Say } from './texts.js';

/** A process that starts on a busy machine takes this long at most. */
const BACK_MS = 60_000;

/** A proof runs the rules over every recorded decision, in batches, beside whatever else the machine does. */
const PROOF_MS = 45_000;

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
  const rulesVersion = async () => (await world.stack.client.rules()).body.version;

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

  it('a deposit that somebody else paid is returned by the page, and the operator is notified', async () => {
    const { stack, rita } = world;
    const id = await world.deposit();
    await openCase(rita, id);
    await rita.page.keyboard.press('r');
    await confirm(rita.page, id);
    await rita.page.keyboard.press('Alt+1');
    await rita.page.keyboard.press('Control+Enter');
    await dialog(rita.page).waitFor({ state: 'detached' });
    await stack.receiver.waitFor(id, 'deposit.returned');
    assert.equal((await stack.client.getDeposit(id)).body.status, 'returned');
    const [act] = await world.rows('SELECT staff_handle, kind FROM staff_act WHERE subject_id = $1', id);
    assert.deepEqual(act, { staff_handle: 'rita.demo', kind: 'deposit.return' });
  });

  it('a change of rules that the operator asks for: two approve its digest, and `rules.updated` arrives', async () => {
    const { stack, rita, paulo } = world;
    const { body: rules, headers } = await stack.client.rules();
    const asked = { ...rules, currencies: { BRL: { ...rules.currencies['BRL'], auto_multiplier: '4' } } };
    const { body: change } = await stack.client.requestRuleChange(
      { rules: asked, justification: 'players wait too long' },
      { idempotencyKey: randomUUID(), ifMatch: String(headers['etag']) },
    );
    const before = rules.version;
    for (const [visitor, outcome] of [
      [rita, 'pending_approval'],
      [paulo, 'approved'],
    ] as const) {
      const { page } = visitor;
      assert.equal(await rulesVersion(), before);
      await open(visitor, `/rule-changes/${change.id}`, 'ruleChangeTexts.decide');
      const button = page.getByRole('button', { name: say('ruleChangeTexts.acts.approve') });
      // The page asks again by itself until the proof is there.
      await page
        .locator('button:not([aria-disabled="true"])', { hasText: say('ruleChangeTexts.acts.approve') })
        .waitFor({ timeout: PROOF_MS });
      await button.click();
      const digest = await dialog(page).locator('code').innerText();
      assert.match(digest, /^[0-9a-f]{64}$/);
      await confirm(page, digest);
      await page.keyboard.press('Control+Enter');
      await toast(page, `ruleChangeTexts.done.${outcome}`);
    }
    await stack.receiver.waitFor(stack.operation.operation_id, 'rules.updated');
    const now = (await stack.client.rules()).body;
    assert.deepEqual([now.version, now.currencies['BRL']?.['auto_multiplier']], [before + 1, '4']);
  });

  /** The key that the page shows works, and is gone from the page with its dialog. */
  const signsOneKey = async (page: Page) => {
    const shown = dialog(page).locator('code', { hasText: /^key_test_/ });
    await shown.waitFor();
    const [keyId = '', secret = ''] = await dialog(page).locator('code').allInnerTexts();
    const signed = (withSecret: string) =>
      createGatewayClient({ baseUrl: world.stack.baseUrl, keyId, secret: withSecret }).ping();
    assert.equal((await signed(secret)).status, 200);
    await assert.rejects(signed(Buffer.alloc(32).toString('base64url')));
    await dialog(page).getByRole('button').last().click();
    await dialog(page).waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(secret));
  };

  it('a key that is asked for in the page signs a /ping; in a sandbox one person is enough', async () => {
    const { page } = world.rita;
    const button = say('accessTexts.acts.ask_key.button');
    await page.goto(`${PANEL_URL}/access`);
    await page.getByRole('button', { name: button }).first().click();
    await dialog(page).getByRole('button', { name: button }).click();
    await signsOneKey(page);
  });

  it('the operator cancels while the dialog is open: the page says so, and the decision does nothing', async () => {
    const { stack, rita } = world;
    const id = await world.withdrawal();
    await openCase(rita, id);
    await rita.page.keyboard.press('a');
    await confirm(rita.page, id);
    assert.equal((await stack.client.cancelWithdrawal(id, once())).body.status, 'cancelled');
    await dialog(rita.page).getByText(say('caseTexts.changed')).waitFor();
    await rita.page.keyboard.press('Control+Enter');
    assert.equal(await dialog(rita.page).locator('button[type="submit"]').getAttribute('aria-disabled'), 'true');
    assert.deepEqual(await world.rows('SELECT id FROM staff_act WHERE subject_id = $1', id), []);
    assert.equal((await stack.client.getWithdrawal(id)).body.status, 'cancelled');
  });

  it('a lost payout is written off by two people, and its reserve comes back', async () => {
    const { stack, rita, paulo } = world;
    const id = await world.withdrawal();
    const reserved = async () => (await stack.client.balances()).body.data[0];
    const before = await reserved();
    // Approved, it waits for the operation, so that no send leaves; then its send is made to look lost for a day.
    await stack.gateway('operation', 'suspend', stack.operation.operation_id);
    try {
      await approve(rita, id);
      await toast(rita.page, 'caseTexts.outcome.done');
      await world.rows(
        `INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at, attempt, claimed_at, traceless_look_ups,
         traceless_since, traceless_last_at)
       VALUES ($1, $2, 'claimed', now() - interval '30 hours', 'attempt', now() - interval '30 hours', 12,
         now() - interval '26 hours', now())`,
        id,
        `P${id.slice(-30)}`,
      );
      for (const visitor of [rita, paulo]) {
        const { page } = visitor;
        await open(visitor, `/payments/${id}`, 'paymentTexts.acts');
        await page.getByRole('button', { name: say('paymentTexts.actNames.write_off') }).click();
        await dialog(page).getByLabel(say('caseTexts.reason'), { exact: true }).fill('the provider has no trace');
        await dialog(page).getByLabel(say('paymentTexts.evidenceHint')).fill('ticket 4711');
        await confirm(page, id);
        await page.keyboard.press('Control+Enter');
        await dialog(page).waitFor({ state: 'detached' });
      }
      await eventually(
        async () =>
          (await world.rows('SELECT failure_code FROM withdrawal WHERE id = $1', id))[0]?.['failure_code'] ===
          'psp_never_accepted',
        'the withdrawal has failed',
      );
    } finally {
      await stack.gateway('operation', 'resume', stack.operation.operation_id);
    }
    await stack.receiver.waitFor(id, 'withdrawal.failed');
    const after = await reserved();
    assert.equal(BigInt(after?.available.amount ?? 0), BigInt(before?.available.amount ?? 0) + 1000n);
    assert.equal((await stack.gateway('ledger', 'verify'))['ok'], true);
  });

  it('no worker runs: an act’s outcome is unknown, and is shown when the worker is back', async () => {
    const { stack, rita } = world;
    const id = await world.withdrawal();
    await openCase(rita, id);
    await stack.worker.kill();
    await rita.page.keyboard.press('a');
    await confirm(rita.page, id);
    await rita.page.keyboard.press('Control+Enter');
    await dialog(rita.page).getByText(say('caseTexts.unknownTitle')).waitFor({ timeout: 40_000 });
    await stack.worker.start();
    await rita.page.getByText(say('caseTexts.foundDone')).waitFor({ timeout: BACK_MS });
    const acts = await world.rows('SELECT outcome FROM staff_act WHERE subject_id = $1', id);
    assert.deepEqual(acts, [{ outcome: 'done' }]);
    await stack.receiver.waitFor(id, 'withdrawal.approved');
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

  it('PostgreSQL is away: the page says that it may be old; back, it shows what happened by itself', async () => {
    const { stack, paulo } = world;
    const { page } = paulo;
    await page.goto(`${PANEL_URL}/queue`);
    await page.getByText(say('shellTexts.connection.open'), { exact: true }).waitFor();
    stack.databaseLink.cut();
    try {
      await page.getByText(say('shellTexts.connection.lost')).waitFor();
    } finally {
      stack.databaseLink.heal();
    }
    await page.getByText(say('shellTexts.connection.lost')).waitFor({ state: 'detached', timeout: BACK_MS });
    const id = await eventually(() => world.withdrawal().catch(() => null), 'the gateway takes payments again');
    await page.locator(`a[data-row][href*="${id}"]`).waitFor();
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
