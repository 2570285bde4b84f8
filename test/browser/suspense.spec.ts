// Money in suspense on the page of money: each way out with its reason, and a list that shows what is under way.
import assert from 'node:assert/strict';
import { newEndToEndId } from '../../domain/pix.js';
import { insertLate, insertLateAlert } from '../integration/cli/payments.js';
import { faultsInBothThemes, show, type Visitor } from './chromium.js';
import { dialog, opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

describe('the panel’s page: money in suspense', function () {
  this.timeout(120_000);
  let world: BrowserWorld;
  let rita: Visitor;
  const payments = { under_way: '', returned: '', credited: '', funding: '' };

  before(async () => {
    world = await createBrowserWorld();
    for (const name of Object.keys(payments) as (keyof typeof payments)[]) {
      payments[name] = newEndToEndId('12345678', new Date());
      await insertLate(world.gateway, world.operationId, { payment: payments[name], amount: '900' });
    }
    rita = await world.browser.signedIn('rita', { language: 'pt-BR' });
    await show(rita.page, `/money?operation=${world.operationId}`);
  });
  after(async () => {
    await rita.context.close();
    await world.close();
  });

  const act = async (name: string, button: string) => {
    const { page } = rita;
    await page.getByRole('button', { name }).click();
    await opened(dialog(page));
    const send = dialog(page).getByRole('button', { name: button, exact: true });
    assert.equal(await send.getAttribute('aria-disabled'), 'true', 'it needs a reason');
    await dialog(page).getByLabel('Motivo').fill('o operador confirmou');
    await send.click();
    await dialog(page).waitFor({ state: 'detached' });
  };
  /** Of the list of suspense: cash movements name the payment, too. */
  const row = (payment: string) =>
    rita.page
      .getByRole('row')
      .filter({ hasText: payment })
      .filter({ has: rita.page.getByRole('button', { name: 'Devolver o pagamento' }) });

  it('a return that is under way is said, and no more once it is over, without a reload', async () => {
    const { page } = rita;
    const payment = payments.under_way;
    const ask = JSON.stringify({ of: payment });
    const set = 'UPDATE deposit SET return_request = $2::jsonb WHERE end_to_end_id = $1';
    await world.gateway.rows(set, payment, ask);
    await show(page, `/money?operation=${world.operationId}`);
    await row(payment).getByText('A devolução está em andamento.').waitFor();
    const button = row(payment).getByRole('button', { name: `Devolver o pagamento ${payment}` });
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    assert.equal(await row(payment).getByRole('button').count(), 1);
    assert.deepEqual(await faultsInBothThemes(page), []);
    await world.gateway.rows('UPDATE deposit SET return_request = NULL WHERE end_to_end_id = $1', payment);
    await row(payment).getByText('A devolução está em andamento.').waitFor({ state: 'detached' });
  });

  it('somebody takes a payment, and gives it back', async () => {
    const { page } = rita;
    const payment = payments.returned;
    const [deposit] = await world.gateway.rows('SELECT id FROM deposit WHERE end_to_end_id = $1', payment);
    await insertLateAlert(world.gateway, world.operationId, { deposit: String(deposit?.['id']), payment });
    await show(page, `/money?operation=${world.operationId}`);
    await row(payment).getByRole('button', { name: 'Assumir' }).click();
    await row(payment).getByRole('button', { name: 'Soltar' }).waitFor();
    await row(payment).getByText('rita', { exact: true }).waitFor();
    assert.deepEqual(await faultsInBothThemes(page), []);
    await row(payment).getByRole('button', { name: 'Soltar' }).click();
    await row(payment).getByRole('button', { name: 'Assumir' }).waitFor();
  });

  it('a row goes with its return, without a reload', async () => {
    await act(`Devolver o pagamento ${payments.returned}`, 'Devolver');
    // The provider does it, and a look-up sees it: longer where everything runs at once.
    await row(payments.returned).waitFor({ state: 'detached', timeout: 90_000 });
    const audited = await world.gateway.rows(`SELECT person FROM audit_entry WHERE action = 'suspense.return'`);
    assert.deepEqual(audited, [{ person: 'rita' }]);
  });

  it('a payment is credited, another becomes funding, and both rows go', async () => {
    const { page } = rita;
    await page.getByRole('button', { name: `Creditar o pagamento ${payments.credited}` }).click();
    await opened(dialog(page));
    await dialog(page).getByLabel('Motivo').fill('o operador confirmou');
    await dialog(page).getByLabel('Valor').fill('9,01');
    await dialog(page).getByText('Informe um valor de até R$ 9,00.').waitFor();
    await dialog(page).getByLabel('Valor').fill('4,00');
    await dialog(page).getByText('R$ 4,00 vão para o caixa').waitFor();
    await dialog(page).getByRole('button', { name: 'Creditar', exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await row(payments.credited).getByText('R$ 5,00').waitFor();
    await act(`Creditar o pagamento ${payments.credited}`, 'Creditar');
    await row(payments.credited).waitFor({ state: 'detached' });
    await act(`Usar como aporte o pagamento ${payments.funding}`, 'Usar como aporte');
    await row(payments.funding).waitFor({ state: 'detached' });
    const moved = await world.gateway.rows('SELECT kind FROM cash_movement ORDER BY created_at');
    assert.deepEqual(
      moved.map(({ kind }) => kind),
      ['suspense_credited', 'suspense_credited', 'suspense_assigned'],
    );
  });
});
