// An account at Woovi: whether the AppID works, and its webhooks, one for each event.
import { z } from 'zod';
import type {
  ProviderAccount,
  RegisteredWebhook,
  SignIn,
  WebhookOrder,
  WebhookRegistered,
  WebhookRemoved,
  WebhooksAnswer,
} from '../account.js';
import { dateOf, inconclusive } from '../common/http.js';
import type { AccountName } from '../port.js';
import { WooviClient } from './client.js';
import type { WooviConfig } from './config.js';
import { EVENTS_TO_REGISTER } from './events.js';

const TIMEOUT_MS = 10_000;
const webhooksAnswer = z.object({
  webhooks: z
    .array(
      z.object({
        id: z.string().min(1).max(200).nullish(),
        event: z.string().max(100),
        url: z.string().max(2_000),
        isActive: z.boolean().nullish(),
      }),
    )
    .max(1_000),
});

export class WooviAccount implements ProviderAccount {
  /** They are given to an application in Woovi's panel, and no call reports them. */
  readonly neededScopes = [];
  readonly #client: WooviClient;

  constructor(
    private readonly slot: AccountName,
    config: WooviConfig,
  ) {
    this.#client = new WooviClient(
      config,
      () => undefined,
      () => ({}),
    );
  }

  async signIn(): Promise<SignIn> {
    const answer = await this.#client.call({ method: 'GET', path: '/account/?limit=1', timeoutMs: TIMEOUT_MS });
    if (answer.kind !== 'answered') return { kind: 'unreached', reason: answer.reason };
    if (answer.status !== 200) return { kind: 'refused', reason: `http_${answer.status}` };
    return { kind: 'signed_in', scopes: null, at: dateOf(answer) };
  }

  async readWebhooks(): Promise<WebhooksAnswer> {
    const answer = await this.#client.call({ method: 'GET', path: '/webhook', timeoutMs: TIMEOUT_MS });
    const read = answer.kind === 'answered' && answer.status === 200 ? webhooksAnswer.safeParse(answer.body) : null;
    if (read?.success !== true) return { kind: 'unknown', reason: inconclusive(answer) };
    const active = read.data.webhooks.filter(({ isActive }) => isActive !== false);
    return { kind: 'webhooks', webhooks: active.map(({ id, event, url }) => ({ id: id ?? null, event, url })) };
  }

  webhooksFor({ edge }: WebhookOrder): readonly RegisteredWebhook[] {
    return EVENTS_TO_REGISTER.map((event) => ({ event, url: `${edge}/callbacks/${this.slot}/events` }));
  }

  async registerWebhook({ event, url }: RegisteredWebhook, { secret }: WebhookOrder): Promise<WebhookRegistered> {
    const name = `gateway ${this.slot} ${event}`;
    const answer = await this.#client.call({
      method: 'POST',
      path: '/webhook',
      body: { webhook: { name, event, url, authorization: secret ?? '', isActive: true } },
      timeoutMs: TIMEOUT_MS,
    });
    if (answer.kind !== 'answered' || answer.status >= 500) return { kind: 'unknown', reason: inconclusive(answer) };
    return answer.status < 300 ? { kind: 'registered' } : { kind: 'refused', reason: inconclusive(answer) };
  }

  async removeWebhook(id: string): Promise<WebhookRemoved> {
    const path = `/webhook/${encodeURIComponent(id)}`;
    const answer = await this.#client.call({ method: 'DELETE', path, timeoutMs: TIMEOUT_MS });
    if (answer.kind !== 'answered' || answer.status >= 500) return { kind: 'unknown', reason: inconclusive(answer) };
    return answer.status < 300 ? { kind: 'removed' } : { kind: 'refused', reason: inconclusive(answer) };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
