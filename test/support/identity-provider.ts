// A real OpenID provider on a loopback port, where whoever a test names signs in at once.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { IdentityProvider, type IdentityProviderSettings } from '../../staff/acts/identity-provider.js';

const CLIENT = { id: 'gateway-panel', secret: 'test-client-secret-of-the-panel' };

export interface TestProvider {
  readonly issuer: string;
  /** Who signs in there from now on: the subject. */
  account: string;
  /** What the panel is configured with. */
  settings(change?: Partial<IdentityProviderSettings>): IdentityProvider;
  /** What a browser that goes to the address comes back with, behind `?`. */
  answerTo(address: string): Promise<string>;
  close(): Promise<void>;
}

/** @param panelUrl where browsers come back to, at its page for signing in */
export async function startIdentityProvider(panelUrl: string): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${panelUrl}/sign-in`;
  const started: TestProvider = {
    issuer,
    account: 'nobody',
    settings: (change = {}) =>
      new IdentityProvider({
        issuer: `${issuer}/`,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        subjectClaim: 'sub',
        maxAgeSeconds: null,
        redirectUri,
        ...change,
      }),
    answerTo: (address) => answerTo(address, redirectUri),
    close: () => close(server),
  };
  const provider = await providerAt(issuer, redirectUri);
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    await provider.interactionFinished(context.req, context.res, { login: { accountId: started.account } });
    context.respond = false;
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return started;
}

async function providerAt(issuer: string, redirectUri: string): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['test-cookie-key'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, oid: `oid-${id}`, roles: ['admin'] }) }),
    // Nobody is asked whether the panel may know them.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: CLIENT.id, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    claims: { openid: ['sub', 'roles'], profile: ['oid'], email: ['email'] },
    conformIdTokenClaims: false,
  });
  return provider;
}

/** As a browser without a session there: follows, with cookies, until it is sent back. */
async function answerTo(address: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = address;
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { status, headers } = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const set of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = headers.get('location');
    if (location === null) throw new Error(`the provider answers ${status} and sends the browser nowhere`);
    next = new URL(location, next).href;
    if (next.startsWith(`${redirectUri}?`)) return next.slice(redirectUri.length + 1);
  }
  throw new Error('the provider sends the browser in a circle');
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
