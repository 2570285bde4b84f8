// Accesses of a production operation, which take two people: asked for by the command and in the page, greyed for who
// asked, signed by another person's passkey, and seen in what the interface then accepts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createGatewayClient, ProblemError } from '../../client/index.js';
import { loadPage } from '../../panel/files.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { createDatabase, type Database } from '../../store/database.js';
import { type Pipeline, startPipeline } from '../integration/api-pipeline/harness.js';
import { createTestGateway, type TestGateway, testSealer } from '../integration/cli/support.js';
import { createPanelWorld, PANEL_URL, type PanelWorld } from '../integration/panel/world.js';
import { accessibilityFaults, startBrowser, type TestBrowser, type Visitor } from './chromium.js';
import { dialog } from './dialogs.js';
import { readTexts, type Say } from './texts.js';

const [OLDER, NEWER] = ['203.0.113.0/24', '127.0.0.1/32'];

describe('the panel’s page: two people, in production', function () {
  this.timeout(120_000);
  let gateway: TestGateway;
  let panel: PanelWorld;
  let browser: TestBrowser;
  let ofApi: Database;
  let api: Pipeline;
  let say: Say;
  let rita: Visitor;
  let paulo: Visitor;
  let operationId: string;

  before(async () => {
    [gateway, say] = await Promise.all([createTestGateway(), readTexts()]);
    // The command asks for the operation's first key in the name of a third person.
    await gateway.signedIn('ana');
    const create = 'operation create --name Live --environment production --provider a --as ana';
    operationId = (await gateway.json(...create.split(' ')))['operation_id'] as string;
    const files = loadPage(join(projectRoot(), 'dist', 'panel', 'web'));
    panel = await createPanelWorld({ gateway, environment: 'production', files });
    const pool = { poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
    ofApi = createDatabase({ url: gateway.urlOfRole('gateway_api'), ...pool });
    api = await startPipeline({ environment: 'production', database: ofApi, sealer: testSealer });
    browser = await startBrowser(panel);
    await panel.member('rita', ['risk_manager', 'admin']);
    await panel.member('paulo', ['risk_manager', 'admin', 'approver']);
    [rita, paulo] = [await enrolled('rita'), await enrolled('paulo')];
  });
  after(async () => {
    await browser.close();
    await panel.close();
    await api.close();
    await ofApi.$disconnect();
    await gateway.close();
  });

  /** Signed in as production asks for: a code makes the first passkey, on a device of the person's own. */
  const enrolled = async (handle: string): Promise<Visitor> => {
    const visitor = await browser.visitor({ language: 'en' });
    const { page, context } = visitor;
    const device = await context.newCDPSession(page);
    await device.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
    const person = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
    await device.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...person } });
    await page.goto(`${PANEL_URL}/sign-in#${await panel.link(handle)}`);
    await page.getByLabel(say('shellTexts.passkeys.name')).fill('laptop');
    await page.getByRole('button', { name: say('shellTexts.passkeys.add') }).click();
    await page.waitForURL(`${PANEL_URL}/queue`);
    return visitor;
  };
  const ask = async (networks: string) => {
    const { page } = rita;
    const button = say('accessTexts.acts.set_networks.button');
    await page.goto(`${PANEL_URL}/access?operation=${operationId}`);
    await page.getByRole('button', { name: button }).click();
    await dialog(page).getByRole('textbox').fill(networks);
    await dialog(page).getByRole('button', { name: button }).click();
    await dialog(page).waitFor({ state: 'detached' });
  };
  const card = (page: Page, shown: string) => page.getByRole('listitem').filter({ hasText: shown });
  /** Signs the approval of the request whose card shows this text. */
  const approve = async (shown: string) => {
    const { page } = paulo;
    await page.goto(`${PANEL_URL}/approvals`);
    await card(page, shown).locator('.button-good').click();
    await dialog(page).getByRole('textbox').fill('ticket 4711');
    await page.keyboard.press('Control+Enter');
  };
  const networks = async () =>
    (await gateway.rows('SELECT cidr::text AS cidr FROM allowed_network WHERE operation_id = $1', operationId)).map(
      ({ cidr }) => String(cidr),
    );
  const ping = (keyId: string, secret: string) =>
    createGatewayClient({ baseUrl: `${api.url}/v1`, keyId, secret }).ping();
  const refused = (code: string) => (error: unknown) => error instanceof ProblemError && error.code === code;

  it('one’s own requests are there, greyed with the reason; nothing has changed yet', async () => {
    await ask(OLDER);
    await ask(NEWER);
    const { page } = rita;
    await page.goto(`${PANEL_URL}/approvals`);
    for (const shown of [OLDER, NEWER]) {
      const button = card(page, shown).locator('.button-good');
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      await card(page, shown).getByText(say('approvalTexts.own'), { exact: true }).waitFor();
      await card(page, shown).getByText(say('commonTexts.whyNot.own_request')).waitFor();
      await button.click({ force: true });
    }
    assert.equal(await dialog(page).count(), 0);
    // What the command asked for in another person's name is not hers.
    const ofAna = card(page, say('approvalTexts.kinds.key'));
    await ofAna.getByText(say('approvalTexts.by', 'ana')).waitFor();
    assert.equal(await ofAna.getByText(say('approvalTexts.own'), { exact: true }).count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(await networks(), []);
  });

  it('networks are in force once another person signs; a request that a newer one overtook changes nothing', async () => {
    const { page } = paulo;
    await approve(NEWER);
    await dialog(page).waitFor({ state: 'detached' });
    assert.deepEqual(await networks(), [NEWER]);
    await approve(OLDER);
    await dialog(page).getByRole('alert').getByText(say('errorTexts.overtaken')).waitFor();
    assert.deepEqual(await networks(), [NEWER]);
    const [act] = await gateway.rows(
      `SELECT staff_handle, means FROM staff_act WHERE kind LIKE '%.approve' AND operation_id = $1`,
      operationId,
    );
    assert.deepEqual(act, { staff_handle: 'paulo', means: 'signature' });
  });

  it('a key that the command asked for and another person signs in the page signs a /ping', async () => {
    const { page } = paulo;
    await approve(say('approvalTexts.kinds.key'));
    await dialog(page)
      .locator('code', { hasText: /^key_live_/ })
      .waitFor();
    const [keyId = '', secret = ''] = await dialog(page).locator('code').allInnerTexts();
    assert.equal((await ping(keyId, secret)).status, 200);
    await assert.rejects(ping(keyId, Buffer.alloc(32).toString('base64url')), refused('invalid_signature'));
    await dialog(page).getByRole('button').last().click();
    await dialog(page).waitFor({ state: 'detached' });
    assert.ok(!(await page.content()).includes(secret));
    // From the networks that two people allowed, and from nowhere else.
    await gateway.rows('DELETE FROM allowed_network WHERE operation_id = $1', operationId);
    await assert.rejects(ping(keyId, secret), refused('ip_not_allowed'));
  });

  it('nothing was asked of another host, and nothing broke the page’s own policy', async () => {
    assert.deepEqual([...(await rita.faults()), ...(await paulo.faults())], []);
  });
});
