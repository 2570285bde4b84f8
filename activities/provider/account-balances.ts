// What the accounts at the providers can still send: asked before a payout, kept for a few seconds, and lowered by what
// this process has let go since. Several processes see each other's sends at the next question only: a payout that the
// account does not cover is then refused by the provider, as without this.
import type { Provider, AccountName } from '../../providers/port.js';

/** Payouts come in bursts; one question serves those of a burst. */
const KEPT_MS = 5_000;

interface Kept {
  readonly askedAtMs: number;
  /** `null` if the provider did not say. */
  leftMinor: bigint | null;
}

export class AccountBalances {
  readonly #kept = new Map<AccountName, Kept>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Whether the account covers the amount, and takes it off what is left. True where the provider does not say. */
  async cover(provider: Pick<Provider, 'name' | 'readBalance'>, amountMinor: bigint): Promise<boolean> {
    const known = this.#kept.get(provider.name);
    if (known !== undefined && this.nowMs() - known.askedAtMs < KEPT_MS && take(known, amountMinor)) return true;
    // Too little by what is kept: a payment may have arrived since.
    const askedAtMs = this.nowMs();
    const answer = await provider.readBalance();
    const fresh = { askedAtMs, leftMinor: answer.kind === 'balance' ? answer.availableMinor : null };
    this.#kept.set(provider.name, fresh);
    return take(fresh, amountMinor);
  }
}

function take(kept: Kept, amountMinor: bigint): boolean {
  if (kept.leftMinor === null) return true;
  if (kept.leftMinor < amountMinor) return false;
  kept.leftMinor -= amountMinor;
  return true;
}
