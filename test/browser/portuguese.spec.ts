// A page in Portuguese shows no English, also where it shows what the gateway stored in English.
import assert from 'node:assert/strict';
import { show } from './chromium.js';
import { everyPage } from './every-page.js';
import { createBrowserWorld } from './panel-world.js';
import { ENGLISH } from '../support/english.js';

/** Identifiers and what people wrote are in no language; what the gateway itself wrote names its own. */
const IN_NO_LANGUAGE = 'code, kbd, .ref, .theirs, .words:not([lang]), option, .masked, .digest, script';

describe('the panel’s page: Portuguese', function () {
  this.timeout(180_000);

  it('no page shows English', async () => {
    const world = await createBrowserWorld();
    const paths = await everyPage(world);
    const { page, context } = await world.browser.signedIn('rita', { language: 'pt-BR' });
    const found: Record<string, string[]> = {};
    for (const [name, path] of Object.entries(paths)) {
      await show(page, path);
      const texts = await page.evaluate<string[]>(`(() => {
        for (const folded of document.querySelectorAll('details')) folded.open = true;
        const texts = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const { parentElement: element, data } = walker.currentNode;
          if (element.checkVisibility() && !element.closest(${JSON.stringify(IN_NO_LANGUAGE)})) texts.push(data);
        }
        for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
          texts.push(...['aria-label', 'title', 'placeholder'].flatMap((name) => element.getAttribute(name) ?? []));
        return texts;
      })()`);
      const english = texts.filter((text) => ENGLISH.test(text));
      if (english.length > 0) found[name] = [...new Set(english)];
    }
    await context.close();
    await world.close();
    assert.deepEqual(found, {});
  });
});
