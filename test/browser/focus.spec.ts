// The focus, in real Chromium: by Tab through every page in the order of what one sees, wide and narrow, always seen
// and never held; and back where a dialog was opened, once it is closed.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { PANEL_URL } from '../integration/panel/world.js';
import { show, type Visitor } from './chromium.js';
import { escape, opened, soonHasFocus, soonHoldsFocus } from './dialogs.js';
import { everyPage, type PageName } from './every-page.js';
import { focusFaults } from './focus-walk.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';
import { readTexts, type Say } from './texts.js';

/** A laptop, and a phone. */
const WIDTHS = [1_280, 360];

describe('the panel’s page: the focus', function () {
  this.timeout(180_000);
  let world: BrowserWorld;
  let say: Say;
  let paths: Readonly<Record<PageName, string>>;
  let rita: Visitor;

  before(async () => {
    [world, say] = [await createBrowserWorld(), await readTexts()];
    paths = await everyPage(world);
    rita = await world.browser.signedIn('rita', { language: 'en' });
  });
  after(() => world.close());

  for (const width of WIDTHS)
    it(`follows what one sees on every page, is seen, and is not held: ${width} pixels`, async () => {
      const { page } = rita;
      await page.setViewportSize({ width, height: 900 });
      const found: Record<string, string[]> = {};
      for (const [name, path] of Object.entries(paths)) {
        await show(page, path);
        // The numbers in the menu move what is beside them.
        if (path !== paths['an address that is not there']) await page.locator('nav .count').first().waitFor();
        const faults = await focusFaults(page);
        if (faults.length > 0) found[name] = faults;
      }
      await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 });
      assert.deepEqual(found, {});
    });

  it('the sign-in page as well', async () => {
    const visitor = await world.browser.visitor({ language: 'en' });
    await visitor.page.goto(`${PANEL_URL}/sign-in`);
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual(await focusFaults(visitor.page), []);
    await visitor.context.close();
  });

  const button = (page: Page, place: string, ...given: readonly unknown[]) =>
    page
      .getByRole('main')
      .getByRole('button', { name: say(place, ...given) })
      .first();

  /** What opens each dialog: its page, and its button there. */
  const dialogs: Readonly<Record<string, readonly [PageName, (page: Page) => Locator]>> = {
    approval: ['case of a withdrawal', (page) => button(page, 'caseTexts.approve')],
    refusal: ['case of a withdrawal', (page) => button(page, 'caseTexts.refuse')],
    return: ['case of a deposit', (page) => button(page, 'caseTexts.return')],
    reveal: ['case of a withdrawal', (page) => page.locator('.case-main button[aria-label]').first()],
    'alert resolved': ['alerts', (page) => button(page, 'alertTexts.resolve')],
    'request approved': ['approvals', (page) => button(page, 'approvalTexts.approve')],
    'change approved': ['change of rules', (page) => button(page, 'ruleChangeTexts.acts.approve')],
    'change rejected': ['change of rules', (page) => button(page, 'ruleChangeTexts.acts.reject')],
    'automatic withdrawals stopped': ['rules', (page) => button(page, 'accessTexts.acts.stop_automatic.button')],
    'key asked for': ['access', (page) => button(page, 'accessTexts.acts.ask_key.button')],
    'networks replaced': ['access', (page) => button(page, 'accessTexts.acts.set_networks.button')],
    'key revoked': [
      'access',
      (page) =>
        page
          .getByRole('main')
          .getByRole('button', { name: /^Revoke / })
          .first(),
    ],
    'deliveries repeated': ['webhooks', (page) => button(page, 'webhookTexts.redeliver')],
    'roles taken away': ['staff', (page) => page.getByRole('main').getByRole('button', { name: /clara/ }).first()],
    preferences: ['queue', (page) => page.locator('button.person')],
  };

  it('is in the dialog that opened, goes round in it, and is back on its button once it is closed', async () => {
    const { page } = rita;
    const found: Record<string, string[]> = {};
    for (const [name, [where, opener]] of Object.entries(dialogs)) {
      await show(page, paths[where]);
      const dialog = page.getByRole('dialog');
      await opener(page).focus();
      await page.keyboard.press('Enter');
      await opened(dialog);
      const faults = await focusFaults(page);
      await escape(dialog);
      if (!(await soonHasFocus(opener(page)))) faults.push(`closed, the focus is on ${await focused(page)}`);
      if (faults.length > 0) found[name] = faults;
    }
    assert.deepEqual(found, {});
  });

  it('is back where it was when a key opened the dialog', async () => {
    const { page } = rita;
    await show(page, paths['case of a withdrawal']);
    const link = page.getByRole('main').getByRole('link').first();
    for (const key of ['a', 'r', '?']) {
      await link.focus();
      await page.keyboard.press(key);
      await escape(await opened(page.getByRole('dialog')));
      assert.ok(await soonHasFocus(link), `${key}: ${await focused(page)}`);
    }
  });

  it('is on the button of the preferences when the shortcuts that were opened there are closed', async () => {
    const { page } = rita;
    await show(page, '/queue');
    await page.locator('button.person').press('Enter');
    const preferences = await opened(page.getByRole('dialog'));
    await preferences.getByRole('button', { name: say('shellTexts.showKeys') }).press('Enter');
    await escape(await opened(page.getByRole('dialog', { name: say('shellTexts.shortcuts.title') })));
    assert.ok(await soonHasFocus(page.locator('button.person')), await focused(page));
  });

  it('goes to the content of the page that a key or a link opens, and with the skip link past the menu', async () => {
    const { page } = rita;
    await show(page, '/queue');
    for (const key of ['g', 'm']) await page.keyboard.press(key);
    await page.waitForURL('**/money');
    assert.ok(await soonHasFocus(page.getByRole('main')), await focused(page));
    await page.getByRole('main').getByRole('region').first().waitFor();
    await page.keyboard.press('Tab');
    assert.ok(await soonHoldsFocus(page.getByRole('main')));
    await show(page, '/money');
    await page.getByRole('main').getByRole('region').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.ok(await soonHoldsFocus(page.getByRole('main')));
  });
});

/** The element that has the focus, for a message. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { tagName, innerText = '' } = document.activeElement;
    const name = tagName.toLowerCase();
    return name === 'main' || name === 'body' ? name : name + ' ' + innerText.slice(0, 60);
  })()`);
}
