// The panel without a pointer: an act that is found by a part of its name, and the browser's Back on every list. How
// cases are decided by keys: decisions.spec.ts.
import assert from 'node:assert/strict';
import { PANEL_URL } from '../integration/panel/world.js';
import type { Visitor } from './chromium.js';
import { opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';
import { readTexts, type Say } from './texts.js';

describe('the panel’s page: by keyboard alone', function () {
  this.timeout(120_000);
  let world: BrowserWorld;
  let say: Say;
  let rita: Visitor;

  before(async () => {
    [world, say] = [await createBrowserWorld(), await readTexts()];
    rita = await world.browser.signedIn('rita', { language: 'en' });
  });
  after(() => world.close());

  const caseShown = async () => {
    await rita.page.getByRole('complementary', { name: say('caseTexts.decide') }).waitFor();
    return /\/cases\/([a-z]+_[0-9a-f]+)/.exec(rita.page.url())?.[1] ?? '';
  };
  const pressAll = async (...keys: readonly string[]) => {
    for (const key of keys) await rita.page.keyboard.press(key);
  };
  it('an act of the page is chosen by a part of its name', async () => {
    const { page } = rita;
    const waiting = await world.withdrawal(undefined, '700');
    await page.goto(`${PANEL_URL}/cases/${waiting}`);
    await caseShown();
    const offered = page.getByRole('option', { name: say('shellTexts.palette.act', say('caseTexts.refuse')) });
    await pressAll('Control+k');
    await page.getByRole('combobox', { name: say('shellTexts.palette.label') }).waitFor();
    await page.keyboard.type(say('caseTexts.refuse').slice(0, 4));
    await offered.waitFor();
    await pressAll('Enter');
    const dialog = page.getByRole('dialog').filter({ hasText: say('caseTexts.effects.refuse') });
    await opened(dialog);
    await pressAll('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await world.decided(waiting), []);
    assert.deepEqual(await rita.faults(), []);
  });

  it('the browser’s Back leads to the row that was opened, on every list', async () => {
    const { page } = rita;
    for (const amount of ['5100', '5200', '5300']) await world.withdrawal(undefined, amount);
    const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("href")');
    for (const path of ['/queue', '/payments']) {
      await page.goto(`${PANEL_URL}${path}`);
      await page.getByText(say('shellTexts.connection.open'), { exact: true }).waitFor();
      await page.locator('a[data-row]').nth(1).waitFor();
      await pressAll('j', 'j');
      const row = await focused();
      assert.notEqual(row, await page.locator('a[data-row]').first().getAttribute('href'));
      await pressAll('Enter');
      await page.waitForURL(({ pathname }) => pathname !== path);
      assert.equal(await page.evaluate('document.activeElement.id'), 'content');
      await page.goBack();
      await page.waitForURL(({ pathname }) => pathname === path);
      await page.waitForFunction(`document.activeElement.getAttribute('href') === ${JSON.stringify(row)}`);
      // Forward, and by the menu: the content, as before.
      await page.goForward();
      await page.waitForURL(({ pathname }) => pathname !== path);
      await page.waitForFunction(`document.activeElement.id === 'content'`);
    }
  });
});
