// Chromium for the panel's tests: one for a file, a context of its own for each person. It notes whatever the page must
// never do: break its own content security policy, ask another host, or throw.
import axe, { type RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumLaunch } from '../../tools/servers/chromium.js';
import { PANEL_URL, type PanelWorld } from '../integration/panel/world.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const ACTION_TIMEOUT_MS = 30_000;

export interface Look {
  readonly language?: 'pt-BR' | 'en';
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
}

/** A browser with nobody's session. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong by itself since it was asked last. */
  faults(): Promise<string[]>;
}

export interface TestBrowser {
  visitor(look?: Look): Promise<Visitor>;
  /** Somebody who has signed in by a link, on the page where they begin: staff on the queue. */
  signedIn(handle: string, look?: Look, begins?: string): Promise<Visitor>;
  close(): Promise<void>;
}

export async function startBrowser(world: Pick<PanelWorld, 'port' | 'link'>): Promise<TestBrowser> {
  const launch = await chromiumLaunch(process.env);
  const browser: Browser = await chromium.launch({
    ...launch,
    // The panel's name in people's browsers, on the port that this test has.
    args: [...launch.args, `--host-resolver-rules=MAP localhost:7804 127.0.0.1:${world.port}`],
  });
  const visitor = (look: Look = {}) => open(browser, look);
  return {
    visitor,
    async signedIn(handle, look, begins = '/queue') {
      const opened = await visitor(look);
      await opened.page.goto(`${PANEL_URL}/sign-in#${await world.link(handle)}`);
      await opened.page.waitForURL(`${PANEL_URL}${begins}`);
      return opened;
    },
    close: () => browser.close(),
  };
}

async function open(browser: Browser, { language = 'pt-BR', theme = 'light', width = 1_280 }: Look): Promise<Visitor> {
  const context = await browser.newContext({
    locale: language,
    colorScheme: theme,
    viewport: { width, height: 900 },
    // What the pages say of moments does not depend on where the tests run.
    timezoneId: 'America/Sao_Paulo',
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const noted: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(`${PANEL_URL}/`)) noted.push(`asked ${request.url()}`);
  });
  await context.exposeFunction('noteViolation', (text: string) => noted.push(`policy: ${text}`));
  await context.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) =>
       window.noteViolation(event.violatedDirective + ' ' + event.blockedURI))`,
  );
  context.on('weberror', (error) => noted.push(`threw ${error.error().message}`));
  return { context, page: await context.newPage(), faults: async () => noted.splice(0) };
}

/** Opens a page of the panel, until nothing loads any more. */
export async function show(page: Page, path: string): Promise<void> {
  await page.goto(`${PANEL_URL}${path}`);
  await page.locator('h1').first().waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

/** What axe finds on the page, in words; nothing if all is well. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return violations(page, RULES);
}

/**
 * The same in both themes, which differ in nothing but colours; the page keeps the theme of its visitor. A page that
 * was shown in one theme need not be loaded again for the other.
 */
export async function faultsInBothThemes(page: Page): Promise<string[]> {
  const faults = await accessibilityFaults(page);
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`);
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  const others = await violations(page, { type: 'rule', values: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
  return [...faults, ...others.map((fault) => `in the other theme: ${fault}`)];
}

function violations(page: Page, runOnly: RunOptions['runOnly']): Promise<string[]> {
  return page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)} }).then(({ violations }) =>
       violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
}

/** By how much the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
