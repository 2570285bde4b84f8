// People decide in the panel's page, in real Chromium: with the keyboard, together, against each other, and while
// things go wrong.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PANEL_URL } from '../integration/panel/world.js';
import { PERSONAL } from '../integration/cli/payments.js';
import { accessibilityFaults, type Visitor } from './chromium.js';
import { dialog, opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

describe('the panel’s page: decisions', function () {
  this.timeout(90_000);
  let world: BrowserWorld;
  let rita: Visitor;
  let paulo: Visitor;

  before(async () => {
    world = await createBrowserWorld();
    [rita, paulo] = [
      await world.browser.signedIn('rita', { language: 'en' }),
      await world.browser.signedIn('paulo', { language: 'en' }),
    ];
  });
  afterEach(async () => {
    assert.deepEqual([...(await rita.faults()), ...(await paulo.faults())], []);
    // The next test finds an empty queue.
    await world.gateway.rows(`UPDATE withdrawal SET status = 'cancelled' WHERE status = 'under_review'`);
    await world.gateway.rows(`UPDATE deposit SET status = 'returned' WHERE status = 'under_review'`);
  });
  after(() => world.close());

  const openCase = async ({ page }: Visitor, id: string) => {
    await page.goto(`${PANEL_URL}/cases/${id}`);
    await page.getByRole('complementary', { name: 'Decision' }).waitFor();
  };
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).waitFor();
  const confirm = (page: Page, id: string) => page.getByLabel(/to confirm/).fill(id.slice(-4));

  it('a link signs in once, and its token leaves the address', async () => {
    const { page, faults } = await world.browser.visitor();
    const link = `${PANEL_URL}/sign-in#${await world.panel.link('clara')}`;
    await page.goto(link);
    await page.waitForURL(`${PANEL_URL}/queue`);
    await page.getByRole('heading', { name: 'Fila de revisão' }).waitFor();
    const other = await world.browser.visitor();
    await other.page.goto(link);
    await other.page.getByText('já foi usado').waitFor();
    assert.equal(other.page.url(), `${PANEL_URL}/sign-in`);
    // A good one in the same tab.
    await other.page.goto(`${PANEL_URL}/sign-in#${await world.panel.link('clara')}`);
    await other.page.waitForURL(`${PANEL_URL}/queue`);
    assert.deepEqual(await faults(), []);
  });

  it('by keyboard alone: from the queue to an approval; sent once; the next case opens by itself', async () => {
    const [small, large] = [await world.withdrawal(undefined, '1000'), await world.withdrawal(undefined, '900000')];
    const { page } = rita;
    await page.goto(`${PANEL_URL}/queue`);
    await page.locator('a[data-row]').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/cases/${large}`);
    await page.getByRole('complementary', { name: 'Decision' }).waitFor();
    await page.keyboard.press('a');
    await opened(dialog(page));
    await page.keyboard.type(large.slice(-4));
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'Decision made');
    await page.waitForURL(`**/cases/${small}`);
    assert.deepEqual(await world.decided(large), ['rita withdrawal.approve done']);
    await page.getByRole('complementary', { name: 'Decision' }).waitFor();
    await page.keyboard.press('r');
    await opened(dialog(page));
    await page.keyboard.press('3');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/queue');
    const [refused] = await world.gateway.rows('SELECT status, decided_by FROM withdrawal WHERE id = $1', small);
    assert.equal(refused?.['status'], 'rejected');
    assert.match(JSON.stringify(refused?.['decided_by']), /Pattern does not fit the history/);
  });

  it('a page that shows an older version cannot act: it shows what happened', async () => {
    const id = await world.withdrawal();
    await openCase(rita, id);
    await rita.page.keyboard.press('a');
    await confirm(rita.page, id);
    await openCase(paulo, id);
    await paulo.page.keyboard.press('r');
    await dialog(paulo.page).getByRole('button', { name: 'Ownership not proven' }).click();
    await paulo.page.keyboard.press('Control+Enter');
    await toast(paulo.page, 'Decision made');
    await dialog(rita.page).getByText('This case changed while you looked').waitFor();
    await rita.page.keyboard.press('Control+Enter');
    assert.equal(
      await dialog(rita.page).getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled'),
      'true',
    );
    await dialog(rita.page).getByText('paulo').waitFor();
    assert.deepEqual(await world.decided(id), ['paulo withdrawal.refuse done']);
  });

  it('before the page knows: the panel refuses, and says who decided', async () => {
    const id = await world.withdrawal();
    await openCase(rita, id);
    // Whatever it asks of the case from now on is not answered.
    await rita.page.route('**/api/cases/*', () => undefined);
    await rita.page.keyboard.press('a');
    await confirm(rita.page, id);
    const otavio = await world.panel.person('otavio', ['reviewer']);
    await otavio.post(`/cases/${id}/decision`, { decision: 'refuse', reason: 'statement checked', version: 1 });
    await rita.page.keyboard.press('Control+Enter');
    await dialog(rita.page).getByRole('alert').getByText('otavio').waitFor();
    await dialog(rita.page).getByText('Trace:').waitFor();
    await rita.page.unroute('**/api/cases/*');
    assert.deepEqual(await world.decided(id), ['otavio withdrawal.refuse done']);
  });

  it('a lost answer is an unknown outcome, then the outcome', async () => {
    const id = await world.withdrawal();
    await openCase(rita, id);
    await rita.page.route('**/decision', async (route) => {
      const { cookie = '' } = await route.request().allHeaders();
      const body: unknown = route.request().postDataJSON();
      await world.panel.send(`/cases/${id}/decision`, { method: 'POST', body, headers: { cookie } });
      // Until the person has seen that nobody knows.
      await rita.page.route('**/api/cases/*', (read) => read.abort());
      await route.abort();
    });
    await rita.page.keyboard.press('a');
    await confirm(rita.page, id);
    await rita.page.keyboard.press('Control+Enter');
    await dialog(rita.page).getByText('Outcome not known yet').waitFor();
    await rita.page.unroute('**/api/cases/*');
    await toast(rita.page, 'The decision was made');
    await rita.page.unroute('**/decision');
    assert.deepEqual(await world.decided(id), ['rita withdrawal.approve done']);
  });

  it('the session ends while somebody writes: nothing is sent, and the draft is there after the next sign-in', async () => {
    const id = await world.withdrawal();
    await world.panel.person('vera', ['reviewer']);
    const vera = await world.browser.signedIn('vera', { language: 'en' });
    await openCase(vera, id);
    await vera.page.keyboard.press('r');
    await vera.page.getByLabel('Reason').fill('the statement does not show it');
    await world.gateway.rows(
      `UPDATE staff_session SET revoked_at = now() WHERE staff_handle = 'vera' AND revoked_at IS NULL`,
    );
    await vera.page.keyboard.press('Control+Enter');
    await vera.page.getByText('Your session has ended').waitFor();
    const again = await vera.context.newPage();
    await again.goto(`${PANEL_URL}/sign-in#${await world.panel.link('vera')}`);
    await again.waitForURL('**/queue');
    await vera.page.getByRole('button', { name: 'I have signed in' }).click();
    await vera.page.getByText('Your session has ended').waitFor({ state: 'detached' });
    assert.equal(await vera.page.getByLabel('Reason').inputValue(), 'the statement does not show it');
    assert.deepEqual(await world.decided(id), []);
    assert.deepEqual(await vera.faults(), []);
  });

  it('an admin takes a role: the person’s open tab says that it is over, and decides nothing', async () => {
    const id = await world.withdrawal();
    await world.panel.person('nora', ['reviewer']);
    const nora = await world.browser.signedIn('nora', { language: 'en' });
    await openCase(nora, id);
    await nora.page.getByText('Live').waitFor();
    const { page } = rita;
    await page.goto(`${PANEL_URL}/staff`);
    await page.getByRole('button', { name: 'Take away from rita' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Take away from rita' }).getAttribute('aria-disabled'), 'true');
    await page.getByRole('button', { name: 'Take away from nora' }).click();
    await page.getByRole('button', { name: 'Take the role: reviewer · every operation' }).click();
    await page.getByText('nora: done').waitFor();
    await nora.page.getByText('Your session has ended').waitFor();
    assert.deepEqual(await world.decided(id), []);
    // The list is read again once the act is answered.
    await page.getByRole('row', { name: /nora/ }).getByText('no roles').waitFor();
    assert.deepEqual([...(await rita.faults()), ...(await nora.faults())], []);
  });

  it('masked data is shown for a reason, for a time, and is kept nowhere', async () => {
    const id = await world.withdrawal();
    await openCase(rita, id);
    const { page } = rita;
    assert.doesNotMatch((await page.content()).replaceAll(/<script.*?<\/script>/g, ''), new RegExp(PERSONAL.name));
    await page.getByRole('button', { name: 'Reveal: Name' }).click();
    await page.getByLabel('Why you need to see it').fill('the holder asked');
    await page.keyboard.press('Control+Enter');
    await page.getByText(PERSONAL.name).waitFor();
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])');
    assert.doesNotMatch(String(kept), new RegExp(PERSONAL.name));
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByText(PERSONAL.name).waitFor({ state: 'detached' });
    const audited = await world.gateway.rows(
      `SELECT detail FROM audit_entry WHERE action LIKE '%reveal%' AND subject = $1`,
      id,
    );
    assert.equal(audited.length, 1);
    assert.match(String(audited[0]?.['detail']), /the holder asked/);
  });

  it('the browser goes offline and comes back: the page says so and recovers without a reload', async () => {
    const id = await world.withdrawal();
    const { page, context } = paulo;
    await page.goto(`${PANEL_URL}/queue`);
    await page.locator('a[data-row]').first().waitFor();
    await context.setOffline(true);
    await page.getByText('The browser is offline').waitFor();
    await context.setOffline(false);
    await page.getByText('The browser is offline').waitFor({ state: 'detached' });
    const other = await world.withdrawal(undefined, '700000');
    await page.locator(`a[data-row][href*="${other}"]`).waitFor();
    await page.locator(`a[data-row][href*="${id}"]`).waitFor();
  });

  it('a passkey: made in the panel, it signs in, and signs an approval that nothing typed stands in for', async () => {
    const olga = await world.panel.person('olga', ['reviewer', 'approver']);
    const { page, context, faults } = await world.browser.signedIn(olga.handle, { language: 'en' });
    const device = await context.newCDPSession(page);
    await device.send('WebAuthn.enable');
    const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.getByRole('button', { name: /Preferences/ }).click();
    await page.getByRole('link', { name: 'Your passkeys' }).click();
    await page.getByLabel('Which device is this?').fill('laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('cell', { name: 'laptop', exact: true }).waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);

    await page.getByRole('button', { name: /Preferences/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${PANEL_URL}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${PANEL_URL}/queue`);

    const id = await world.withdrawal();
    await openCase({ page, context, faults }, id);
    await page.keyboard.press('a');
    await opened(dialog(page));
    assert.equal(await page.getByLabel(/to confirm/).count(), 0);
    // A person who cancels at the authenticator has done nothing.
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.keyboard.press('Control+Enter');
    await page.getByText('it was not signed').waitFor();
    assert.deepEqual(await world.decided(id), []);
    await dialog(page).getByRole('button', { name: 'Back' }).click();
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.keyboard.press('a');
    await opened(dialog(page));
    await page.keyboard.press('Control+Enter');
    await toast(page, 'Decision made.');
    assert.deepEqual(await world.decided(id), ['olga withdrawal.approve done']);
    const [act] = await world.gateway.rows('SELECT means FROM staff_act WHERE subject_id = $1', id);
    assert.equal(act?.['means'], 'signature');
    assert.deepEqual(await faults(), []);
  });

  it('changes that follow each other closely are all shown', async () => {
    const { page } = paulo;
    await page.goto(`${PANEL_URL}/queue`);
    await page.getByText('Live').waitFor();
    for (const amount of ['710000', '720000', '730000']) {
      const id = await world.withdrawal(undefined, amount);
      await page.locator(`a[data-row][href*="${id}"]`).waitFor();
    }
  });
});
