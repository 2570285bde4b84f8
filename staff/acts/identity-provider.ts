// The company's identity provider (OpenID Connect): the request to sign a person in, and the person its answer names.
// Code flow with PKCE, state and nonce; openid-client verifies what comes back. Every call is bounded in time and size.
import type { ClientAuth, Configuration } from 'openid-client';

export interface IdentityProviderSettings {
  /** As its metadata spells it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim of the ID token that names the person uniquely. */
  readonly subjectClaim: string;
  /** The maximum age of the person's sign-in there; `null` if the provider decides. */
  readonly maxAgeSeconds: number | null;
  /** Where browsers come back to. */
  readonly redirectUri: string;
  /** The time limit of each call, for tests. */
  readonly timeoutSeconds?: number;
}

/** The values that bind the provider's answer to the browser that started the sign-in. */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  /** PKCE. */
  readonly verifier: string;
}

/** `reason`: for the log. It never holds what the provider or a browser wrote. */
export type TokenResult =
  | { readonly kind: 'recognised'; readonly subject: string }
  | { readonly kind: 'refused'; readonly reason: string }
  /** The provider does not answer, or does not match the settings. */
  | { readonly kind: 'away'; readonly reason: string };

type Library = typeof import('openid-client');

interface Connection {
  readonly library: Library;
  readonly configuration: Configuration;
  readonly since: number;
}

const TIMEOUT_SECONDS = 5;
const ANSWER_LIMIT_BYTES = 256 * 1024;
/** How long its metadata is kept. The library refreshes the keys itself. */
const METADATA_LASTS_MS = 3_600_000;
const LONGEST_SUBJECT = 255;

/** No answer came, or none that is worth reading. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export class IdentityProvider {
  readonly #settings: IdentityProviderSettings;
  #connecting: Promise<Connection> | null = null;

  constructor(settings: IdentityProviderSettings) {
    this.#settings = settings;
  }

  get issuer(): string {
    return this.#settings.issuer;
  }

  /** Where the browser goes to sign in. Null: the provider does not answer; `note` gets the reason for the log. */
  async addressFor({ state, nonce, verifier }: Binding, note: (reason: string) => void): Promise<string | null> {
    const connection = await this.#connect().catch((error: unknown) => note(reasonOf(error)));
    if (connection === undefined) return null;
    const { library, configuration } = connection;
    const { subjectClaim, maxAgeSeconds, redirectUri } = this.#settings;
    return library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: subjectClaim === 'sub' ? 'openid' : 'openid profile email',
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(maxAgeSeconds === null ? {} : { max_age: String(maxAgeSeconds) }),
    }).href;
  }

  /** @param answer what the provider put behind `?` of the address to which the browser came back */
  async recognise(answer: string, { state, nonce, verifier }: Binding): Promise<TokenResult> {
    const connection = await this.#connect().catch((error: unknown) => reasonOf(error));
    if (typeof connection === 'string') return { kind: 'away', reason: connection };
    const { library, configuration } = connection;
    const { redirectUri, maxAgeSeconds } = this.#settings;
    try {
      const tokens = await library.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        ...(maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }),
      });
      return this.#named({ ...tokens.claims() });
    } catch (error) {
      return { kind: isNoAnswer(error) ? 'away' : 'refused', reason: reasonOf(error) };
    }
  }

  #named(claims: Readonly<Record<string, unknown>>): TokenResult {
    const { subjectClaim } = this.#settings;
    const subject = claims[subjectClaim];
    if (typeof subject !== 'string' || !isSubject(subject)) return { kind: 'refused', reason: 'claim_missing' };
    // Where nobody verified it, the person there may have written anybody's.
    if (subjectClaim === 'email' && claims['email_verified'] !== true)
      return { kind: 'refused', reason: 'email_not_verified' };
    return { kind: 'recognised', subject };
  }

  /** One connection for all, made when it is first needed. One that failed is not kept. */
  #connect(): Promise<Connection> {
    this.#connecting ??= this.#discover();
    const connecting = this.#connecting;
    return connecting.then(
      (connection) => {
        const isOld = Date.now() - connection.since > METADATA_LASTS_MS;
        if (isOld && this.#connecting === connecting) this.#connecting = null;
        return connection;
      },
      (error: unknown) => {
        if (this.#connecting === connecting) this.#connecting = null;
        throw error;
      },
    );
  }

  async #discover(): Promise<Connection> {
    const library = await import('openid-client');
    const { issuer, clientId, clientSecret, timeoutSeconds = TIMEOUT_SECONDS } = this.#settings;
    const configuration = await library.discovery(
      new URL(issuer),
      clientId,
      undefined,
      authenticationOf(library, clientSecret),
      {
        [library.customFetch]: (url, options) => boundedFetch(url, options as RequestInit),
        timeout: timeoutSeconds,
        execute: [
          // The ID token's signature is checked, though it comes from the provider itself over TLS.
          library.enableNonRepudiationChecks,
          // Only a provider on this machine is allowed to be without TLS (platform/config/panel.ts).
          ...(issuer.startsWith('http:') ? [library.allowInsecureRequests] : []),
        ],
      },
    );
    return { library, configuration, since: Date.now() };
  }
}

/** Whether the text can be a provider's name for a person. */
export function isSubject(text: string): boolean {
  return text.length > 0 && text.length <= LONGEST_SUBJECT && !/\p{Cc}/u.test(text);
}

/** The standard's default, unless the provider accepts the secret in the body only. */
function authenticationOf(library: Library, secret: string): ClientAuth {
  const [basic, post] = [library.ClientSecretBasic(secret), library.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = taken.includes('client_secret_basic') ? basic : post;
    return authenticate(server, client, body, headers);
  };
}

/**
 * The whole answer, or NoAnswer if none came in time, it is too large, or the provider reports that it is unavailable.
 */
async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  try {
    const { status, headers, body } = await fetch(url, options);
    if (status >= 500 || status === 429) throw new NoAnswer(`status_${status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body ?? []) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > ANSWER_LIMIT_BYTES) throw new NoAnswer('too_large');
      chunks.push(chunk as Uint8Array);
    }
    return new Response(Buffer.concat(chunks), { status, headers });
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer('no_connection', { cause: error });
  }
}

/** The library wraps what its calls throw. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

function isNoAnswer(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof NoAnswer);
}

/** A code of ours or of the standard. Text from a provider or a browser is not repeated. */
function reasonOf(error: unknown): string {
  const causes = causesOf(error);
  const none = causes.find((cause) => cause instanceof NoAnswer);
  if (none !== undefined) return none.message;
  const standard = causes.flatMap((cause) => ('error' in cause ? [cause.error] : []))[0];
  if (typeof standard === 'string' && STANDARD_ERRORS.has(standard)) return standard;
  const code = causes.flatMap((cause) => ('code' in cause ? [cause.code] : []))[0];
  // A provider reports over HTTP that the panel's secret is wrong.
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return 'invalid_client';
  return typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : 'unexpected';
}

/** Error codes of RFC 6749 and OpenID Connect Core: they distinguish a wrong secret from a person who cancelled. */
const STANDARD_ERRORS: ReadonlySet<string> = new Set([
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_response_type',
]);
