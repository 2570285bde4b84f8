// Every page of the panel in real Chromium: nobody is kept out of it, nothing is asked of another host, and nothing
// breaks its own content security policy. Each page is judged in both themes and both languages; a page in Portuguese
// shows no English.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { newId } from '../../domain/identifiers.js';
import { PANEL_URL } from '../integration/panel/world.js';
import { ENGLISH } from '../support/english.js';
import { faultsInBothThemes, show } from './chromium.js';
import { opened } from './dialogs.js';
import { everyPage, type PageName } from './every-page.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

/** Identifiers and what people wrote are in no language; what the gateway itself wrote names its own. */
const IN_NO_LANGUAGE = 'code, kbd, .ref, .theirs, .words:not([lang]), option, .masked, .digest, script';

describe('the panel’s page: every page', function () {
  this.timeout(120_000);
  let world: BrowserWorld;
  let paths: Readonly<Record<PageName, string>>;

  before(async () => {
    world = await createBrowserWorld();
    paths = await everyPage(world);
  });
  after(() => world.close());

  for (const language of ['pt-BR', 'en'] as const) {
    it(`axe finds nothing in either theme, and no page is in another language: ${language}`, async () => {
      const visitor = await world.browser.signedIn('rita', { language });
      const { page } = visitor;
      const found: Record<string, string[]> = {};
      for (const [name, path] of Object.entries(paths)) {
        await show(visitor.page, path);
        const faults = [...(await faultsInBothThemes(page)), ...(await visitor.faults())];
        if (language === 'pt-BR') faults.push(...(await englishOn(page)));
        if (faults.length > 0) found[name] = faults;
      }
      await visitor.context.close();
      assert.deepEqual(found, {});
    });
  }

  it('what waits for a second person is said in words: a cash movement with amount and document, each field of others', async () => {
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await show(visitor.page, '/approvals');
    await page.getByText(/^R\$\s?5,000\.00 come into the cash box: the operator sent the money\.$/).waitFor();
    await page.getByText('Account at the provider: a').waitFor();
    await page.getByText('Document: slip 4711 · Reason: as agreed').waitFor();
    const id = newId('approvalRequest');
    await world.gateway.rows(
      `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by)
       VALUES ($2, $1, 'key', '{"scopes":["read","rules:propose"]}', 'rita'),
         ('apr_secret', $1, 'webhook_secret', '{"revoke_earlier":false}', 'paulo'), ('apr_resume', $1, 'resume', '{}', 'paulo')`,
      world.operationId,
      id,
    );
    await page.reload();
    for (const text of ['read, propose rules', 'Earlier secrets stop working', 'Nothing beyond that.'])
      await page.getByText(text, { exact: true }).waitFor();
    const request = page.getByRole('listitem').filter({ hasText: 'read, propose rules' });
    await request.locator('.button-good').click();
    const dialog = await opened(page.getByRole('dialog'));
    await dialog.getByLabel(/to confirm/).fill(id.slice(-4));
    await dialog.getByLabel('Reason').fill('we spoke');
    await page.keyboard.press('Control+Enter');
    await dialog.locator('code', { hasText: /^key_test_/ }).waitFor();
    const [, secret = ''] = await dialog.locator('code').allInnerTexts();
    await dialog.getByRole('button').last().click();
    await dialog.waitFor({ state: 'detached' });
    assert.ok(secret.length > 30 && !(await page.content()).includes(secret), 'shown once');
    await visitor.context.close();
  });

  it('what is not there stays so while it is asked again: no flicker with every change', async () => {
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await show(visitor.page, paths['a payment that is not there']);
    await page.getByText('Live').waitFor();
    await page.evaluate(`
      window.flickers = 0;
      new MutationObserver(() => { if (document.querySelector('.loading')) window.flickers += 1; })
        .observe(document.body, { childList: true, subtree: true });`);
    const asked = page.waitForResponse((response) => response.url().includes('/payments/dep_0'));
    await world.withdrawal();
    await asked;
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate('window.flickers'), 0);
    assert.equal(await page.locator('h1').count(), 1);
    await visitor.context.close();
  });

  it('language and theme are chosen and kept; shortcuts can be turned off', async () => {
    const visitor = await world.browser.signedIn('rita');
    const { page } = visitor;
    await show(visitor.page, '/alerts');
    await page.getByRole('button', { name: /Preferências/ }).click();
    await page.getByLabel('Tema').selectOption('dark');
    await page.getByLabel('Atalhos do teclado').selectOption('off');
    await page.getByLabel('Idioma').selectOption('en');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('heading', { name: 'Alerts' }).waitFor();
    const ground = await page.evaluate(
      'getComputedStyle(document.documentElement).colorScheme + document.documentElement.lang',
    );
    assert.equal(ground, 'darken');
    await page.keyboard.press('?');
    await page.keyboard.press('/');
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(page.url(), `${PANEL_URL}/alerts`);
    await visitor.context.close();
  });

  it('filters stand in the address', async () => {
    const visitor = await world.browser.signedIn('rita', { language: 'en' });
    const { page } = visitor;
    await show(visitor.page, '/queue');
    await page.getByLabel('Type').selectOption('deposit');
    await page.waitForURL(`${PANEL_URL}/queue?kind=deposit`);
    // The rows of before stay until the new ones are there.
    await page.locator('a[data-row][href*="/wdr_"]').first().waitFor({ state: 'detached' });
    await page.locator('a[data-row]').first().waitFor();
    assert.deepEqual(
      await page.locator('a[data-row]').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      [`${paths['case of a deposit']}?kind=deposit`],
    );
    await visitor.context.close();
  });

  it('seven tabs share one stream', async () => {
    const visitor = await world.browser.signedIn('clara');
    const streams = () => world.panel.logged.filter((line) => /"route":"stream".*"person":"clara"/.test(line)).length;
    await visitor.page.locator('.connection[data-state="open"]').waitFor();
    assert.equal(streams(), 1);
    for (let tab = 2; tab <= 7; tab++) {
      const page = await visitor.context.newPage();
      await page.goto(`${PANEL_URL}/money`);
      await page.locator('.connection[data-state="open"]').waitFor();
    }
    assert.equal(streams(), 1);
    await visitor.context.close();
  });

  it('the audit trail is saved as a file, by the filters of the page', async () => {
    const visitor = await world.browser.signedIn('clara', { language: 'en' });
    const { page } = visitor;
    await show(visitor.page, '/audit?person=nobody');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export (CSV)' }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^audit-\d{14}Z\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    assert.deepEqual([lines.length, lines[0]?.split(',').length, lines[0]?.includes(',means,')], [2, 11, true]);
    await visitor.context.close();
  });

  it('a refused return is one click from the decision of its case', async () => {
    const deposit = await world.deposit();
    await world.gateway.rows(
      `INSERT INTO alert (id, kind, operation_id, object_id, detail, created_at)
       VALUES ('alr_2123456789abcdef0123456789abcdef', 'RETURN_REFUSED', $1, $2, 'x', now()),
         ('alr_3123456789abcdef0123456789abcdef', 'CALLBACK_FORGED', NULL, NULL, 'x', now())`,
      world.operationId,
      deposit,
    );
    const visitor = await world.browser.signedIn('rita', { language: 'pt-BR' });
    const { page } = visitor;
    await show(page, '/alerts');
    const card = (kind: string) => page.getByRole('listitem').filter({ hasText: kind });
    await card('CALLBACK_FORGED').getByText('O painel não tem um ato para isto').waitFor();
    await card('RETURN_REFUSED').getByRole('link', { name: 'Decidir este caso' }).click();
    await page.waitForURL(`**/cases/${deposit}`);
    await page.getByRole('button', { name: 'Devolver' }).first().waitFor();
    assert.deepEqual(await visitor.faults(), []);
    await visitor.context.close();
  });

  it('operations of one name are told apart by the end of their ids, wherever they are named', async () => {
    const [{ name } = {}] = await world.gateway.rows('SELECT name FROM operation WHERE id = $1', world.operationId);
    const payment = await world.withdrawal();
    const visitor = await world.browser.signedIn('rita', { language: 'en' });
    const { page } = visitor;
    await show(page, '/rules');
    assert.equal(await page.getByText(`…${world.operationId.slice(-6)}`).count(), 0, 'one name needs no id');
    const other = (await world.gateway.operation())['operation_id'];
    await world.gateway.rows('UPDATE operation SET name = $2 WHERE id = $1', other, name);
    const [own, its] = [world.operationId, other].map((id) => `${String(name)} (…${id.slice(-6)})`);
    for (const path of ['/rules', '/money', '/access', '/alerts', '/queue']) {
      await show(page, path);
      for (const text of [own, its])
        await page.locator('option', { hasText: text }).first().waitFor({ state: 'attached' });
    }
    await page.getByRole('cell', { name: own }).first().waitFor();
    for (const path of [`/payments/${payment}`, `/cases/${payment}`]) {
      await show(page, path);
      await page.getByText(String(own)).first().waitFor();
    }
    await show(page, `/access?operation=${other}`);
    await page.getByRole('heading', { name: its }).waitFor();
    await visitor.context.close();
  });
});

/** English in a page's own words, and in what it shows that the gateway stored. */
async function englishOn(page: Page): Promise<string[]> {
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
  return [...new Set(texts.filter((text) => ENGLISH.test(text)))];
}
