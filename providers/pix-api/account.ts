// An account at a bank of API Pix: what its credentials may do, and the address of its callbacks, one for its key.
import { z } from 'zod';
import type {
  ProviderAccount,
  RegisteredWebhook,
  WebhookOrder,
  WebhookRegistered,
  WebhookRemoved,
  WebhooksAnswer,
} from '../account.js';
import { inconclusive } from '../common/http.js';
import type { AccountName } from '../port.js';
import type { CallSettings } from '../settings.js';
import { PixApiClient } from './client.js';
import type { Dialect } from './dialect.js';
import { pathsOf } from './paths.js';

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
