// What the panel's page does by itself, in real Chromium: it finds the next case far down in the queue, gives a case
// back when it is closed, counts a reveal by its own clock, and keeps nobody signed in.
import assert from 'node:assert/strict';
import type { Request } from 'playwright-core';
import { newId } from '../../domain/identifiers.js';
import { eventually } from '../../lab/harness/eventually.js';
import { PANEL_URL } from '../integration/panel/world.js';
import { insertWithdrawal, PERSONAL } from '../integration/cli/payments.js';
import type { Visitor } from './chromium.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

/** A page that asked for nothing in this time has all that it needs. */
const QUIET_MS = 2_000;
/** More than a page of the queue. */
const MANY = 60;

describe('the panel’s page: by itself', function () {
  this.timeout(90_000);
  let world: BrowserWorld;
  let rita: Visitor;

  before(async () => {
    world = await createBrowserWorld();
    rita = await world.browser.signedIn('rita', { language: 'en' });
  });
  afterEach(async () => {
    await rita.page.goto(`${PANEL_URL}/search`);
    await world.gateway.rows(`UPDATE withdrawal SET status = 'cancelled' WHERE status = 'under_review'`);
    await world.gateway.rows('DELETE FROM review_claim');
    assert.deepEqual(await rita.faults(), []);
  });
  after(() => world.close());

  /** Waiting withdrawals, the most money first. */
  const manyCases = async () => {
    const ids: string[] = [];
    for (let number = 0; number < MANY; number += 1) {
      const payment = {
        status: 'under_review',
        amount: String(900_000 - number * 1_000),
        reasons: ['FIRST_WITHDRAWAL'],
      };
      ids.push(await insertWithdrawal(world.gateway, world.operationId, payment));
    }
    return ids;
  };
  const claimedBy = async (id: string) =>
    (await world.gateway.rows('SELECT staff_handle FROM review_claim WHERE payment_id = $1', id))[0]?.['staff_handle'];
  const open = async (id: string) => {
    await rita.page.goto(`${PANEL_URL}/cases/${id}?sort=amount`);
    await rita.page.getByRole('complementary', { name: 'Decision' }).waitFor();
  };

  it('a case is taken when it is opened, and given back when its tab is closed', async () => {
    const id = await world.withdrawal();
    const page = await rita.context.newPage();
    await page.goto(`${PANEL_URL}/cases/${id}`);
    await page.getByText('With you').waitFor();
    assert.equal(await claimedBy(id), 'rita');
    await page.close({ runBeforeUnload: true });
    await eventually(async () => (await claimedBy(id)) === undefined, 'the case is given back');
  });

  it('skips to the first case that waits for the person, on a further page too', async () => {
    const ids = await manyCases();
    const [first = '', before = '', free = ''] = [ids[0], ids[54], ids[55]];
    await world.gateway.rows(
      `INSERT INTO review_claim (payment_id, staff_handle, expires_at)
       SELECT id, 'paulo', now() + interval '5 minutes' FROM withdrawal WHERE id = ANY($1) AND id NOT IN ($2, $3)`,
      ids,
      free,
      first,
    );
    await open(first);
    await rita.page.keyboard.press('s');
    await rita.page.waitForURL(`**/cases/${free}**`);
    await rita.page.getByRole('complementary', { name: 'Decision' }).waitFor();
    // K knows the way back there as well.
    await rita.page.keyboard.press('k');
    await rita.page.waitForURL(`**/cases/${before}**`);
  });

  it('a revealed value goes by the time since it came, whatever the clock of this machine says', async () => {
    const id = await world.withdrawal();
    const { page } = rita;
    // An hour ahead of the panel.
    await page.clock.install({ time: Date.now() + 3_600_000 });
    await open(id);
    await page.getByRole('button', { name: 'Reveal: Document' }).first().click();
    await page.getByRole('dialog').getByLabel('Why you need to see it').fill('compare it');
    await page.keyboard.press('Control+Enter');
    await page.getByText(PERSONAL.document).waitFor();
    await page.clock.runFor(50_000);
    assert.equal(await page.getByText(PERSONAL.document).count(), 1);
    await page.clock.runFor(15_000);
    await page.getByText(PERSONAL.document).waitFor({ state: 'detached' });
  });

  it('an open page that nobody touches does not extend the session', async () => {
    const { page } = await world.browser.signedIn('clara', { language: 'en' });
    const id = await world.withdrawal();
    const underWay = new Set<Request>();
    let lastAtMs = performance.now();
    const isAnswered = (request: Request) => request.url().includes('/api/') && !request.url().endsWith('/api/stream');
    const end = (request: Request) => {
      if (underWay.delete(request)) lastAtMs = performance.now();
    };
    page.on('request', (request) => isAnswered(request) && underWay.add(request));
    page.on('requestfinished', end);
    page.on('requestfailed', end);
    await page.clock.install();
    await page.goto(`${PANEL_URL}/cases/${id}`);
    await page.getByRole('complementary', { name: 'Decision' }).waitFor();
    // What the page asks for when it opens counts as use; an answer may lead to the next request.
    const isQuiet = () => underWay.size === 0 && performance.now() - lastAtMs > QUIET_MS;
    await eventually(isQuiet, 'the page is open');
    await world.gateway.rows(
      `UPDATE staff_session SET last_seen_at = now() - interval '10 minutes' WHERE staff_handle = 'clara'`,
    );
    const isOld = async () =>
      (
        await world.gateway.rows(
          `SELECT last_seen_at < now() - interval '9 minutes' AS old FROM staff_session
           WHERE staff_handle = 'clara' ORDER BY created_at DESC LIMIT 1`,
        )
      )[0]?.['old'];
    const isAutomatic = (request: Request) =>
      request.url().endsWith(`/api/cases/${id}`) && request.headers()['panel-automatic'] === '1';
    const asked = page.waitForRequest(isAutomatic);
    await page.clock.runFor(20_000);
    await (await asked).response();
    assert.equal(await isOld(), true);
    // A person who comes back is there.
    await page.getByRole('link', { name: 'See the whole payment' }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    assert.equal(await isOld(), false);
  });

  it('a hit on a page that is closed to the person says so, and is no link', async () => {
    const id = newId('approvalRequest');
    await world.gateway.rows(
      `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by)
       VALUES ($1, $2, 'key', '{"scopes":["read"]}', 'zoe')`,
      ...[id, world.operationId],
    );
    await world.panel.member('selma', ['support']);
    const { page, context } = await world.browser.signedIn('selma', { language: 'en' });
    await page.goto(`${PANEL_URL}/search`);
    await page.getByRole('searchbox').fill(id);
    await page.keyboard.press('Enter');
    await page.getByText('It waits in the inbox of approvals, which your roles do not open.').waitFor();
    assert.equal(await page.getByRole('main').getByRole('link').count(), 0);
    await context.close();
  });
});
