// The documentation site in Chromium, as the api serves it: nothing against its policy, nothing from elsewhere, an
// offline search in both languages, readable in light, dark and on a phone.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import Koa from 'koa';
import { pino } from 'pino';
import { type Browser, chromium, type Page } from 'playwright-core';
import { extract } from 'tar';
import { loadReferencePage } from '../../api/reference/files.js';
import { reference } from '../../api/reference/serve.js';
import { builtSite } from '../../api/reference/site.js';
import type { RequestState } from '../../api/middleware/request.js';
import { trace } from '../../api/middleware/trace.js';
import { startServer } from '../../api/app.js';
import type { RunningServer } from '../../platform/http/server.js';
import { openApiYaml } from '../../contract/http/openapi.js';
import { ROUTES } from '../../contract/http/routes.js';
import { runCommand } from '../../tools/bootstrap/run-command.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { chromiumLaunch } from '../../tools/servers/chromium.js';

const DOCS_URL = 'http://docs.test/docs';
const PHONE_WIDTH = 390;
const PATHS = ['/docs', '/docs/pt-BR/', '/docs/quickstart', '/docs/pt-BR/integrating', '/docs/states', '/docs/errors'];

/** What the site must never do, noted while a page is used. */
async function pageOf(browser: Browser, origin: string, look: { dark?: boolean; width?: number } = {}) {
  const context = await browser.newContext({
    colorScheme: look.dark === true ? 'dark' : 'light',
    viewport: { width: look.width ?? 1_280, height: 900 },
  });
  const faults: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
      faults.push(`asked ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  context.on('weberror', (error) => faults.push(`threw ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(`said ${message.text()}`);
  });
  return { context, page: await context.newPage(), faults };
}

async function unpacked(answer: Response, folder: string): Promise<void> {
  assert.equal(answer.status, 200, answer.url);
  const file = join(folder, 'downloaded.tar.gz');
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  await extract({ file, cwd: folder });
}

async function shownAt(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator('h1, h2').first().waitFor();
  await page.waitForLoadState('networkidle');
}

