// What a person who sets up an account at a provider needs: whether the credentials work, what they may do, and where
// callbacks go. No payment depends on it.

export type SignIn =
  | {
      readonly kind: 'signed_in';
      /** What the credentials may do; `null` if not answered. */
      readonly scopes: readonly string[] | null;
      /** The provider's clock, RFC 3339; `null` if not answered. */
      readonly at: string | null;
    }
  /** Answered, and not with a yes. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreached'; readonly reason: string };

export interface RegisteredWebhook {
  /** `null` for one address for everything. */
  readonly event: string | null;
  readonly url: string;
}

export interface KnownWebhook extends RegisteredWebhook {
  /** By which it is removed; `null` where the next one takes its place. */
  readonly id: string | null;
}

export type WebhooksAnswer =
  | { readonly kind: 'webhooks'; readonly webhooks: readonly KnownWebhook[] }
  /** The dialect has no such call. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface WebhookOrder {
  /** The edge's address, without a path: `https://edge.example:8443`. */
  readonly edge: string;
  /** The secret that proves callbacks, if it is a text. */
  readonly secret: string | null;
  /** The edge demands the provider's client certificate. */
  readonly isCertificateDemanded: boolean;
}

export type WebhookRegistered =
  | { readonly kind: 'registered' }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'refused' | 'unknown'; readonly reason: string };

export type WebhookRemoved =
  | { readonly kind: 'removed' }
  | { readonly kind: 'refused' | 'unknown'; readonly reason: string };

export interface ProviderAccount {
  /** Scopes that the gateway's calls need; empty where the dialect names none. */
  readonly neededScopes: readonly string[];
  signIn(): Promise<SignIn>;
  readWebhooks(): Promise<WebhooksAnswer>;
  /** What has to be registered. The addresses of some dialects contain the secret: show them by `withoutQuery`. */
  webhooksFor(order: WebhookOrder): readonly RegisteredWebhook[];
  /** Registers one of them. Registering the same address again is harmless. */
  registerWebhook(webhook: RegisteredWebhook, order: WebhookOrder): Promise<WebhookRegistered>;
  /** Removes one that `readWebhooks` gave an id of. */
  removeWebhook(id: string): Promise<WebhookRemoved>;
  close(): Promise<void>;
}

/** The address without its query, which may hold a secret. */
export function withoutQuery(url: string): string {
  return url.split('?', 1)[0]!;
}
