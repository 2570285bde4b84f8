// The pictures of docs/panel: every page of the panel, as the guide shows it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import type { Browser, Page } from 'playwright-core';
import UPNG from 'upng-js';
import { projectRoot } from '../../platform/config/project-root.js';
import { client, deposit, heldDeposit, heldWithdrawal, once, sandbox } from './payments.js';

const IMAGES = join(projectRoot(), 'docs', 'panel');
interface Picture {
  readonly name: string;
  readonly path: string;
  /** Who looks; Paulo by default. Dora and Ines are an operator's own people. */
  readonly by?: 'rita.demo' | 'dora.desk' | 'ines.dev';
  /** What is done on the page before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export async function shootPanel(browser: Browser): Promise<void> {
  rmSync(IMAGES, { recursive: true, force: true });
  mkdirSync(IMAGES, { recursive: true });
  const pictures = await makePictures();
  const context = await browser.newContext({
    locale: 'pt-BR',
    colorScheme: 'light',
    viewport: { width: 1366, height: 768 },
    timezoneId: 'America/Sao_Paulo',
  });
  const page = await context.newPage();
  const take = async (name: string) =>
    writeFileSync(join(IMAGES, `${name}.pt-BR.png`), withFewColours(await page.screenshot()));
  await page.goto(`${sandbox.panel_url}/sign-in`);
  await page.locator('h1').waitFor();
  await take('sign-in');
  let signedIn: string | null = null;
  for (const { name, path, prepare, by = 'paulo.demo' } of pictures) {
    if (signedIn !== by) {
      await context.clearCookies();
      await page.goto(linkOf(by));
      await page.waitForURL((url) => url.pathname !== '/sign-in');
      signedIn = by;
    }
    await page.goto(sandbox.panel_url + path);
    await page.locator('h1').first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    // With the numbers in the menu: the first poll after a page was opened brings them.
    if (by !== 'ines.dev') await page.locator('nav .count').first().waitFor();
    await prepare?.(page);
    await take(name);
  }
  await context.close();
}

/** A page has few colours: 256 of them are a third of the size, in a repository that keeps every version. */
function withFewColours(png: Buffer): Buffer {
  const image = UPNG.decode(new Uint8Array(png).buffer);
  return Buffer.from(UPNG.encode([UPNG.toRGBA8(image)[0] ?? new ArrayBuffer(0)], image.width, image.height, 256));
}

/** A change under which some of these payments would not have waited. */
async function proposeRules(): Promise<string> {
  const { body: rules, headers } = await client.rules();
  const brl = {
    ...rules.currencies['BRL'],
    auto_multiplier: '3',
    auto_max_per_withdrawal: '200000',
    first_withdrawal_manual: false,
  };
  const change = {
    justification: 'known players wait too long',
    rules: { ...rules, currencies: { BRL: brl } },
  };
  return (await client.requestRuleChange(change, { ...once(), ifMatch: String(headers['etag']) })).body.id;
}

/** A request of two people in the name of one who looks: they arise in an operation of production. */
function askInTheNameOf(handle: string): void {
  const create = 'operation create --name Production --environment production --provider a --as';
  gateway(...create.split(' '), handle);
}

/** A person of the operator, who sees its operation alone. */
function operatorsPerson(handle: string, role: string): void {
  const { staff } = gateway('staff', 'list') as { staff: readonly { handle: string }[] };
  if (staff.some((one) => one.handle === handle)) return;
  gateway('staff', 'create', handle, '--as', 'rita.demo');
  const operation = sandbox.operation.operation_id;
  gateway('staff', 'role', 'grant', handle, role, '--operation', operation, '--as', 'rita.demo');
}

/** Money for a charge that is of another environment: somebody must look at once. */
const raiseAlert = () => client.createDeposit(deposit('66610', generateCpf()), once());

async function makePictures(): Promise<readonly Picture[]> {
  await heldWithdrawal('8250', []);
  await heldWithdrawal('150000', ['device seen at another account'], '400000');
  const withdrawal = await heldWithdrawal('990000', ['large win', 'new device'], '1200000');
  const deposit = await heldDeposit('20000');
  const change = await proposeRules();
  await raiseAlert();
  askInTheNameOf('rita.demo');
  operatorsPerson('dora.desk', 'operator_desk');
  operatorsPerson('ines.dev', 'integrator');
  const decide = async (page: Page) => {
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('2');
  };
  const find = async (page: Page) => {
    await page.getByRole('searchbox').fill(withdrawal);
    await page.keyboard.press('Enter');
    await page.locator('a[data-row]').first().waitFor();
  };
  return [
    { name: 'queue', path: '/queue' },
    { name: 'case', path: `/cases/${withdrawal}` },
    { name: 'case-history', path: `/cases/${withdrawal}`, prepare: toHistory },
    { name: 'case-of-a-deposit', path: `/cases/${deposit}` },
    { name: 'decision', path: `/cases/${withdrawal}`, prepare: decide },
    { name: 'payment', path: `/payments/${deposit}` },
    { name: 'timeline', path: `/payments/${deposit}`, prepare: toTimeline },
    { name: 'player', path: '/search', prepare: toPlayer(withdrawal) },
    { name: 'payments', path: '/payments' },
    { name: 'shift', path: '/shift' },
    { name: 'search', path: '/search', prepare: find },
    { name: 'rule-change', path: `/rule-changes/${change}`, prepare: untilProven },
    { name: 'approvals', path: '/approvals' },
    { name: 'alerts', path: '/alerts' },
    { name: 'rules', path: '/rules' },
    { name: 'lists', path: '/rules', prepare: toLists },
    { name: 'access', path: '/access' },
    { name: 'money', path: '/money' },
    { name: 'webhooks', path: '/webhooks' },
    { name: 'delivery-log', path: '/webhooks?log=open' },
    { name: 'passkeys', path: '/passkeys' },
    { name: 'staff', path: '/staff', by: 'rita.demo' },
    { name: 'own-request', path: '/approvals', by: 'rita.demo' },
    { name: 'audit', path: '/audit', prepare: asksAbout(deposit) },
    { name: 'shortcuts', path: '/queue', prepare: (page) => page.keyboard.press('?') },
    { name: 'questions', path: '/questions', by: 'dora.desk' },
    { name: 'integration', path: '/integration', by: 'ines.dev' },
  ];
}

/** Its process computes the report; the page asks again by itself. */
const untilProven = (page: Page) => page.locator('section', { hasText: 'SHA-256' }).first().waitFor();

/** To the page of the player whose payment this is. */
const toPlayer = (id: string) => async (page: Page) => {
  await page.goto(`${sandbox.panel_url}/cases/${id}`);
  await page.locator('a[href^="/players/"]').first().click();
  await page.getByRole('heading', { level: 1, name: /^Jogador/ }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
};
/** A question to the operator, from the case; then back. */
const asksAbout = (id: string) => async (page: Page) => {
  const back = page.url();
  await page.goto(`${sandbox.panel_url}/cases/${id}`);
  await page.getByRole('button', { name: 'Perguntar ao operador…' }).click();
  await page.getByRole('dialog').getByLabel('Pergunta').fill('O jogador confirmou que um familiar pagou?');
  await page.getByRole('dialog').getByRole('button', { name: 'Perguntar ao operador…' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto(back);
  await page.locator('.loading').first().waitFor({ state: 'detached' });
};
/** To the part of the page that is further down. */
const toTimeline = async (page: Page) => {
  await page.locator('.timeline details summary').last().click();
  await page.getByText('deposit.under_review').last().waitFor();
  const top = "document.querySelector('.timeline').closest('section').scrollIntoView()";
  await page.evaluate(top);
};
const toHistory = (page: Page) => page.getByRole('heading', { name: 'Histórico do jogador' }).scrollIntoViewIfNeeded();
const toLists = (page: Page) => page.getByRole('heading', { name: 'Listas', exact: true }).scrollIntoViewIfNeeded();

/** Runs the `gateway` command; its answer. */
function gateway(...args: readonly string[]): unknown {
  const command = [join(projectRoot(), 'tools', 'gateway.mjs'), ...args];
  const answer = execFileSync(process.execPath, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(answer);
}

/** A new link: each signs in once. */
function linkOf(handle: string): string {
  if (!handle.endsWith('.demo')) return (gateway('staff', 'link', handle) as { link: string }).link;
  const { accounts } = gateway('staff', 'demo') as { accounts: { handle: string; link: string }[] };
  return accounts.find((account) => account.handle === handle)?.link ?? '';
}
