// The case page as a reviewer reads it: what decides is on one screen of a laptop, and what the provider undid is said.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { placeOf } from '../../store/sealing/places.js';
import { insertPlayer, PERSONAL } from '../integration/cli/payments.js';
import { testSealer } from '../integration/cli/support.js';
import { show } from './chromium.js';
import { dialog, opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

const LAPTOP = { width: 1_366, height: 768 };
const PHONE = { width: 390, height: 844 };

describe('the panel’s page: a case', function () {
  this.timeout(120_000);
  let world: BrowserWorld;

  before(async () => {
    world = await createBrowserWorld();
    await insertPlayer(world.gateway, world.operationId);
  });
  after(() => world.close());

  it('on a laptop nobody scrolls for who, what the operator said, where to, why, the sums, earlier decisions and links', async () => {
    const id = await world.withdrawal(['FIRST_WITHDRAWAL', 'SHARED_DOCUMENT'], '740000');
    await tellContext(id);
    await shareWith('player-twin', 'pix_key');
    await decideEarlier();
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await page.setViewportSize(LAPTOP);
    await show(page, `/cases/${id}`);
    const shown: Readonly<Record<string, Locator>> = {
      'the player': page.getByText('player-1', { exact: true }),
      'the document': page.getByText(/982\.247/).first(),
      'the account at the operator': page.getByText('Account since'),
      kyc: page.getByText('full', { exact: true }),
      'the result of the game': page.getByText('Gaming result'),
      metadata: page.getByText('gold', { exact: true }),
      'the operator’s reason': page.getByText(/OP:pediu/),
      'the holder of the key': page.getByText('Holder of the key'),
      'the key': page.getByText('PIX key', { exact: true }),
      'why, in words': page.getByText('no withdrawal of the player was paid before'),
      'the sum of deposits': page.getByText('R$90,000.00'),
      'the sum of withdrawals': page.getByText('Settled withdrawals'),
      'an earlier decision': page.getByText('“looked like fraud”'),
      'the linked player': page.getByText('player-twin'),
      'what they share': page.getByText('same PIX key'),
      approve: page.getByRole('button', { name: 'Approve' }),
      refuse: page.getByRole('button', { name: 'Refuse' }),
    };
    const outside = [];
    for (const [name, element] of Object.entries(shown)) if (!(await isInWindow(page, element))) outside.push(name);
    await visitor.context.close();
    assert.deepEqual(outside, []);
  });

  it('a return that the provider refused is among the decisions, with who asked, why, and the provider’s code', async () => {
    const id = await world.deposit();
    await world.gateway.rows(
      `SELECT append_audit('x', now(), 'provider:simulator', 'deposit.return_refused', $1, $2,
         '{"code":"AC03","reason":"suspected fraud","requested_by":"rita","version":3}')::text`,
      ...[world.operationId, id],
    );
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    await show(visitor.page, `/cases/${id}`);
    const panel = visitor.page.getByRole('complementary', { name: 'Decision' });
    await panel.getByText('rita asked for the return, and the provider refused it').waitFor();
    await panel.getByText('“suspected fraud”').waitFor();
    await panel.getByText('AC03').waitFor();
    await panel.getByText('The receiving branch or account does not exist.').waitFor();
    assert.equal(await panel.getByText('Nobody has decided yet.').count(), 0);
    const why = visitor.page.locator('.grounds');
    await why.getByText('The return was not made').waitFor();
    await show(visitor.page, '/queue');
    const row = (text: string) => visitor.page.getByRole('row').filter({ hasText: text });
    await row('The return was not made').getByRole('link', { name: 'R$50.00' }).waitFor();
    await visitor.context.close();
  });

  it('who is on the block list is said among the reasons', async () => {
    const id = await world.withdrawal(['FIRST_WITHDRAWAL'], '4200');
    await world.gateway.json(
      ...['list', 'add', '--operation', world.operationId, '--list', 'block', '--kind', 'player'],
      ...['--reason', 'fraud ring', '--as', 'marta', 'player-1'],
    );
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    await show(visitor.page, `/cases/${id}`);
    await visitor.page.locator('.grounds').getByText('On the block list').waitFor();
    await visitor.page.locator('.grounds').getByText('the player,').waitFor();
    await show(visitor.page, '/queue');
    const row = visitor.page.getByRole('row').filter({ has: visitor.page.getByRole('link', { name: 'R$42.00' }) });
    await row.getByText('On the block list: the player').waitFor();
    await visitor.context.close();
  });

  it('however much an operator writes, it moves neither where the money goes nor the decision, and is marked', async () => {
    const id = await world.withdrawal(['FIRST_WITHDRAWAL'], '8800');
    const visitor = await world.browser.signedIn('paulo', { language: 'en' });
    const { page } = visitor;
    await page.setViewportSize(LAPTOP);
    const texts = Array.from({ length: 20 }, (_, index) => `${'a long text of the operator '.repeat(3)}${index}`);
    await page.addInitScript(`{
      const fetched = window.fetch;
      window.fetch = async (address, options) => {
        const response = await fetched(address, options);
        if (!/\\/cases\\/wdr_[0-9a-f]+$/.test(address) || !response.ok) return response;
        const body = await response.json();
        const texts = ${JSON.stringify(texts)};
        body.reasons.push(...texts.map((text) => ({ from: 'operator', text })));
        body.told.metadata = texts.map((value, index) => ({ name: index === 0 ? 'Holder of the key' : 'name ' + index, value }));
        return new Response(JSON.stringify(body), { status: 200, headers: response.headers });
      };
    }`);
    await show(page, `/cases/${id}`);
    await page.getByText(texts[19]!).first().waitFor();
    const heading = async (name: string) =>
      (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? 9_999;
    for (const name of ['Where the money goes', 'Money in and out', 'Decision'])
      assert.ok((await heading(name)) < 2 * LAPTOP.height, `${name} is at ${await heading(name)}`);
    const theirs = page.locator('q.theirs').filter({ hasText: 'Holder of the key' });
    assert.equal(await theirs.count(), 1, 'a name that the operator chose is marked');
    await visitor.context.close();
  });

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
    await world.panel.person('sofia', ['reviewer']);
    const visitor = await world.browser.signedIn('sofia', { language: 'en' });
    const { page } = visitor;
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
    assert.deepEqual(await visitor.faults(), []);
    await visitor.context.close();
  });

  it('on a phone the reasons come before the buttons', async () => {
    const id = await world.withdrawal();
    const visitor = await world.browser.signedIn('paulo', { language: 'en', width: PHONE.width });
    const { page } = visitor;
    await show(page, `/cases/${id}`);
    const [why, approve] = await Promise.all([
      page.getByRole('heading', { name: 'Why it waits' }).boundingBox(),
      page.getByRole('button', { name: 'Approve' }).boundingBox(),
    ]);
    assert.ok((why?.y ?? Infinity) < (approve?.y ?? 0), 'the reasons are above the buttons');
    await visitor.context.close();
  });

  /** The request as an operator sends it that says what it knows. */
  async function tellContext(id: string): Promise<void> {
    const request = {
      player: {
        external_ref: 'player-1',
        document: { type: 'CPF', number: PERSONAL.document, country: 'BR' },
        name: PERSONAL.name,
        email: PERSONAL.key,
        ip: '203.0.113.7',
        kyc_level: 'full',
      },
      amount: { amount: '740000', currency: 'BRL' },
      destination: { pix: { key_type: 'email', key: PERSONAL.key } },
      review_reasons: ['pediu pressa'],
      player_context: {
        total_deposited: '900000',
        total_withdrawn: { amount: '100000', currency: 'BRL' },
        account_created_at: '2025-01-05T00:00:00Z',
        net_gaming_result: '-150000',
      },
      metadata: { tier: 'gold' },
    };
    const place = placeOf('withdrawal.request_sealed', world.operationId, { id });
    const sealed = testSealer.sealBytes(place, Buffer.from(JSON.stringify(request)));
    await world.gateway.rows('UPDATE withdrawal SET request_sealed = $2 WHERE id = $1', id, sealed);
  }

  /** Another player who used something that this one did. */
  async function shareWith(other: string, kind: string): Promise<void> {
    await world.gateway.rows(
      `INSERT INTO player_trait (operation_id, player_ref, kind, value_hash, first_sequence)
       SELECT operation_id, $1, kind, value_hash, 1 FROM player_trait
       WHERE operation_id = $2 AND player_ref = 'player-1' AND kind = $3`,
      ...[other, world.operationId, kind],
    );
  }

  async function decideEarlier(): Promise<void> {
    const earlier = await world.deposit();
    const decided = [
      { person: 'rita', decision: 'approve', reason: 'looked like fraud', at: '2026-11-01T10:00:00.000Z' },
    ];
    await world.gateway.rows('UPDATE deposit SET decided_by = $2 WHERE id = $1', earlier, JSON.stringify(decided));
  }
});

/** Whether all of it is in the window, without scrolling. */
async function isInWindow(page: Page, element: Locator): Promise<boolean> {
  await element.first().waitFor({ timeout: 5_000 });
  const box = await element.first().boundingBox();
  const { width, height } = page.viewportSize() ?? LAPTOP;
  return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}
