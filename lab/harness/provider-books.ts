// The simulated provider's own record of charges and payouts, independent of the gateway's.

interface ProviderBooks {
  readonly charges: readonly { readonly txid: string }[];
  readonly payouts: readonly { readonly reference: string; readonly sends: number; readonly status: string }[];
}

async function readBooks(simulatorUrl: string): Promise<ProviderBooks> {
  const response = await fetch(`${simulatorUrl}/control/books`, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok) throw new Error(`the simulator answered ${response.status}`);
  return (await response.json()) as ProviderBooks;
}

/** How often the provider was asked to send the withdrawal's payout. */
export async function sendsOf(simulatorUrl: string, withdrawalId: string): Promise<number> {
  const { payouts } = await readBooks(simulatorUrl);
  return payouts.find(({ reference }) => reference === withdrawalId.slice('wdr_'.length))?.sends ?? 0;
}

/** Makes the provider answer errors, or again as usual. */
export async function setProviderOutage(
  simulatorUrl: string,
  mode: 'none' | 'error' | 'hang' | 'refuse',
): Promise<void> {
  const response = await fetch(`${simulatorUrl}/control/simulator/outage`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`the simulator answered ${response.status}`);
}
