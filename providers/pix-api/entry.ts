// A dialect of API Pix as an entry of the table of dialects: one adapter and one reader of callbacks serve them all;
// and an account at such a bank: what its credentials may do, and the address of its callbacks, one for its key.
import type {
  DialectEntry,
  ProvingAnswers,
  ProviderAccount,
  RegisteredWebhook,
  WebhookOrder,
  WebhookRegistered,
  WebhookRemoved,
  WebhooksAnswer,
} from '../dialect-entry.js';
import { PixApiProvider } from './adapter.js';
import { parseCallback } from './callbacks.js';
import { type Dialect, pathsOf } from './dialect.js';
import { z } from 'zod';
import { inconclusive } from '../common/http.js';
import type { AccountName } from '../port.js';
import type { CallSettings } from '../settings.js';
import { PixApiClient } from './client.js';

/** For a bank that deviates slightly from its dialect. */
const ADJUSTMENTS = ['TOKEN_URL', 'SCOPES', 'CALL_HEADERS', 'CALL_QUERY', 'PATH_PREFIXES'] as const;

export function pixApi(dialect: Dialect): DialectEntry {
  const isBank = dialect.callback.scheme === 'certificate_or_query';
  const { at, credentials } = dialect.token;
  return {
    contract: dialect.contract,
    capabilities: dialect.capabilities,
    hosts: dialect.hosts,
    calls: {
      needs: [
        'URL',
        'CLIENT_ID',
        'PIX_KEY',
        ...(credentials === 'certificate' ? [] : (['CLIENT_SECRET'] as const)),
        ...(at === null ? (['TOKEN_URL'] as const) : []),
      ],
      takes: [
        ...(isBank ? ADJUSTMENTS : []),
        'TEST_LOCATION_HOSTS',
        'TLS_CERT_FILE',
        'TLS_KEY_FILE',
        'TLS_CA_FILE',
        'TLS_PFX_FILE',
        'TLS_PFX_PASSWORD',
      ],
    },
    callbacks: isBank
      ? { needs: ['PIX_KEY'], takes: ['CALLBACK_SECRET', 'CALLBACK_CERTIFICATE'] }
      : { needs: ['PIX_KEY', 'CALLBACK_SECRET'], takes: [] },
    provingAnswers: provingAnswersOf(dialect),
    open: (slot, settings, options) => new PixApiProvider(slot, dialect, settings, options),
    openAccount: (slot, settings) => new PixApiAccount(slot, dialect, settings),
    openCallbacks: (slot, settings) => ({
      name: slot,
      reusesCallbackBodies: dialect.capabilities.reusesCallbackBodies,
      parseCallback: (request) => parseCallback(slot, settings, dialect, request),
    }),
  };
}

function provingAnswersOf({ payout, reversal }: Dialect): ProvingAnswers {
  if (payout === null) return { payouts: {}, codes: [], returns: reversal.finalErrors };
  const payouts = Object.entries(payout.finalRefusals).map(
    ([word, meaning]) => [word, meaning === 'see_code' ? null : meaning.failureCode] as const,
  );
  return { payouts: Object.fromEntries(payouts), codes: payout.finalCodes, returns: reversal.finalErrors };
}

const TIMEOUT_MS = 10_000;
const webhookAnswer = z.object({ webhookUrl: z.string().max(2_000) });
/** Efí's: the address is tried without its certificate. */
const SKIP_CERTIFICATE = { 'x-skip-mtls-checking': 'true' } as const;

export class PixApiAccount implements ProviderAccount {
  readonly neededScopes: readonly string[];
  readonly #client: PixApiClient;
  readonly #path: string;

  constructor(
    private readonly slot: AccountName,
    private readonly dialect: Dialect,
    config: CallSettings,
  ) {
    this.neededScopes = dialect.neededScopes;
    this.#client = new PixApiClient(config, dialect);
    this.#path = pathsOf({ ...dialect.prefixes, ...config.pathPrefixes }).webhook(config.pixKey);
  }

  signIn() {
    return this.#client.signIn();
  }

  async readWebhooks(): Promise<WebhooksAnswer> {
    if (!this.dialect.registersWebhooks) return { kind: 'unsupported' };
    const answer = await this.#client.call({ method: 'GET', path: this.#path, timeoutMs: TIMEOUT_MS });
    // The standard's "no webhook for this key".
    if (answer.kind === 'answered' && answer.status === 404) return { kind: 'webhooks', webhooks: [] };
    const read = answer.kind === 'answered' && answer.status === 200 ? webhookAnswer.safeParse(answer.body) : null;
    return read?.success === true
      ? { kind: 'webhooks', webhooks: [{ id: null, event: null, url: read.data.webhookUrl }] }
      : { kind: 'unknown', reason: inconclusive(answer) };
  }

  webhooksFor({ edge, secret }: WebhookOrder): readonly RegisteredWebhook[] {
    if (!this.dialect.registersWebhooks || this.dialect.callback.scheme !== 'certificate_or_query') return [];
    const { parameter } = this.dialect.callback;
    // Banks append /pix to the address: after a query it must end in a parameter that takes it.
    const query = secret === null ? '' : `?${parameter}=${encodeURIComponent(secret)}&ignorar=`;
    return [{ event: null, url: `${edge}/callbacks/${this.slot}${query}` }];
  }

  async registerWebhook({ url }: RegisteredWebhook, order: WebhookOrder): Promise<WebhookRegistered> {
    if (!this.dialect.registersWebhooks) return { kind: 'unsupported' };
    const answer = await this.#client.call({
      method: 'PUT',
      path: this.#path,
      body: { webhookUrl: url },
      headers: order.isCertificateDemanded ? {} : SKIP_CERTIFICATE,
      timeoutMs: TIMEOUT_MS,
    });
    if (answer.kind !== 'answered' || answer.status >= 500) return { kind: 'unknown', reason: inconclusive(answer) };
    return answer.status < 300 ? { kind: 'registered' } : { kind: 'refused', reason: inconclusive(answer) };
  }

  /** A key has one address, which the next one replaces: none has an id. */
  async removeWebhook(): Promise<WebhookRemoved> {
    return { kind: 'refused', reason: 'no_such_call' };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
