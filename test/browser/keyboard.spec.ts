// A session of ten decisions without a pointer, from the menu to the last case: deposits and withdrawals, approved
// and refused, with ready reasons, a case passed over, and the search at the end.
import assert from 'node:assert/strict';
import { PANEL_URL } from '../integration/panel/world.js';
import type { Visitor } from './chromium.js';
import { opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';
import { readTexts, type Say } from './texts.js';

const DECISIONS = 10;

describe('the panel’s page: by keyboard alone', function () {
  this.timeout(120_000);
  let world: BrowserWorld;
  let say: Say;
  let rita: Visitor;

  before(async () => {
    [world, say] = [await createBrowserWorld(), await readTexts()];
    // One more than is decided: it is passed over.
    for (let number = 0; number <= DECISIONS; number += 1)
      await (number % 3 === 2 ? world.deposit() : world.withdrawal(undefined, String(1_000 + number * 100)));
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
  /** In the dialog: a ready reason by its digit, the end of the id where money leaves, and Ctrl+Enter. */
  const decide = async (id: string, key: 'a' | 'r', digit: number) => {
    await pressAll(key);
    await opened(rita.page.getByRole('dialog'));
    const isTyped = (await rita.page.locator('input.confirm').count()) > 0;
    // While somebody types a digit is one: with Alt it chooses.
    await pressAll(isTyped ? `Alt+${digit}` : String(digit));
    if (isTyped) await rita.page.keyboard.type(id.slice(-4));
    await pressAll('Control+Enter');
  };
  const elsewhere = (id: string) => rita.page.waitForURL(({ href }) => !href.includes(id));

  it(`${DECISIONS} cases are decided, each once and as it was meant`, async () => {
    const { page } = rita;
    await page.goto(`${PANEL_URL}/alerts`);
    // Only then does the page listen to keys.
    await page.getByText(say('shellTexts.connection.open'), { exact: true }).waitFor();
    await pressAll('g', 'q');
    await page.waitForURL('**/queue');
    const rows = page.locator('a[data-row]');
    await rows.nth(DECISIONS).waitFor();
    await pressAll('j', 'j', 'k');
    const second = (await rows.nth(0).getAttribute('href')) ?? '';
    assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), second);
    await pressAll('Enter');
    const skipped = await caseShown();
    assert.ok(second.includes(skipped));
    await pressAll('s');
    await elsewhere(skipped);
    const meant: string[] = [];
    for (let number = 0; number < DECISIONS; number += 1) {
      const id = await caseShown();
      const isDeposit = id.startsWith('dep_');
      const key = number % 2 === 0 || isDeposit ? 'a' : 'r';
      await decide(id, key, 1 + (number % 4));
      await elsewhere(id);
      meant.push(`${id} ${isDeposit ? 'deposit' : 'withdrawal'}.${key === 'a' ? 'approve' : 'refuse'}`);
    }
    const acts = await world.gateway.rows(
      `SELECT subject_id, kind, outcome, staff_handle FROM staff_act WHERE staff_handle = 'rita' ORDER BY created_at`,
    );
    assert.deepEqual(
      acts.map(({ subject_id: id, kind, outcome }) => `${String(id)} ${String(kind)} ${String(outcome)}`),
      meant.map((text) => `${text} done`),
    );
    assert.ok(meant.some((text) => text.includes('deposit.approve')) && meant.some((text) => text.endsWith('refuse')));
    assert.deepEqual(await world.decided(skipped), []);

    await page.waitForURL('**/queue**');
    await pressAll('/');
    await page.waitForURL('**/search');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.type(skipped);
    await pressAll('Enter');
    await rows.first().waitFor();
    await page.evaluate('document.activeElement.blur()');
    await pressAll('j', 'Enter');
    await page.waitForURL(`**/payments/${skipped}`);
    assert.deepEqual(await rita.faults(), []);
  });

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
