// The lists on the page of rules: a risk manager puts a value onto one and takes it off; a reviewer sees why not.
import assert from 'node:assert/strict';
import { faultsInBothThemes, show, type Visitor } from './chromium.js';
import { dialog, opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

describe('the panel’s page: lists', function () {
  this.timeout(120_000);
  let world: BrowserWorld;
  const visitors: Visitor[] = [];

  before(async () => {
    world = await createBrowserWorld();
    await world.panel.person('rui', ['reviewer']);
    await world.panel.person('marta', ['risk_manager']);
  });
  after(async () => {
    for (const { context } of visitors) await context.close();
    await world.close();
  });

  const rulesOf = async (handle: string) => {
    const visitor = await world.browser.signedIn(handle, { language: 'pt-BR' });
    visitors.push(visitor);
    await show(visitor.page, `/rules?operation=${world.operationId}`);
    return visitor.page;
  };

  it('adds a value with a reason and an end, says so, and takes it off', async () => {
    const page = await rulesOf('marta');
    await page.getByRole('button', { name: 'Incluir…' }).click();
    await opened(dialog(page));
    assert.deepEqual(await faultsInBothThemes(page), []);
    await dialog(page).getByLabel('Valor').fill('player-4711-of-a-ring');
    await dialog(page).getByLabel('Dias').fill('30');
    await dialog(page).getByLabel('Por quê').fill('rede de fraude');
    await dialog(page).getByRole('button', { name: 'Incluir em uma lista' }).click();
    await page.getByRole('status').filter({ hasText: 'Incluído.' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'rede de fraude' }).getByText('marta').waitFor();

    await page.getByRole('button', { name: 'Tirar…' }).click();
    await opened(dialog(page));
    await dialog(page).getByLabel('Valor').fill('player-4711-of-a-ring');
    await dialog(page).getByRole('button', { name: 'Tirar de uma lista' }).click();
    await page.getByRole('status').filter({ hasText: 'Tirado da lista.' }).waitFor();
    await page.getByText('As listas estão vazias.').waitFor();
  });
});
