// Trying thresholds on the page of rules: those of the engine too, and who would need a second person.
import assert from 'node:assert/strict';
import { faultsInBothThemes, show, type Visitor } from './chromium.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

describe('the panel’s page: trials of thresholds', function () {
  this.timeout(120_000);
  let world: BrowserWorld;
  let visitor: Visitor;

  before(async () => {
    world = await createBrowserWorld();
    await world.panel.person('marta', ['risk_manager']);
    visitor = await world.browser.signedIn('marta', { language: 'pt-BR' });
  });
  after(async () => {
    await visitor.context.close();
    await world.close();
  });

  it('tries velocity and caps, names what cannot be held, and proposes them', async () => {
    const { page } = visitor;
    await show(page, `/rules?operation=${world.operationId}`);
    assert.equal(await page.getByLabel('Saques seguidos · janela (min)').count(), 0, 'quiet until opened');
    await page.getByText('Mais limiares: saques seguidos').click();
    await page.getByText('Só não se tenta aqui qual jogador').waitFor();
    await page.getByLabel('Saques seguidos · revisão acima de (vezes)').fill('2');
    const attempt = page.getByRole('button', { name: 'Tentar nos últimos 30 dias' });
    await attempt.click();
    await page.getByText('velocity.window_minutes').waitFor();
    await page.getByLabel('Saques seguidos · janela (min)').fill('10');
    await page.getByLabel('Teto automático da operação · por hora').fill('1.000,00');
    const asked = page.waitForRequest((request) => request.url().endsWith('/rules/trials'));
    await attempt.click();
    assert.deepEqual((await asked).postDataJSON(), {
      changes: {},
      engine_changes: {
        'velocity.windowMinutes': 10,
        'velocity.reviewAbove': 2,
        'operationAutoCap.perHourMinor': '100000',
      },
    });
    await page.getByText('Nenhum pagamento teria ido por outro caminho.').waitFor();
    assert.deepEqual(await faultsInBothThemes(page), []);
    await page.getByLabel('Por quê').last().fill('robôs');
    await page.getByRole('button', { name: 'Propor a mudança' }).click();
    await page.waitForURL('**/rule-changes/*');
    await page.getByText('engine.currencies.BRL.velocity.window_minutes').waitFor();
    // A colleague's words, not an operator's; and who must approve.
    await page.getByText('“robôs”').waitFor();
    assert.equal(await page.locator('.theirs').count(), 0);
    await page.getByText('marta propôs, e pode ser uma das duas pessoas que aprovam.').waitFor();
  });

  it('marks what an operator wrote', async () => {
    const { page } = visitor;
    await show(page, `/rule-changes/${await world.ruleChange()}`);
    await page.locator('.theirs', { hasText: 'more players' }).waitFor();
    await page.getByText('O operador propôs. Duas pessoas da equipe precisam aprovar.').waitFor();
  });

  it('says who would need a second person, and what could not be tried', async () => {
    const { page } = visitor;
    const moved = (payments: number) => ({ payments, amount: { amount: '450000', currency: 'BRL' } });
    const none = moved(0);
    await page.route('**/rules/trials', (route) =>
      route.fulfill({
        json: {
          base_version: 1,
          from: '2026-10-22T15:00:00.000Z',
          through: '2026-11-21T15:00:00.000Z',
          is_cut_off: false,
          compared: 40,
          not_comparable: { facts_missing: 2, directory_not_asked: 0, facts_of_other_rules: 0 },
          freed: { ...none, approved: 0, refused: 0, undecided: 0 },
          held: none,
          newly_refused: moved(1),
          no_longer_refused: none,
          delayed: none,
          hastened: none,
          to_two_people: moved(3),
          from_two_people: none,
          refused_payments: [],
        },
      }),
    );
    await show(page, `/rules?operation=${world.operationId}`);
    await page.getByLabel('Duas pessoas acima de').fill('1.000,00');
    await page.getByRole('button', { name: 'Tentar nos últimos 30 dias' }).click();
    for (const text of [
      '3 saques precisariam de uma segunda pessoa (R$ 4.500,00).',
      '1 pagamento aceito seria recusado (R$ 4.500,00).',
      '2 sem comparação: uma versão anterior não guardou o que a regra compara',
      'Cada decisão é tomada de novo sozinha',
    ])
      await page.getByText(text).waitFor();
    assert.equal(await page.getByText('Nenhum pagamento teria ido').count(), 0);
  });
});