describe('the documentation site in Chromium', function () {
  this.timeout(600_000);
  let server: RunningServer;
  let browser: Browser;
  let origin: string;
  before(async () => {
    const logFile = inRoot('var', 'logs', 'build-docs.log');
    const { code } = await runCommand(process.execPath, [inRoot('dist', 'tools', 'docs', 'site', 'main.js')], {
      logFile,
      timeoutMs: 500_000,
      cwd: inRoot(),
    });
    assert.equal(code, 0, `the site was not built: see ${logFile}`);
    const app = new Koa<RequestState>();
    app.use(trace({ log: pino({ level: 'silent' }), docsUrl: DOCS_URL, nowMs: Date.now, edge: undefined }));
    app.use(reference(loadReferencePage(), builtSite(), DOCS_URL));
    const contract = openApiYaml(ROUTES, { environment: 'sandbox' });
    app.use((context) => {
      if (context.path === '/v1/openapi.yaml') context.body = contract;
    });
    server = await startServer(app, { host: '127.0.0.1', port: 0, docsUrl: DOCS_URL });
    origin = `http://127.0.0.1:${server.port}`;
    browser = await chromium.launch(await chromiumLaunch(process.env));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [look, { dark, width }] of Object.entries({
    light: { dark: false, width: 1_280 },
    dark: { dark: true, width: 1_280 },
    phone: { dark: false, width: PHONE_WIDTH },
  })) {
    it(`${look}: no page breaks its policy, asks elsewhere, is wider than its window or hard to read`, async () => {
      const { context, page, faults } = await pageOf(browser, origin, { dark, width });
      for (const path of PATHS) {
        await shownAt(page, origin + path);
        const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        assert.equal(wide, 0, `${path} is wider than its window`);
        await page.evaluate(axe.source);
        const contrast = (await page.evaluate(
          `axe.run('.vp-doc, .VPHero', { runOnly: ['color-contrast', 'image-alt', 'heading-order', 'label'] })
             .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
        )) as string[];
        assert.deepEqual(contrast, [], path);
      }
      assert.deepEqual(faults, []);
      await context.close();
    });
  }

  it('finds words of a page without a server, in the language of the page', async () => {
    const { context, page, faults } = await pageOf(browser, origin);
    for (const [path, word, expected] of [
      ['/docs/quickstart', 'chargeback', /\/docs\/(?!pt-BR)/],
      ['/docs/pt-BR/quickstart', 'reserva', /\/docs\/pt-BR\//],
    ] as const) {
      await shownAt(page, origin + path);
      await page.locator('#local-search button').click();
      await page.locator('.search-input').fill(word);
      const result = page.locator('.results a').first();
      await result.waitFor();
      assert.match((await result.getAttribute('href')) ?? '', expected);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('has no link that leads nowhere, on any of its first pages; the vectors are there', async () => {
    const { context, page } = await pageOf(browser, origin);
    const seen = new Map<string, number>();
    // One that is not translated, too: its menu of languages leads somewhere.
    for (const path of [...PATHS, '/docs/client']) {
      await shownAt(page, origin + path);
      const hrefs = await page
        .locator('a[href]')
        .evaluateAll((links) => links.map((link) => String((link as unknown as { href: string }).href)));
      for (const href of hrefs.map((one) => one.replace(/#.*$/, '')).filter((one) => one.startsWith(`${origin}/`)))
        if (!seen.has(href)) seen.set(href, (await fetch(href)).status);
    }
    assert.deepEqual(
      [...seen].filter(([, status]) => status !== 200),
      [],
    );
    assert.ok([...seen.keys()].includes(`${origin}/docs/reference`));
    for (const path of ['/docs/test-vectors.json', '/docs/pt-BR/client'])
      assert.ok([...seen.keys()].includes(origin + path), path);
    await context.close();
  });

  it('has the clients as archives: the very files, and a package that runs', async () => {
    const { context, page } = await pageOf(browser, origin);
    await shownAt(page, `${origin}/docs/client`);
    const folder = mkdtempSync(join(tmpdir(), 'downloaded-clients-'));
    try {
      for (const name of ['python/', 'go/', 'java/', 'bruno/']) {
        const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
        await unpacked(await fetch(origin + href), folder);
        assert.ok(existsSync(join(folder, 'operator-payments', name)), name);
      }
      const root = join(folder, 'operator-payments');
      const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('.'));
      assert.ok(
        files.includes('python/pyproject.toml') && files.includes('java/pom.xml') && files.includes('README.md'),
      );
      for (const path of files.filter((one) => statSync(join(root, one)).isFile()))
        assert.ok(readFileSync(join(root, path)).equals(readFileSync(inRoot('client', path))), path);
      const href = await page.getByRole('link', { name: 'the folder', exact: true }).getAttribute('href');
      await unpacked(await fetch(origin + href), folder);
      const client = await import(pathToFileURL(join(folder, 'package', 'dist', 'index.js')).href);
      assert.equal(typeof (client as Record<string, unknown>)['createGatewayClient'], 'function');
    } finally {
      rmSync(folder, { recursive: true });
      await context.close();
    }
  });

  it('leads from language to language and from page to page, and to the reference with its samples', async () => {
    const { context, page, faults } = await pageOf(browser, origin);
    await shownAt(page, `${origin}/docs/concepts`);
    await page.locator('.VPNavBarTranslations button').hover();
    await page.locator('.VPNavBarTranslations').getByText('Português (Brasil)').click();
    await page.getByRole('heading', { level: 1, name: 'Conceitos' }).waitFor();
    await page.locator('.VPSidebar').getByText('Catálogo de erros').click();
    await page.getByRole('heading', { level: 1, name: 'Catálogo de erros' }).waitFor();
    await page.locator('.vp-doc a', { hasText: 'rate_limited' }).click();
    await page.getByRole('heading', { level: 2, name: 'O que fazer' }).waitFor();
    await page.locator('.VPSidebar').getByText('Referência da API').click();
    await page.getByText('Deposits', { exact: true }).first().click();
    await page.getByText('Create a deposit').first().click();
    await page.getByText('Idempotency-Key: create-deposit:').first().waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });
});
