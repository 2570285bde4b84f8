// An account at Woovi: whether the AppID works, and its webhooks, one for each event.
import { z } from 'zod';
import type {
  KnownWebhook,
  ProviderAccount,
  RegisteredWebhook,
  SignIn,
  WebhookOrder,
  WebhookRegistered,
  WebhookRemoved,
  WebhooksAnswer,
} from '../dialect-entry.js';
import { dateOf, inconclusive } from '../common/http.js';
import type { AccountName } from '../port.js';
import { WooviClient, type WooviConfig } from './client.js';
import { EVENTS_TO_REGISTER } from './callbacks.js';

const TIMEOUT_MS = 10_000;
/** As long as Woovi's other lists let them be. */
const PAGE_LIMIT = 100;
/** An account has a handful for each of its applications. */
const MAX_PAGES = 10;
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
  pageInfo: z.object({ hasNextPage: z.boolean().nullish() }).nullish(),
});

type WireWebhook = z.output<typeof webhooksAnswer>['webhooks'][number];

function activeOf(webhooks: Iterable<WireWebhook>): readonly KnownWebhook[] {
  return [...webhooks]
    .filter(({ isActive }) => isActive !== false)
    .map(({ id, event, url }) => ({ id: id ?? null, event, url }));
}

export class WooviAccount implements ProviderAccount {
  /** They are given to an application in Woovi's panel, and no call answers them. */
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
    const found = new Map<string, WireWebhook>();
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const path = page === 0 ? '/webhook' : `/webhook?skip=${found.size}&limit=${PAGE_LIMIT}`;
      const answer = await this.#client.call({ method: 'GET', path, timeoutMs: TIMEOUT_MS });
      const read = answer.kind === 'answered' && answer.status === 200 ? webhooksAnswer.safeParse(answer.body) : null;
      if (read?.success !== true) return { kind: 'unknown', reason: inconclusive(answer) };
      const before = found.size;
      for (const one of read.data.webhooks) found.set(one.id ?? `${one.event} ${one.url}`, one);
      if (read.data.pageInfo?.hasNextPage !== true) return { kind: 'webhooks', webhooks: activeOf(found.values()) };
      // The document tells of pages, and not how to ask for one: a page that brings nothing is the first one again.
      if (found.size === before) break;
    }
    return { kind: 'unknown', reason: 'more_webhooks_than_can_be_read' };
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
