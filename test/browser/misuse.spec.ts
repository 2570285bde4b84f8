// Who would misuse the panel, in real Chromium: signatures of something else, other sites, other operations, an
// operator who writes code into its reasons; and where personal data must never be.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { eventually } from '../../lab/harness/eventually.js';
import { placeOf } from '../../store/sealing/places.js';
import { PERSONAL } from '../integration/cli/payments.js';
import { testSealer } from '../integration/cli/support.js';
import { PANEL_URL } from '../integration/panel/world.js';
import { dialog } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';
import { readTexts, type Say } from './texts.js';

describe('the panel’s page: misuse', function () {
  this.timeout(90_000);
  let world: BrowserWorld;
  let say: Say;

  before(async () => {
    [world, say] = [await createBrowserWorld(), await readTexts()];
  });
  after(() => world.close());

  const openCase = async (page: Page, id: string) => {
    await page.goto(`${PANEL_URL}/cases/${id}`);
    await page.getByRole('complementary', { name: say('caseTexts.decide') }).waitFor();
  };

  describe('another site', () => {
    let site: Server;
    before(async () => {
      site = createServer((_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>another site</title>');
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    });
    after(() => {
      site.closeAllConnections();
      site.close();
    });

    // Of the same host at another port the browser sends the cookie along.
    for (const host of ['localhost', '127.0.0.1'])
      it(`posts a form and asks without CORS from ${host}: 403, and nothing is done`, async () => {
        const id = await world.withdrawal();
        const { context } = await world.browser.signedIn('rita', { language: 'en' });
        const page = await context.newPage();
        const target = `${PANEL_URL}/api/cases/${id}/decision`;
        const order = JSON.stringify({ decision: 'approve', reason: 'x', version: 1, confirm: id.slice(-4) });
        // The browser keeps the answer from the other site: the panel says what it was.
        const answered = () =>
          world.panel.logged
            .map((line) => JSON.parse(line) as { route?: string; status?: number; refused?: string })
            .filter(({ route }) => route === 'decideCase')
            .map(({ status, refused }) => `${String(status)} ${String(refused)}`);
        const answerTo = async (act: string) => {
          const known = answered().length;
          await page.goto(`http://${host}:${(site.address() as AddressInfo).port}/`);
          await page.evaluate(act).catch(() => undefined);
          return eventually(() => answered()[known], 'the panel answers');
        };
        const asked = `void fetch('${target}',
          { method: 'POST', mode: 'no-cors', credentials: 'include', body: ${JSON.stringify(order)} })`;
        assert.equal(await answerTo(asked), '403 cross_site');
        const field = JSON.stringify(order.replace(/\}$/, ',"x":"'));
        const posted = `(() => {
          const form = Object.assign(document.createElement('form'),
            { method: 'POST', enctype: 'text/plain', action: '${target}' });
          form.append(Object.assign(document.createElement('input'), { name: ${field}, value: '"}' }));
          document.body.append(form);
          form.submit();
        })()`;
        assert.equal(await answerTo(posted), '403 cross_site');
        assert.deepEqual(await world.decided(id), []);
        const [row] = await world.gateway.rows('SELECT status FROM withdrawal WHERE id = $1', id);
        assert.equal(row?.['status'], 'under_review');
        await context.close();
      });
  });

  it('personal data that a person reveals is in no stream, log, cookie, cache, database or storage', async () => {
    const id = await world.withdrawal();
    const visitor = await world.browser.signedIn('rita', { language: 'en' });
    const { page, context } = visitor;
    await openCase(page, id);
    await page.evaluate(`(() => {
      window.received = [];
      new EventSource('/api/stream').addEventListener('counters', ({ data }) => window.received.push(data));
    })()`);
    await reveal(page);
    await page.getByText(PERSONAL.name).waitFor();
    await world.withdrawal();
    await eventually(() => page.evaluate<boolean>('window.received.length > 1'), 'the stream goes on');
    assert.equal(await page.evaluate('indexedDB.databases().then(({ length }) => length)'), 0);
    const kept = await page.evaluate(`(async () => {
      const cached = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) cached.push(request.url, await (await cache.match(request)).text());
      }
      return JSON.stringify([window.received, cached, { ...localStorage }, { ...sessionStorage },
        location.href, history.state, document.cookie, window.name, document.title]);
    })()`);
    const everything = [String(kept), JSON.stringify(await context.cookies()), ...world.panel.logged].join('\n');
    for (const [name, value] of Object.entries(PERSONAL)) assert.ok(!everything.includes(value), name);
    assert.ok(!world.panel.logged.join('').includes((await context.cookies())[0]?.value ?? 'no cookie'));
    assert.deepEqual(await visitor.faults(), []);
    await context.close();
  });

  it('what an operator writes as its reasons is text, whatever it looks like', async () => {
    const hostile = [
      '<img src=x onerror=alert(1)>',
      '</q><script>alert(2)</script>',
      '"><svg/onload=alert(3)>',
      '{{constructor.constructor("alert(4)")()}}',
      'javascript:alert(5)',
    ];
    const id = await world.withdrawal();
    const request = Buffer.from(
      JSON.stringify({
        player: { external_ref: 'player-1', document: { type: 'CPF', number: PERSONAL.document, country: 'BR' } },
        destination: { pix: { key_type: 'email', key: PERSONAL.key } },
        review_reasons: hostile,
      }),
    );
    const sealed = testSealer.sealBytes(placeOf('withdrawal.request_sealed', world.operationId, { id }), request);
    await world.gateway.rows('UPDATE withdrawal SET request_sealed = $2 WHERE id = $1', id, sealed);
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    const asked: string[] = [];
    page.on('dialog', (shown) => {
      asked.push(shown.message());
      void shown.dismiss();
    });
    const literally = async (where: string, most: number) => {
      const place = page.locator(where);
      await place.getByText(hostile[0] ?? '').waitFor();
      for (const text of hostile.slice(0, most)) assert.equal(await place.getByText(text).count(), 1, text);
      assert.equal(await place.locator('img, script, svg, a[href^="javascript"]').count(), 0, where);
    };
    await openCase(page, id);
    await literally('ul.reasons', hostile.length);
    await page.goto(`${PANEL_URL}/queue`);
    await literally(`tr:has(a[href*="${id}"])`, 2);
    await page.goto(`${PANEL_URL}/payments/${id}`);
    await literally('ul.reasons', hostile.length);
    assert.deepEqual([asked, await visitor.faults()], [[], []]);
    await visitor.context.close();
  });

  async function reveal(page: Page): Promise<void> {
    const name = say('caseTexts.revealTitle', say('caseTexts.fields.player.name'));
    await page.getByRole('button', { name }).click();
    await dialog(page).getByLabel(say('caseTexts.revealReason')).fill('the holder asked');
    await page.keyboard.press('Control+Enter');
    await dialog(page).waitFor({ state: 'detached' });
  }
});
