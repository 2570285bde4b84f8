// A day at the desk, played by five people who see nothing but names: a reviewer, an approver, a risk manager, support
// and night duty. What each did is looked for where the next one would look, never in the database.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { insertPlayer } from '../integration/cli/payments.js';
import type { StaffRole } from '../../domain/staff.js';
import { show, type Visitor } from './chromium.js';
import { dialog, opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

describe('the panel’s page: five roles', function () {
  this.timeout(180_000);
  let world: BrowserWorld;
  const visitors: Visitor[] = [];

  before(async () => {
    world = await createBrowserWorld();
    await insertPlayer(world.gateway, world.operationId);
  });
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) {
      assert.deepEqual(await visitor.faults(), []);
      await visitor.context.close();
    }
  });
  after(() => world.close());

  const signedIn = async (handle: string, roles: readonly StaffRole[], width = 1_366): Promise<Page> => {
    await world.panel.person(handle, roles);
    const visitor = await world.browser.signedIn(handle, { language: 'en', width });
    visitors.push(visitor);
    return visitor.page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = async (page: Page, name: string, field: string, text: string) => {
    await button(page, name).click();
    await opened(dialog(page));
    await dialog(page).getByLabel(field).fill(text);
    await button(page, name).last().click();
    await dialog(page).waitFor({ state: 'detached' });
  };
  const cellsOf = async (page: Page, row: string) =>
    (await page.getByRole('row', { name: row }).first().getByRole('cell').allInnerTexts()).map((text) => text.trim());

  it('a reviewer takes a case, asks the operator, refuses and blocks, and flags a mistake; the shift counts it', async () => {
    await world.withdrawal(['FIRST_WITHDRAWAL'], '123400');
    const page = await signedIn('sofia', ['reviewer']);
    await page.getByRole('link', { name: /1,234\.00/ }).click();
    await page.getByRole('heading', { name: 'Why it waits' }).waitFor();
    await button(page, 'Take').click();
    await page.getByText('With you, until you give it back').waitFor();
    await inDialog(page, 'Ask the operator…', 'Question', 'is the account verified?');
    await page.getByText('Waits for the operator').waitFor();
    await inDialog(page, 'Note the answer…', 'Answer', 'it is not');
    await page.getByText('noted the answer of the operator').waitFor();
    await inDialog(page, 'Let it wait…', 'Why', 'their night shift knows more');
    await page.getByText('Waits until').waitFor();
    await button(page, 'Take back from waiting').click();
    await button(page, 'Let it wait…').waitFor();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await opened(dialog(page));
    await dialog(page).getByRole('button', { name: 'Suspected fraud' }).click();
    await dialog(page).getByLabel('the PIX key').check();
    await page.keyboard.press('Control+Enter');
    const said = page.getByRole('status').filter({ hasText: 'Decision made.' });
    await said.getByRole('link', { name: /1,234\.00/ }).waitFor();
    await said.getByRole('button', { name: 'It was a mistake' }).click();
    await page.getByText('Flagged as a mistake. The decision stands.').waitFor();
    await page.getByRole('link', { name: 'Shift' }).click();
    await page.getByRole('heading', { name: 'By person' }).waitFor();
    const [decided, approved, refused, , , flagged] = await cellsOf(page, 'sofia');
    assert.deepEqual([decided, approved, refused, flagged], ['1', '0', '1', '1']);
    const flaggedOnes = page.getByRole('region', { name: 'Flagged as mistakes' });
    await flaggedOnes.getByRole('link', { name: /1,234\.00/ }).click();
    await page.getByText('flagged their own decision as a mistake').waitFor();
  });

  it('an approver is the second of two, and sees who was the first', async () => {
    const id = await world.withdrawal(['DUAL_APPROVAL_REQUIRED'], '5000000');
    const approve = async (page: Page) => {
      await show(page, `/cases/${id}`);
      await page.getByRole('button', { name: 'Approve' }).click();
      await dialog(page)
        .getByLabel(/to confirm/)
        .fill(id.slice(-4));
      await dialog(page).getByRole('button', { name: 'Approve' }).click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    await approve(await signedIn('rosana', ['reviewer']));
    const page = await signedIn('anselmo', ['approver']);
    await page.getByRole('link', { name: /50,000\.00/ }).click();
    await page.getByText('1 of 2 approvals').waitFor();
    await approve(page);
    await show(page, `/payments/${id}`);
    for (const person of ['rosana', 'anselmo'])
      await page
        .getByRole('listitem')
        .filter({ hasText: `${person} approved` })
        .first()
        .waitFor();
  });

  it('a risk manager tries a threshold against what people decided, and proposes it; finds who blocked what', async () => {
    const page = await signedIn('ricardo', ['risk_manager']);
    await page.getByRole('link', { name: 'Rules and lists' }).click();
    const blocked = page.getByRole('region', { name: 'Lists' }).getByRole('row', { name: /block PIX key/ });
    await blocked.getByText('Suspected fraud').waitFor();
    await blocked.getByText('sofia').waitFor();
    await page.getByLabel('Automatic ceiling per withdrawal').fill('2.500,00');
    await button(page, 'Try on the last 30 days').click();
    await page.getByText(/decisions? compared/i).waitFor();
    await page.getByLabel('Why').fill('known players wait too long');
    await button(page, 'Propose the change').click();
    await page.getByRole('heading', { level: 1, name: /Change of the rules/ }).waitFor();
    await page.getByText('R$2,500.00').waitFor();
  });

  it('support finds a player by what the player says, and what was sent; what it may not do says why', async () => {
    const id = await world.deposit();
    const page = await signedIn('selma', ['support']);
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('player-1');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'player-1' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Player player-1' }).waitFor();
    await page
      .getByRole('link', { name: /50\.00/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.getByText('Deposit held').first().waitFor();
    await show(page, `/cases/${id}`);
    const approve = page.getByRole('button', { name: 'Approve' });
    assert.equal(await approve.getAttribute('aria-disabled'), 'true');
    await page.getByText('Your role does not allow this').first().waitFor();
  });

  it('night duty, on a phone: from an alert to its reason and its act in two clicks', async () => {
    const id = await world.withdrawal(['FIRST_WITHDRAWAL'], '777700');
    await world.gateway.rows(
      `INSERT INTO alert (id, kind, operation_id, object_id, detail, created_at)
       VALUES ('alr_night', 'LATE_PAYMENT', $1, $2, 'a late payment', now())`,
      ...[world.operationId, id],
    );
    const page = await signedIn('nadia', ['support', 'risk_manager'], 390);
    await page.getByRole('link', { name: 'Alerts' }).click();
    await button(page, 'Take it').click();
    await page.getByText('with nadia').waitFor();
    await page.getByRole('link', { name: id }).click();
    const [why, act] = [page.getByRole('heading', { name: 'Why it waits' }), button(page, 'Cancel')];
    await why.waitFor();
    assert.ok(((await why.boundingBox())?.y ?? Infinity) < ((await act.boundingBox())?.y ?? 0), 'reasons stand first');
    await act.click();
    await opened(dialog(page));
    await dialog(page).getByLabel('Reason').fill('the operator asked by telephone');
    await dialog(page).getByRole('button', { name: 'Confirm' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText('cancelled', { exact: true }).first().waitFor();
    await show(page, '/alerts?id=alr_night');
    await inDialog(page, 'Resolve', 'Reason', 'cancelled with the operator');
    await page.getByText('“cancelled with the operator”').waitFor();
  });
});
