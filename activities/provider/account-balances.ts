// The amount that each provider account can still send. It is requested before a payout, cached for a few seconds, and
// lowered by what this process has sent since. A process sees other processes' sends at its next request only. Until
// then the provider refuses a payout that the account does not cover, as it would without this check.
import type { Provider, AccountName } from '../../providers/port.js';

/** Payouts come in bursts; one request serves a whole burst. */
const KEPT_MS = 5_000;

interface CachedBalance {
  readonly askedAtMs: number;
  /** `null` if the provider did not report it. */
  leftMinor: bigint | null;
}

export class AccountBalances {
  readonly #kept = new Map<AccountName, CachedBalance>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * Whether the account covers the amount, which is then subtracted from the rest. `true` if the provider does not
   * report a balance.
   */
  async cover(provider: Pick<Provider, 'name' | 'readBalance'>, amountMinor: bigint): Promise<boolean> {
    const known = this.#kept.get(provider.name);
    if (known !== undefined && this.nowMs() - known.askedAtMs < KEPT_MS && take(known, amountMinor)) return true;
    // The cached balance is too low, but a payment may have arrived since.
    const askedAtMs = this.nowMs();
    const answer = await provider.readBalance();
    const fresh = { askedAtMs, leftMinor: answer.kind === 'balance' ? answer.availableMinor : null };
    this.#kept.set(provider.name, fresh);
    return take(fresh, amountMinor);
  }
}

function take(kept: CachedBalance, amountMinor: bigint): boolean {
  if (kept.leftMinor === null) return true;
  if (kept.leftMinor < amountMinor) return false;
  kept.leftMinor -= amountMinor;
  return true;
}
