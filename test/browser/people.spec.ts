// The pages on which people look after who signs: a new passkey and its confirmation by a second person, a first
// passkey that waits, one's sessions, requests about people, and alerts of abuse. Real Chromium, in production.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { loadPage } from '../../panel/files.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { createTestGateway, type TestGateway } from '../integration/cli/support.js';
import { createPanelWorld, PANEL_URL, type PanelWorld } from '../integration/panel/world.js';
import { faultsInBothThemes, overflow, show, startBrowser, type TestBrowser, type Visitor } from './chromium.js';
import { dialog } from './dialogs.js';
import { readTexts, type Say } from './texts.js';

const ELSEWHERE = 'ses_00000000-0000-4000-8000-000000000000';

/** An authenticator in a visitor's browser. */
interface Device {
  readonly cdp: CDPSession;
  readonly id: string;
}

describe('the panel’s page: who signs, in production', function () {
  this.timeout(120_000);
  let gateway: TestGateway;
  let panel: PanelWorld;
  let browser: TestBrowser;
  let say: Say;
  let rita: Awaited<ReturnType<typeof visitorWithDevice>>;
  let paulo: typeof rita;

  before(async () => {
    [gateway, say] = await Promise.all([createTestGateway(), readTexts()]);
    const files = loadPage(join(projectRoot(), 'dist', 'panel', 'web'));
    panel = await createPanelWorld({ gateway, environment: 'production', files });
    browser = await startBrowser(panel);
    await panel.member('rita', ['reviewer', 'admin']);
    await panel.member('paulo', ['approver', 'admin']);
    await panel.member('noa', ['support']);
    [rita, paulo] = [await enrolled('rita'), await enrolled('paulo')];
    // They are here since long ago, and what is new waits from now on.
    await gateway.rows(`UPDATE staff SET created_at = now() - interval '1 year'`);
    await gateway.rows(`UPDATE staff_role SET granted_at = now() - interval '1 year'`);
    await gateway.rows(`UPDATE staff_policy SET environment = 'production', wait_hours = 24`);
  });
  after(async () => {
    await browser.close();
    await panel.close();
    await gateway.close();
  });

  /** The only authenticator in the visitor's browser: two at once race for who answers. */
  async function plugged(cdp: CDPSession) {
    const options = { protocol: 'ctap2', transport: 'usb', hasResidentKey: true } as const;
    const person = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, ...person },
    });
    return authenticatorId;
  }
  /** Takes the device out for a spare one; the answer puts it back, with its passkeys. */
  async function exchanged({ cdp, id }: Device) {
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
    await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: id });
    const spare = await plugged(cdp);
    return async () => {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: spare });
      const authenticatorId = await plugged(cdp);
      for (const credential of credentials) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
    };
  }
  const visitorWithDevice = async () => {
    const visitor = await browser.visitor({ language: 'en' });
    const cdp = await visitor.context.newCDPSession(visitor.page);
    await cdp.send('WebAuthn.enable');
    return { ...visitor, device: { cdp, id: await plugged(cdp) } };
  };
  const makePasskey = async ({ page }: Visitor, name: string) => {
    await page.getByLabel(say('shellTexts.passkeys.name')).fill(name);
    await page.getByRole('button', { name: say('shellTexts.passkeys.add') }).click();
  };
  /** Opens the page of a code and makes the person's first passkey with it. */
  const enrols = async (code: string) => {
    const visitor = await visitorWithDevice();
    await visitor.page.goto(`${PANEL_URL}/sign-in#${code}`);
    await makePasskey(visitor, 'laptop');
    return visitor;
  };
  const enrolled = async (handle: string) => {
    const visitor = await enrols(await panel.link(handle));
    await visitor.page.waitForURL(`${PANEL_URL}/queue`);
    return visitor;
  };
  const card = (page: Page, shown: string) => page.getByRole('listitem').filter({ hasText: shown });
  const judged = async (visitor: Visitor) => {
    assert.deepEqual([...(await faultsInBothThemes(visitor.page)), ...(await visitor.faults())], []);
    for (const width of [1_366, 390]) {
      await visitor.page.setViewportSize({ width, height: 900 });
      assert.equal(await overflow(visitor.page), 0, `wider than ${width} pixels`);
    }
    await visitor.page.setViewportSize({ width: 1_280, height: 900 });
  };

  it('a new passkey says from when it signs; another person confirms the fingerprint that both see', async () => {
    const { page, device } = rita;
    await show(page, '/passkeys');
    // The spare one makes the passkey, and then the first one signs for it.
    const putBack = await exchanged(device);
    await page.route('**/passkeys/signing-options', async (route) => {
      await putBack();
      await route.continue();
    });
    await makePasskey(rita, 'phone');
    const row = page.getByRole('row').filter({ hasText: 'phone' });
    await row.getByText(say('shellTexts.passkeys.signsSooner')).waitFor();
    await row.getByText(say('shellTexts.passkeys.fingerprint'), { exact: true }).click();
    const fingerprint = await row.locator('code').innerText();
    assert.match(fingerprint, /^([0-9a-f]{4} ){15}[0-9a-f]{4}$/);
    await judged(rita);

    await show(paulo.page, '/approvals');
    const request = card(paulo.page, fingerprint);
    await request.getByText(say('approvalTexts.kinds.passkey')).waitFor();
    await judged(paulo);
    await request.getByRole('button', { name: say('approvalTexts.approve') }).click();
    await dialog(paulo.page).getByRole('textbox').fill('we compared it');
    await paulo.page.keyboard.press('Control+Enter');
    await dialog(paulo.page).waitFor({ state: 'detached' });
    await show(page, '/passkeys');
    await row.getByText(say('shellTexts.passkeys.signsNow'), { exact: true }).waitFor();
  });

  it('one’s sessions are listed, and one that nobody knows is ended; this one is not', async () => {
    await gateway.rows(
      `INSERT INTO staff_session (id, token_hash, staff_handle, means)
       VALUES ($1, sha256('elsewhere'), 'rita', 'passkey')`,
      ELSEWHERE,
    );
    const { page } = rita;
    await show(page, '/passkeys');
    const end = (number: number) => page.getByRole('button', { name: say('shellTexts.sessions.endOf', number) });
    await end(2).waitFor();
    const [first, second] = [await end(1).getAttribute('aria-disabled'), await end(2).getAttribute('aria-disabled')];
    assert.deepEqual([first, second].sort(), ['false', 'true']);
    await end(first === 'false' ? 1 : 2).click();
    await end(2).waitFor({ state: 'detached' });
    const rows = await gateway.rows(`SELECT id FROM staff_session WHERE revoked_at IS NOT NULL`);
    assert.deepEqual(rows, [{ id: ELSEWHERE }]);
  });

  it('a first passkey waits for a second person: the page shows what they compare; nobody is in', async () => {
    const code = `code_${'x'.repeat(43)}`;
    await gateway.rows(`SET session_replication_role = 'replica'`);
    await gateway.rows(
      `INSERT INTO staff_sign_in_link (token_hash, staff_handle, created_by, purpose, expires_at)
       VALUES (sha256(convert_to($1, 'UTF8')), 'noa', 'rita', 'enrolment', now() + interval '15 minutes')`,
      code,
    );
    await gateway.rows(`SET session_replication_role = 'origin'`);
    const noa = await enrols(code);
    const { page } = noa;
    await page.getByText(say('shellTexts.passkeys.waitsForAnother')).waitFor();
    assert.match(await page.locator('code').innerText(), /^([0-9a-f]{4} ){15}[0-9a-f]{4}$/);
    await judged(noa);
    await page.goto(`${PANEL_URL}/sign-in`);
    await page.getByRole('button', { name: say('shellTexts.signIn.byPasskey') }).click();
    await page.getByText(say('errorTexts.passkey_unconfirmed')).waitFor();
    assert.deepEqual(await noa.context.cookies(), []);
  });
});
