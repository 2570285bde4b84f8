// The page of webhooks, in real Chromium: the log of deliveries, and a span of time delivered again.
import assert from 'node:assert/strict';
import { PANEL_URL } from '../integration/panel/world.js';
import { accessibilityFaults, type Visitor } from './chromium.js';
import { opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

describe('the panel’s page: webhooks', function () {
  this.timeout(90_000);
  let world: BrowserWorld;
  let rita: Visitor;

  before(async () => {
    world = await createBrowserWorld();
    rita = await world.browser.signedIn('rita', { language: 'en' });
    await world.gateway.rows(
      `INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
       SELECT 'evt_' || lpad(n::text, 32, '0'), $1, 1000 + n, 'deposit.paid', 'dep_' || lpad(n::text, 32, '0'), 1,
         '\\x00', now() - n * interval '1 minute' FROM generate_series(1, 3) AS n`,
      world.operationId,
    );
    await world.gateway.rows(
      `INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, error, duration_ms)
       SELECT $1, 'evt_' || lpad(n::text, 32, '0'), 1, now(), CASE n WHEN 1 THEN 200 WHEN 2 THEN 503 END,
         CASE n WHEN 3 THEN 'econnrefused' END, 12 FROM generate_series(1, 3) AS n`,
      world.operationId,
    );
  });
  after(() => world.close());

  it('shows what was delivered, and only what was not accepted', async () => {
    const { page } = rita;
    await page.goto(`${PANEL_URL}/webhooks`);
    await page.getByRole('button', { name: 'Show deliveries' }).click();
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    assert.equal(await rows.count(), 3);
    await page.getByLabel('Only those not accepted').check();
    await rows.filter({ hasText: '200' }).waitFor({ state: 'detached' });
    assert.deepEqual((await rows.locator('.chip').allInnerTexts()).sort(), ['503', 'econnrefused']);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  it('delivers one event of the log again; whoever may not is offered none', async () => {
    const { page } = rita;
    await page.goto(`${PANEL_URL}/webhooks?log=open`);
    const buttons = page.getByRole('button', { name: /^Deliver again: deposit.paid dep_0+\d$/ });
    await buttons.nth(2).waitFor();
    await buttons.first().click();
    await page.locator('.toast', { hasText: '1 event on the way' }).waitFor();
    const clara = await world.browser.signedIn('clara', { language: 'en' });
    await clara.page.goto(`${PANEL_URL}/webhooks?log=open`);
    await clara.page.locator('tbody tr').nth(2).waitFor();
    assert.equal(await clara.page.locator('tbody button').count(), 0);
    await clara.context.close();
  });

  it('delivers a span of time again: says how many; a span that ends before it begins cannot be sent', async () => {
    const { page } = rita;
    await page.goto(`${PANEL_URL}/webhooks`);
    await page.getByRole('button', { name: 'Deliver a span of time again' }).click();
    const dialog = page.getByRole('dialog');
    await opened(dialog);
    assert.deepEqual(await accessibilityFaults(page), []);
    const to = await dialog.getByLabel('To', { exact: true }).inputValue();
    await dialog.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
    await dialog.getByText('The end must be after the beginning.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Deliver again' }).getAttribute('aria-disabled'), 'true');
    await dialog.getByLabel('To', { exact: true }).fill(to);
    await page.keyboard.press('Control+Enter');
    await page.locator('.toast', { hasText: '2 events on the way' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(await rita.faults(), []);
  });
});
