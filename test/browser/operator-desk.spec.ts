// People of an operator at the panel, who see nothing but names: one of its desk answers what staff ask about a
// payment, in both languages, and staff find the answer where they decide; one who integrates makes another webhook
// secret.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { insertPlayer, PERSONAL } from '../integration/cli/payments.js';
import { faultsInBothThemes, overflow, show, type Visitor } from './chromium.js';
import { dialog, opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

/** The longest question: it has no place to break. */
const LONG = 'x'.repeat(500);
const NARROW = [640, 360];

describe('the panel’s page: an operator’s own people', function () {
  this.timeout(120_000);
  let world: BrowserWorld;
  const visitors: Visitor[] = [];

  before(async () => {
    world = await createBrowserWorld();
    await insertPlayer(world.gateway, world.operationId);
    for (const handle of ['dora', 'caio'])
      await world.panel.person(handle, [{ role: 'operator_desk', operationId: world.operationId }]);
    await world.panel.person('ines', [{ role: 'integrator', operationId: world.operationId }]);
  });
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) {
      assert.deepEqual(await visitor.faults(), []);
      await visitor.context.close();
    }
  });
  after(() => world.close());

  const enter = async (handle: string, language: 'pt-BR' | 'en', begins: string): Promise<Page> => {
    const visitor = await world.browser.signedIn(handle, { language }, begins);
    visitors.push(visitor);
    await visitor.page.locator('.loading').first().waitFor({ state: 'detached' });
    return visitor.page;
  };
  const askOnCase = async (page: Page, id: string, question: string) => {
    await show(page, `/cases/${id}`);
    await page.getByRole('button', { name: 'Ask the operator…' }).click();
    await opened(dialog(page));
    await dialog(page).getByLabel('Question').fill(question);
    await dialog(page).getByRole('button', { name: 'Ask the operator…' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText('Waits for the operator').waitFor();
  };
  const externalIdOf = async (id: string) => {
    const [row] = await world.gateway.rows('SELECT external_id FROM withdrawal WHERE id = $1', id);
    return String(row?.['external_id']);
  };
  const faultsOf = async (page: Page) => {
    const faults = await faultsInBothThemes(page);
    for (const width of NARROW) {
      await page.setViewportSize({ width, height: 900 });
      if ((await overflow(page)) > 0) faults.push(`wider than ${width} pixels`);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
    return faults;
  };

  it('one of the desk answers in Portuguese, a colleague sees it in English, and staff read it on the case', async () => {
    const [id, long] = [await world.withdrawal(['FIRST_WITHDRAWAL'], '123400'), await world.withdrawal()];
    const staff = await enter('rita', 'en', '/queue');
    await askOnCase(staff, id, 'is the account verified?');
    await askOnCase(staff, long, LONG);
    const reference = await externalIdOf(id);

    const page = await enter('dora', 'pt-BR', '/questions');
    await page.getByRole('heading', { level: 1, name: 'Perguntas' }).waitFor();
    const menu = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    assert.deepEqual(
      menu.map((name) => name.replace(/\s+\d+$/, '')),
      ['Perguntas'],
    );
    const question = page.getByRole('listitem').filter({ hasText: reference });
    await question.getByRole('heading', { name: /Saque de R\$\s?1\.234,00/ }).waitFor();
    await question.getByText('is the account verified?').waitFor();
    const seen = await page.getByRole('main').innerText();
    for (const secret of ['rita', 'FIRST_WITHDRAWAL', 'player-1', PERSONAL.name]) assert.ok(!seen.includes(secret));
    assert.deepEqual(await faultsOf(page), []);

    await page.getByRole('button', { name: `Responder… ${reference}` }).click();
    await opened(dialog(page));
    await dialog(page).getByText('is the account verified?').waitFor();
    assert.deepEqual(await faultsInBothThemes(page), []);
    await dialog(page).getByLabel('Sua resposta').fill('sim, desde 3 de novembro');
    await dialog(page).getByRole('button', { name: 'Enviar a resposta' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('status').filter({ hasText: 'Resposta enviada.' }).waitFor();
    await page.getByRole('button', { name: `Responder… ${reference}` }).waitFor({ state: 'detached' });
    await page.getByText('sim, desde 3 de novembro').waitFor();
    await page.getByText('você', { exact: true }).waitFor();
    assert.deepEqual(await faultsOf(page), []);

    const colleague = await enter('caio', 'en', '/questions');
    await colleague.getByText('sim, desde 3 de novembro').waitFor();
    await colleague.getByText('somebody of your operation').waitFor();
    assert.equal(await colleague.getByText('dora').count(), 0);
    assert.deepEqual(await faultsOf(colleague), []);

    await show(staff, `/cases/${id}`);
    const note = staff.getByRole('listitem').filter({ hasText: 'dora answered for the operator' });
    await note.getByTitle('A text from outside, not the gateway’s').getByText('sim, desde 3 de novembro').waitFor();
    assert.equal(await staff.getByText('Waits for the operator').count(), 0);
    assert.deepEqual(await faultsInBothThemes(staff), []);
  });

  it('one who integrates makes another webhook secret, and sees it once', async () => {
    const page = await enter('ines', 'pt-BR', '/access');
    const button = page.getByRole('button', { name: 'Criar outro segredo de webhook' });
    await button.waitFor();
    // What only staff may do is not shown, not even disabled.
    for (const act of [/Suspender/, /Parar/]) assert.equal(await page.getByRole('button', { name: act }).count(), 0);
    await button.click();
    await opened(dialog(page));
    assert.deepEqual(await faultsInBothThemes(page), []);
    await dialog(page).getByRole('button', { name: 'Criar outro segredo de webhook' }).click();
    const secret = await dialog(page)
      .getByText(/^whsec_\w+$/)
      .innerText();
    await dialog(page).getByText('O anterior assina até').waitFor();
    assert.deepEqual(await faultsInBothThemes(page), []);
    await dialog(page).getByRole('button', { name: 'Já guardei' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    assert.equal(await page.getByText(secret).count(), 0);
    await button.click();
    await opened(dialog(page));
    await dialog(page).getByRole('button', { name: 'Criar outro segredo de webhook' }).click();
    await dialog(page).getByRole('alert').getByText('Já há dois segredos de webhook valendo').waitFor();
    await dialog(page).getByLabel('O anterior vazou').check();
    await dialog(page).getByRole('button', { name: 'Criar outro segredo de webhook' }).click();
    await dialog(page)
      .getByText(/^whsec_\w+$/)
      .waitFor();
    assert.equal(await dialog(page).getByText('O anterior assina até').count(), 0);
  });
});
