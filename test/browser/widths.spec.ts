// Every page at every width that people work at, with its own texts and with hostile ones: nothing scrolls sideways,
// nothing lies over what a person reads before they decide, and no text of others grows without bound.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { overflow, show, type Visitor } from './chromium.js';
import { everyPage, type PageName } from './every-page.js';
import { answerHostile, HOSTILE_TEXTS, MARK } from './hostile.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

/** A phone, 1366 pixels at 200 %, a tablet, a laptop, a large screen. */
const WIDTHS = [390, 683, 768, 1_366, 1_920];
const HEIGHT = 768;
/** A text of others is read in a box of its own that scrolls: never higher than this. */
const MOST_HEIGHT = 320;

describe('the panel’s page: every width', function () {
  this.timeout(300_000);
  let world: BrowserWorld;
  let paths: Readonly<Record<PageName, string>>;

  before(async () => {
    world = await createBrowserWorld();
    paths = await everyPage(world);
  });
  after(() => world.close());

  it('the list of pages leaves out none that the router has', () => {
    const router = readFileSync(inRoot('panel', 'web', 'app', 'router.tsx'), 'utf8');
    const patterns = [...router.matchAll(/path: '(\/[^']+)'/g)].map(([, path = '']) => path);
    const shown = Object.values(paths).map((path) => path.replace(/\?.*/, ''));
    const missing = patterns.filter(
      (pattern) => !shown.some((path) => new RegExp(`^${pattern.replace(/\$\w+/g, '[^/]+')}$`).test(path)),
    );
    assert.deepEqual(missing, ['/sign-in']);
  });

  it('no page scrolls sideways, and nothing lies over a button, a link or an amount', async () => {
    const visitor = await world.browser.signedIn('rita', { language: 'pt-BR' });
    assert.deepEqual(await faultsOfPages(visitor), {});
    await visitor.context.close();
  });

  for (const [name, text] of Object.entries(HOSTILE_TEXTS))
    it(`no page is wider than its window with hostile texts: ${name}`, async () => {
      const visitor = await world.browser.signedIn('rita', { language: 'pt-BR' });
      await answerHostile(visitor.page, text);
      const found = await faultsOfPages(visitor);
      await visitor.context.close();
      assert.deepEqual(found, {});
    });

  async function faultsOfPages({ page, faults }: Visitor): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const [name, path] of Object.entries(paths)) {
      await page.setViewportSize({ width: 1_366, height: HEIGHT });
      await show(page, path);
      const ofPage = await faults();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHT });
        // A fraction of a pixel is rounded up.
        const wider = await overflow(page);
        const at = [
          ...(wider > 1 ? [`${wider} pixels too wide: ${await widest(page)}`] : []),
          ...(await hidden(page)),
          ...(await tall(page)),
        ];
        if (at.length > 0) ofPage.push(`${width}: ${[...new Set(at)].slice(0, 4).join('; ')}`);
      }
      if ((await page.title()) === 'owned') ofPage.push('ran a script');
      if (ofPage.length > 0) found[name] = ofPage;
    }
    return found;
  }
});

/** What reaches furthest out of the window. */
function widest(page: Page): Promise<string> {
  return page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((element) => !element.parentElement.closest('.table-box, nav, .words'))
    .toSorted((one, other) => other.getBoundingClientRect().right - one.getBoundingClientRect().right)
    .slice(0, 2).map((element) => element.outerHTML.slice(0, 120)).join(' and ')`);
}

/** What a person must see, and something else lies over, or is outside of the window although it was scrolled to. */
function hidden(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = [];
    for (const element of document.querySelectorAll('main :is(h1, h2, button, a[href], .money, td strong)')) {
      if (!element.checkVisibility() || element.closest('[aria-hidden="true"]')) continue;
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const [box] = element.getClientRects();
      if (!box || box.width === 0) continue;
      const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + Math.min(box.height, innerHeight) / 2];
      const top = document.elementFromPoint(x, y);
      if (top === null || !(element.contains(top) || top.contains(element)))
        found.push('hidden: ' + element.outerHTML.slice(0, 90) + (top ? ' by ' + top.outerHTML.slice(0, 60) : ''));
    }
    return found;
  })()`);
}

/** Texts of others that are higher than a person reads at once. */
function tall(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = [];
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: element, data } = texts.currentNode;
      if (!data.includes(${JSON.stringify(MARK)}) || !element.checkVisibility() || element.closest('option')) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      let height = range.getBoundingClientRect().height;
      for (let box = element; box.tagName !== 'MAIN'; box = box.parentElement)
        if (getComputedStyle(box).overflowY !== 'visible') height = Math.min(height, box.clientHeight);
      if (height > ${MOST_HEIGHT}) found.push(Math.round(height) + ' pixels high: ' + element.outerHTML.slice(0, 80));
    }
    return found;
  })()`);
}
