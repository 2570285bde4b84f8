// What the adapter must be told about each provider. Read from the environment by platform/config/providers.ts.
import type { ProviderName } from '../port.js';

export interface PixApiTls {
  /** PEM texts: our client certificate and key, and the provider's authority where it is a private one. */
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

export interface PixApiProviderConfig {
  /** Base address with the provider's path prefix, without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The key that charges are received on and payouts are made from: `chave`. */
  readonly pixKey: string;
  /** Shared with the provider: it authenticates its callbacks. */
  readonly callbackSecret: string;
  readonly tls?: PixApiTls;
}

export interface ProvidersConfig {
  readonly providers: Readonly<Partial<Record<ProviderName, PixApiProviderConfig>>>;
  /** Root of the simulator's control interface; null in production and wherever sandbox steering is off. */
  readonly controlUrl: string | null;
}
