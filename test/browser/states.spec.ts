// What the panel's page shows when something is in the way, as axe sees it, in both themes and both languages: signing
// in, dialogs, a page that is not for the person, a browser without network, a case that changed meanwhile.
import assert from 'node:assert/strict';
import { PANEL_URL, type Person } from '../integration/panel/world.js';
import { faultsInBothThemes, overflow } from './chromium.js';
import { escape, opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

const PHONE = 360;

describe('the panel’s page: what is in the way', function () {
  this.timeout(120_000);
  let world: BrowserWorld;
  let otavio: Person;

  before(async () => {
    world = await createBrowserWorld();
    otavio = await world.panel.person('otavio', ['reviewer']);
    await world.panel.member('selma', ['support']);
  });
  after(() => world.close());

  for (const language of ['pt-BR', 'en'] as const)
    it(`axe finds nothing in either theme: ${language}`, async () => {
      const found: Record<string, string[]> = {};
      const { page, context } = await world.browser.visitor({ language });
      const judge = async (name: string) => {
        const faults = await faultsInBothThemes(page);
        await page.setViewportSize({ width: PHONE, height: 900 });
        if ((await overflow(page)) > 0) faults.push('wider than a phone');
        await page.setViewportSize({ width: 1_280, height: 900 });
        if (faults.length > 0) found[name] = faults;
      };
      const signIn = async (handle: string) => {
        await page.goto(`${PANEL_URL}/sign-in#${await world.panel.link(handle)}`);
        await page.waitForURL('**/queue');
      };
      await page.goto(`${PANEL_URL}/sign-in`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await judge('sign-in page');

      await signIn('selma');
      await page.goto(`${PANEL_URL}/audit`);
      await page.locator('main .state-title').waitFor();
      await judge('forbidden');

      await context.clearCookies();
      await signIn('rita');
      const id = await world.withdrawal();
      await page.goto(`${PANEL_URL}/cases/${id}`);
      await page.locator('.decision-panel').waitFor();
      const dialog = page.getByRole('dialog');
      await page.keyboard.press('?');
      await opened(dialog);
      await judge('shortcuts');
      await escape(dialog);
      await page.locator('button.person').click();
      await opened(dialog);
      await judge('preferences');
      await escape(dialog);
      await page.locator('.case-main button[aria-label]').first().click();
      await opened(dialog);
      await judge('reveal');
      await escape(dialog);
      await page.keyboard.press('a');
      await opened(dialog);
      await judge('approval');
      await otavio.post(`/cases/${id}/decision`, { decision: 'refuse', reason: 'not this one', version: 1 });
      await dialog.getByRole('alert').waitFor();
      await judge('stale');
      await page.keyboard.press('Escape');
      await context.setOffline(true);
      await page.locator('.notice-wait[role="status"]').waitFor();
      await judge('offline');
      await context.close();
      assert.deepEqual(found, {});
    });
});
