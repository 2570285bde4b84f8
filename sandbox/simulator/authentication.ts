// Who calls a simulated bank of API Pix, and what they may do: tokens by client credentials, each with its scopes.
import type { TLSSocket } from 'node:tls';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { cutConnection, readText, SimulatorError, validate } from './answers.js';
import type { PixApiPsp as Psp } from './simulated-dialect.js';
import { basicCredentials, isClient, issueToken, scopesOfToken, TOKEN_LIFETIME_SECONDS } from './tokens.js';

const tokenForm = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  scope: z.string().optional(),
});

/** A bank with a certificate demands one of its clients, and closes every other connection. */
export function certified({ certificate }: Psp): Middleware {
  return (ctx, next) => (showsCertificate(certificate, ctx) ? next() : cutConnection(ctx));
}

const showsCertificate = (own: Psp['certificate'], ctx: Context) =>
  own === null || (ctx.req.socket as TLSSocket).authorized;

/** Takes calls with a live token that has the scope, and with what else this bank wants of every call. */
export function authenticated(psp: Psp, scope: string): Middleware {
  const { account, books, certificate, dialect } = psp;
  const { everyCall, token } = dialect;
  return (ctx, next) => {
    if (!showsCertificate(certificate, ctx)) return cutConnection(ctx);
    if (everyCall?.header !== undefined && ctx.get(everyCall.header) !== account.clientId)
      throw new SimulatorError('unauthorized', `${everyCall.header}: must be the client's id`);
    if (everyCall?.parameter !== undefined && !ctx.query[everyCall.parameter])
      throw new SimulatorError('unauthorized', `${everyCall.parameter}: must name the application`);
    const scopes = scopesOfToken(account, ctx.get('authorization'), Date.now());
    if (scopes === null)
      throw new SimulatorError('unauthorized', 'authorization: must be a live bearer token of this provider');
    const isGiven = scopes.includes(scope) && (books.scopes === null || books.scopes.includes(scope));
    if (token.scopes !== undefined && !isGiven) throw new SimulatorError('forbidden', `the scope ${scope} is missing`);
    return next();
  };
}

/** `POST /oauth/token`. It grants those of the requested scopes that the client has. */
export async function giveToken({ account, dialect, books }: Psp, ctx: Context): Promise<void> {
  const text = await readText(ctx, 'invalid');
  const fields = validate(
    tokenForm,
    ctx.is('json') ? safeJson(text) : Object.fromEntries(new URLSearchParams(text)),
    'invalid',
  );
  const inBody =
    fields.client_id !== undefined && fields.client_secret !== undefined
      ? { clientId: fields.client_id, clientSecret: fields.client_secret }
      : null;
  const given = {
    basic: () => basicCredentials(ctx.get('authorization')),
    body: () => inBody,
    certificate: () => ({ clientId: fields.client_id ?? '', clientSecret: account.clientSecret }),
  }[dialect.token.credentials]();
  if (given === null || !isClient(account, given))
    throw new SimulatorError('unauthorized', 'client credentials: not those of a client');
  const possible = books.scopes ?? dialect.token.scopes?.split(' ') ?? [];
  const asked = fields.scope?.split(' ') ?? possible;
  const granted = asked.filter((scope) => possible.includes(scope));
  ctx.set('cache-control', 'no-store');
  ctx.body = {
    access_token: issueToken(account, granted, Date.now()),
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    ...(dialect.token.scopes === undefined ? {} : { scope: granted.join(' ') }),
  };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
