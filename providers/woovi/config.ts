// The configuration of one Woovi account.

export interface WooviConfig {
  /** Base address: `https://api.woovi.com`, or the sandbox's. */
  readonly url: string;
  /** The application's AppID. It is sent as it is, and never expires. */
  readonly appId: string;
  /** The account's key: a charge on another one is not ours. */
  readonly pixKey: string;
}

/** The proof of Woovi's webhooks. The ingress holds this and nothing that could call Woovi in our name. */
export interface WooviCallbackConfig {
  /** The address of the public keys. They are public: no AppID is needed. */
  readonly keysUrl: string;
  /**
   * The `authorization` that the webhook was registered with. All customers of Woovi share its signing key: this
   * distinguishes our webhooks from theirs.
   */
  readonly authorization: string;
}
