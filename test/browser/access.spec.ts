// The page of accesses, in real Chromium: automatic withdrawals stopped at once, a key made and revoked, networks
// replaced, each by the keyboard alone where that is asked for.
import assert from 'node:assert/strict';
import { PANEL_URL } from '../integration/panel/world.js';
import { accessibilityFaults, type Visitor } from './chromium.js';
import { escape, opened } from './dialogs.js';
import { type BrowserWorld, createBrowserWorld } from './panel-world.js';

describe('the panel’s page: access', function () {
  this.timeout(90_000);
  let world: BrowserWorld;
  let rita: Visitor;

  before(async () => {
    world = await createBrowserWorld();
    rita = await world.browser.signedIn('rita', { language: 'en' });
  });
  after(() => world.close());

  const open = async (name: string) => {
    await rita.page.getByRole('button', { name }).first().click();
    const dialog = await opened(rita.page.getByRole('dialog'));
    assert.deepEqual(await accessibilityFaults(rita.page), []);
    return dialog;
  };
  const stoppedAt = async () =>
    (await world.gateway.rows('SELECT automatic_stopped_at FROM operation WHERE id = $1', world.operationId))[0]?.[
      'automatic_stopped_at'
    ];

  it('stops automatic withdrawals from the page of rules with two keys, and says so at once', async () => {
    const { page } = rita;
    await page.goto(`${PANEL_URL}/rules`);
    const dialog = await open('Stop automatic withdrawals');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Let withdrawals be automatic again' }).waitFor();
    assert.notEqual(await stoppedAt(), null);
    await page.goto(`${PANEL_URL}/access`);
    await page.getByText('Automatic withdrawals stopped').waitFor();
    await page.getByText('Webhook address').waitFor();
  });

  it('makes a key whose secret is shown once, and revokes it', async () => {
    const { page } = rita;
    await page.goto(`${PANEL_URL}/access`);
    const dialog = await open('Ask for a key');
    await dialog.getByLabel('propose rules').uncheck();
    await dialog.getByRole('button', { name: 'Ask for a key' }).click();
    const shown = page.getByRole('dialog', { name: 'The new key' });
    await shown.waitFor();
    const keyId = (await shown.locator('code').first().innerText()).trim();
    assert.match(keyId, /^key_test_/);
    await shown.getByRole('button').last().click();
    await shown.waitFor({ state: 'detached' });
    await escape(await open(`Revoke ${keyId}`));
    const revocation = await open(`Revoke ${keyId}`);
    const send = revocation.getByRole('button', { name: 'Revoke' });
    assert.match((await send.getAttribute('class')) ?? '', /button-bad/);
    await revocation.getByLabel('Reason').fill('it leaked');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: `Revoke ${keyId}` }).waitFor({ state: 'detached' });
    const [key] = await world.gateway.rows('SELECT revoked_at, scopes FROM api_key WHERE key_id = $1', keyId);
    assert.notEqual(key?.['revoked_at'], null);
    assert.deepEqual(key?.['scopes'], ['read', 'deposits:write', 'withdrawals:write']);
  });

  it('replaces the networks; one that is too wide is refused by name, and nothing typed is lost', async () => {
    const { page } = rita;
    await page.goto(`${PANEL_URL}/access`);
    const dialog = await open('Replace the networks');
    const send = dialog.getByRole('button', { name: 'Replace the networks' });
    assert.equal(await send.getAttribute('aria-disabled'), 'true');
    await dialog.getByLabel('Networks').fill('203.0.113.0/24\n10.0.0.0/8');
    await send.click();
    await dialog.getByText('10.0.0.0/8" is wider than /24').waitFor();
    assert.equal(await dialog.getByLabel('Networks').inputValue(), '203.0.113.0/24\n10.0.0.0/8');
    await dialog.getByLabel('Networks').fill('203.0.113.0/24');
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('203.0.113.0/24').waitFor();
    assert.deepEqual(await rita.faults(), []);
  });

  it('a person who only looks is offered no act, and sees why', async () => {
    const clara = await world.browser.signedIn('clara', { language: 'en' });
    await clara.page.goto(`${PANEL_URL}/access`);
    await clara.page.getByText('API keys').waitFor();
    for (const name of ['Let withdrawals be automatic again', 'Suspend the operation', 'Ask for a key', 'Revoke']) {
      const button = clara.page.getByRole('button', { name }).first();
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
      const why = clara.page.locator(`[id="${await button.getAttribute('aria-describedby')}"]`);
      assert.match(await why.innerText(), /Your role does not allow this/, name);
      await button.focus();
      await clara.page.keyboard.press('Enter');
      assert.equal(await clara.page.getByRole('dialog').count(), 0, name);
    }
    assert.deepEqual(await accessibilityFaults(clara.page), []);
  });

  it('a role in one operation offers nothing in another', async () => {
    const other = (await world.gateway.operation())['operation_id'] as string;
    const { operationId } = world;
    await world.panel.member('nora', ['auditor', { role: 'risk_manager', operationId }]);
    const { page } = await world.browser.signedIn('nora', { language: 'en' });
    for (const [operation, isDisabled] of [
      [operationId, 'false'],
      [other, 'true'],
    ]) {
      await page.goto(`${PANEL_URL}/access?operation=${operation}`);
      const button = page.getByRole('button', { name: 'Suspend the operation' });
      assert.equal(await button.getAttribute('aria-disabled'), isDisabled);
    }
  });

  it('the alert of a new passkey: its button is grey for as long as it would be refused, and says why', async () => {
    const insert = (id: string, handle: string, hours: number) =>
      world.gateway.rows(
        `INSERT INTO alert (id, kind, object_id, detail, created_at, gained_by)
         VALUES ($1, 'PASSKEY_ADDED', $1, $2, now() - make_interval(hours => $3), $4)`,
        ...[id, `${handle} has a new passkey`, hours, handle],
      );
    await insert('alr_own', 'rita', 13);
    await insert('alr_young', 'paulo', 1);
    await insert('alr_old', 'paulo', 13);
    const { page } = rita;
    for (const [id, why] of [
      ['alr_own', /^The alert is about you/],
      ['alr_young', /stays open for twelve hours/],
      ['alr_old', null],
    ] as const) {
      await page.goto(`${PANEL_URL}/alerts?id=${id}`);
      const button = page.getByRole('button', { name: 'Resolve' });
      assert.equal(await button.getAttribute('aria-disabled'), String(why !== null), id);
      if (why !== null)
        assert.match(await page.locator(`[id="${await button.getAttribute('aria-describedby')}"]`).innerText(), why);
    }
    const dialog = await open('Resolve');
    await dialog.getByLabel('Reason').fill('I asked');
    await page.keyboard.press('Control+Enter');
    await page.getByText('“I asked”').waitFor();
  });
});
