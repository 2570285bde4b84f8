// What a person of a risk desk sees before and after a decision: who did what about a payment.
import assert from 'node:assert/strict';
import { insertPlayer } from '../integration/cli/payments.js';
import { show } from './chromium.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

describe('the panel’s page: what a desk needs to decide', function () {
  this.timeout(120_000);
  let world: BrowserWorld;

  before(async () => {
    world = await createBrowserWorld();
    await insertPlayer(world.gateway, world.operationId);
  });
  after(() => world.close());

  const audit = (person: string, action: string, id: string, detail: object) =>
    world.gateway.rows(
      `SELECT append_audit(NULL, now(), $1, $2, $3, $4, $5)::text`,
      ...[person, action, world.operationId, id, JSON.stringify(detail)],
    );

  it('a payment says what people did, each once, and names the provider where the provider acted', async () => {
    const id = await world.deposit();
    await audit('rita', 'deposit.return_requested', id, { reason: 'suspected fraud' });
    await audit('provider:simulator', 'deposit.return_refused', id, {
      ...{ code: 'AC03', reason: 'suspected fraud', requested_by: 'rita' },
    });
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await show(page, `/payments/${id}`);
    const timeline = page.locator('.timeline');
    await timeline.getByText('rita asked for the return').waitFor();
    await timeline.getByText('provider:simulator refused the return').waitFor();
    await timeline.getByText('asked for by rita').waitFor();
    const decisions = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Decisions of people' }) });
    await decisions.getByText('rita asked for the return').waitFor();
    assert.equal(await decisions.getByText('provider:simulator').count(), 0, 'the provider is no person');
    await page.goto(page.url().replace('/payments/', '/cases/'));
    await page.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Type .*, the end of the id/).fill(id.slice(-4));
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Decision made.').waitFor();
    await show(page, `/payments/${id}`);
    await decisions.getByText('paulo approved').waitFor();
    assert.equal(await decisions.getByText('paulo approved').count(), 1, 'once, though row and trail have it');
    assert.deepEqual(await visitor.faults(), []);
    await visitor.context.close();
  });
});
