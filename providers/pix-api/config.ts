// The configuration of each provider. platform/config/providers.ts reads it from the environment.
import type { ProviderName } from '../port.js';

export interface PixApiTls {
  /** PEM texts: the client certificate and key, and the provider's certificate authority if it is private. */
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
  readonly tls?: PixApiTls;
}

/** What proves a provider's callbacks. The ingress holds this and nothing that could call the provider. */
export interface CallbackConfig {
  /** A callback for another key is not ours. */
  readonly pixKey: string;
  /** The shared secret that authenticates the provider's callbacks. */
  readonly callbackSecret: string;
}

export interface ProvidersConfig {
  readonly providers: Readonly<Partial<Record<ProviderName, PixApiProviderConfig>>>;
}

export interface CallbacksConfig {
  readonly callbacks: Readonly<Partial<Record<ProviderName, CallbackConfig>>>;
}

export interface SteeringConfig {
  /** Root of the simulator's control interface; null when sandbox steering is off, as in production. */
  readonly controlUrl: string | null;
}
