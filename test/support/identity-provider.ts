// A real OpenID provider on a loopback port, where any person that a test names signs in at once.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { IdentityProvider, type IdentityProviderSettings } from '../../staff/acts/identity-provider.js';

const CLIENT = { id: 'gateway-panel', secret: 'test-client-secret-of-the-panel' };

export interface Forgery {
  /** Changes of claims. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** With which key the changed token is signed; `none`: with the signature of the real one. */
  readonly key: 'its own' | 'another' | 'none';
}

export interface TestProvider {
  readonly issuer: string;
  /** Who signs in there from now on: the subject. */
  account: string;
  /** What it does to the ID tokens that it gives from now on; null: nothing. */
  forgery: Forgery | null;
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
    forgery: null,
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
  const keys = { 'its own': await newKey(), another: await newKey() };
  const provider = await providerAt(issuer, redirectUri, keys['its own']);
  provider.use(async (context, next) => {
    if (context.path === '/token' && started.forgery !== null) {
      await next();
      const tokens = context.body as { id_token?: string };
      if (tokens.id_token !== undefined) tokens.id_token = await forged(tokens.id_token, started.forgery, keys);
      return;
    }
    if (!context.path.startsWith('/interaction/')) return next();
    await provider.interactionFinished(context.req, context.res, { login: { accountId: started.account } });
    context.respond = false;
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return started;
}

const newKey = async () => (await generateKeyPair('RS256', { extractable: true })).privateKey;

async function forged(
  token: string,
  { claims = {}, key }: Forgery,
  keys: Readonly<Record<'its own' | 'another', CryptoKey>>,
): Promise<string> {
  const changed = { ...decodeJwt(token), ...claims };
  const [header = '', , signature = ''] = token.split('.');
  if (key === 'none') return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
  const { kid } = decodeProtectedHeader(token);
  return new SignJWT(changed)
    .setProtectedHeader({ alg: 'RS256', ...(kid === undefined ? {} : { kid }) })
    .sign(keys[key]);
}

async function providerAt(issuer: string, redirectUri: string, privateKey: CryptoKey): Promise<Provider> {
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
