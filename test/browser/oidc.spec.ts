// Signing in at an OpenID provider in real Chromium: from the panel's page to another site and back, with the panel's
// own cookies and content security policy.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { loadPage } from '../../panel/files.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.js';
import { createTestGateway, type TestGateway } from '../integration/cli/support.js';
import { createPanelWorld, PANEL_URL, type PanelWorld } from '../integration/panel/world.js';
import { accessibilityFaults, startBrowser, type TestBrowser, type Visitor } from './chromium.js';

describe('the panel’s page: the company’s account', function () {
  this.timeout(90_000);
  let provider: TestProvider;
  let gateway: TestGateway;
  let panel: PanelWorld;
  let browser: TestBrowser;

  before(async () => {
    // By its address: another site than the panel's, which is called localhost.
    provider = await startIdentityProvider(PANEL_URL);
    gateway = await createTestGateway({ PANEL_OIDC_ISSUER: provider.issuer });
    const files = loadPage(join(projectRoot(), 'dist', 'panel', 'web'));
    const identityProvider = provider.settings();
    panel = await createPanelWorld({ gateway, environment: 'production', identityProvider, files });
    await panel.member('rita', ['reviewer', 'admin']);
    await gateway.json('staff', 'oidc', 'set', 'rita', 'account-rita', '--as', 'rita');
    browser = await startBrowser(panel);
  });
  after(async () => {
    await browser.close();
    await panel.close();
    await gateway.close();
    await provider.close();
  });

  const signIn = async ({ page }: Visitor) => {
    await page.goto(`${PANEL_URL}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  };
  /** But going to the provider, which the person asked for. */
  const faultsOf = async ({ faults }: Visitor) =>
    (await faults()).filter((fault) => !fault.startsWith(`asked ${provider.issuer}/`));

  it('there and back: the first page works, nothing of it stays in the address, and passkeys are not its to make', async () => {
    const visitor = await browser.visitor({ language: 'en' });
    const { page, context } = visitor;
    provider.account = 'account-rita';
    await signIn(visitor);
    await page.waitForURL(`${PANEL_URL}/queue`);
    await page.getByRole('heading', { name: 'Review queue' }).waitFor();
    const cookies = await context.cookies(PANEL_URL);
    assert.deepEqual(
      cookies.map(({ name, sameSite, httpOnly, secure }) => [name, sameSite, httpOnly, secure]),
      [['__Host-panel', 'Strict', true, true]],
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Review queue' }).waitFor();
    await page.goto(`${PANEL_URL}/staff`);
    await page.getByTitle('account-rita').waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.goto(`${PANEL_URL}/passkeys`);
    await page.getByText('which changes no passkeys').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create passkey' }).count(), 0);
    assert.deepEqual(await faultsOf(visitor), []);
  });

  it('an unknown account sees what the provider calls it', async () => {
    const visitor = await browser.visitor({ language: 'en' });
    const { page } = visitor;
    provider.account = 'account-of-eve';
    await signIn(visitor);
    assert.equal(await page.getByText('npm run').count(), 0, 'no hints of the sandbox');
    await page.getByText('The provider calls this account “account-of-eve”.').waitFor();
    assert.equal(page.url(), `${PANEL_URL}/sign-in`);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(await faultsOf(visitor), []);
  });

  it('an answer that another site sends a browser here with signs nobody in', async () => {
    const visitor = await browser.visitor({ language: 'en' });
    const { page, context } = visitor;
    provider.account = 'account-rita';
    const asked = await panel.send('/oidc/address', { method: 'POST' });
    const answer = await provider.answerTo(String(asked.body['address']));
    await page.goto(`${PANEL_URL}/sign-in?${answer}`);
    await page.getByText('did not confirm this sign-in').waitFor();
    assert.equal(page.url(), `${PANEL_URL}/sign-in`);
    assert.deepEqual(await context.cookies(PANEL_URL), []);
    assert.deepEqual(await faultsOf(visitor), []);
  });
});
