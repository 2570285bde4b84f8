// What a person of a risk desk sees before and after a decision: who did what about a payment.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { insertPlayer, insertWithdrawal, PERSONAL } from '../integration/cli/payments.js';
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

  /** Changes what the page reads of a case. `change` is the body of a function of `body`. */
  const changing = (page: Page, change: string) =>
    page.addInitScript(`{
      const fetched = window.fetch;
      window.fetch = async (address, options) => {
        const response = await fetched(address, options);
        if (!/\\/cases\\/(wdr|dep)_[0-9a-f]+$/.test(address) || !response.ok) return response;
        const body = await response.json();
        ${change}
        return new Response(JSON.stringify(body), { status: 200, headers: response.headers });
      };
    }`);

  it('what confirms a decision names who, how much and where to, masked', async () => {
    const id = await world.withdrawal(['FIRST_WITHDRAWAL'], '90000');
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await show(page, `/cases/${id}`);
    const dialog = page.getByRole('dialog');
    for (const act of ['Approve', 'Refuse']) {
      await page.getByRole('button', { name: act }).click();
      await dialog.getByText('player-1 · M. d. D. · ***.982.247-**').waitFor();
      await dialog.getByText('R$900.00', { exact: true }).waitFor();
      await dialog.getByText(/^m\*\*\*@\*\*\* · e-mail · /).waitFor();
      for (const secret of Object.values(PERSONAL)) assert.equal(await dialog.getByText(secret).count(), 0, secret);
      await dialog.getByRole('button', { name: 'Back' }).click();
    }
    await visitor.context.close();
  });

  it('what would have passed is said in words and numbers, and not at all where nothing would have', async () => {
    const id = await world.withdrawal(['FIRST_WITHDRAWAL'], '90001');
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    const decision = (counterfactual: object) =>
      `body.decisions.push(${JSON.stringify({
        ...{ stage: 'creation', at: '2026-11-01T10:00:00.000Z', ruleset_version: 1, time_zone: 'America/Sao_Paulo' },
        ...{ outcome: { kind: 'review', reasons: [] }, why: [], counterfactual, digest: '0', reproduced: true },
      })});`;
    await changing(page, decision({ automatic_up_to: { amount: '50000', currency: 'BRL' }, automatic_from: null }));
    await show(page, `/cases/${id}`);
    await page.getByText('an automatic approval allowed up to R$500.00; this is R$900.01.').waitFor();
    await changing(page, `body.decisions = []; ${decision({ automatic_up_to: null, automatic_from: null })}`);
    await page.reload();
    await page.getByRole('heading', { name: 'What the rules decided' }).waitFor();
    assert.equal(await page.getByText('What would have passed').count(), 0);
    await visitor.context.close();
  });

  it('a deposit that another person paid offers to block whoever paid, and names the bank', async () => {
    const id = await world.deposit();
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await changing(page, `body.payer = { ...body.payer, same_document: false, bank_ispb: '60746948' };`);
    await show(page, `/cases/${id}`);
    await page.getByText('ISPB 60746948').waitFor();
    await page.getByRole('button', { name: 'Return' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('whoever paid (CPF or CNPJ)').waitFor();
    await dialog.getByText('M. d. D. · ***.982.247-**', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await changing(page, `body.payer = { ...body.payer, same_document: true, bank_ispb: null };`);
    await page.reload();
    await page.getByRole('button', { name: 'Return' }).click();
    await dialog.getByLabel('the document').waitFor();
    assert.equal(await dialog.getByLabel('whoever paid (CPF or CNPJ)').count(), 0, 'the player paid');
    await visitor.context.close();
  });

  it('why it waits is past once it has ended', async () => {
    const id = await world.withdrawal(['FIRST_WITHDRAWAL'], '90002');
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await show(page, `/cases/${id}`);
    await page.getByRole('heading', { name: 'Why it waits', exact: true }).waitFor();
    await changing(page, `body.status = 'paid';`);
    await page.reload();
    await page.getByRole('heading', { name: 'Why it waited for people' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Why it waits', exact: true }).count(), 0);
    await visitor.context.close();
  });

  it('a look-up says its state, amount and time', async () => {
    const id = await world.deposit(['PAYER_MISMATCH'], '4321');
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await show(page, `/payments/${id}`);
    await page.getByRole('button', { name: 'Look up again at the provider' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(/Done\. The look-up changed nothing: under review, R\$43\.21, at \d/i).waitFor();
    await visitor.context.close();
  });

  it('a write-off names its payout where it is asked for, with what the first person stated', async () => {
    const movements = ['withdrawal_reserved'] as const;
    const lost = { status: 'approved', amount: '70000', movements } as const;
    const id = await insertWithdrawal(world.gateway, world.operationId, lost);
    const request = { person: 'rita', decision: 'request_conclusion', reason: 'no trace', evidence: 'ticket 4711' };
    const acts = [{ ...request, at: new Date().toISOString(), status: 'approved' }];
    await world.gateway.rows(`UPDATE withdrawal SET write_offs = $2::jsonb WHERE id = $1`, id, JSON.stringify(acts));
    await world.gateway.rows(
      `INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at, attempt, claimed_at, traceless_look_ups,
         traceless_since, traceless_last_at)
       VALUES ($1, $2, 'claimed', now() - interval '30 hours', 'attempt', now() - interval '30 hours', 12,
         now() - interval '26 hours', now())`,
      ...[id, `P${id.slice(-30)}`],
    );
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await show(page, '/approvals');
    const item = page.getByRole('listitem').filter({ hasText: 'R$700.00' });
    await item.getByText('player-1').waitFor();
    await item.getByText(/12 look-ups without a result, the first at/).waitFor();
    await show(page, `/payments/${id}`);
    await page.getByRole('button', { name: 'Write off as lost' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('player-1', { exact: true }).waitFor();
    await dialog.getByText('R$700.00', { exact: true }).waitFor();
    await dialog.getByText(/12 look-ups without a result/).waitFor();
    await dialog.getByText('“ticket 4711”').waitFor();
    assert.deepEqual(await visitor.faults(), []);
    await visitor.context.close();
  });

  it('a colleague finds the note that names them in their queue, until they have answered it', async () => {
    const id = await world.withdrawal(['FIRST_WITHDRAWAL'], '55500');
    const rita = await world.browser.signedIn('rita', { language: 'en' });
    await show(rita.page, `/cases/${id}`);
    await rita.page.getByLabel('Note').fill('@paulo do you know this player?');
    await rita.page.getByRole('button', { name: 'Add the note' }).click();
    await rita.page.getByRole('listitem').filter({ hasText: '@paulo do you know' }).waitFor();
    await rita.page.getByLabel('Note').fill('@pualo hello');
    await rita.page.getByRole('button', { name: 'Add the note' }).click();
    await rita.page.getByText('Nobody with this handle works on cases of this operation.').waitFor();
    await rita.context.close();
    const paulo = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = paulo;
    await show(page, '/queue');
    const mentions = page.locator('section').filter({ has: page.getByRole('heading', { name: 'You were mentioned' }) });
    await mentions.getByText('“@paulo do you know this player?”').waitFor();
    await mentions.getByRole('link', { name: /R\$555\.00/ }).click();
    await page.getByLabel('Note').fill('known for years');
    await page.getByRole('button', { name: 'Add the note' }).click();
    await page.getByRole('listitem').filter({ hasText: 'known for years' }).waitFor();
    await show(page, '/queue');
    await page.getByRole('table').waitFor();
    assert.equal(await mentions.count(), 0);
    assert.deepEqual(await paulo.faults(), []);
    await paulo.context.close();
  });

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
    assert.equal(await timeline.getByText('“suspected fraud”').count(), 1, 'the reason is the person’s');
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
