// Counts, times and traces every call to a provider, by the kind of its outcome.
import type { Provider, AccountName, ProviderRegistry } from '../../providers/port.js';
import { count, observeSeconds } from '../../platform/telemetry/instruments.js';
import { inSpan } from '../../platform/telemetry/spans.js';

/** The provider's methods that make a request. */
const CALLS = [
  'createCharge',
  'lookUpCharge',
  'requestReversal',
  'sendPayout',
  'lookUpPayout',
  'lookUpKeyOwner',
  'listReceived',
  'listPayouts',
  'listDisputes',
  'readBalance',
] as const;
type Call = (typeof CALLS)[number];

/** The same providers with their calls observed. */
export function observedProviders(providers: ProviderRegistry): ProviderRegistry {
  const observed = new Map<AccountName, Provider>();
  return (name) => {
    const known = observed.get(name) ?? observe(providers(name));
    observed.set(name, known);
    return known;
  };
}

function observe(provider: Provider): Provider {
  const calls = Object.fromEntries(
    CALLS.map((call) => [call, (...given: never[]) => timed(provider, call, given)]),
  ) as Pick<Provider, Call>;
  return {
    name: provider.name,
    contract: provider.contract,
    traits: provider.traits,
    lists: provider.lists,
    ...calls,
  };
}

async function timed(provider: Provider, call: Call, given: never[]): Promise<{ kind: string }> {
  return inSpan(
    {
      name: `provider ${call}`,
      kind: 'client',
      attributes: {
        'gateway.provider': provider.name,
        'gateway.contract': provider.contract,
        'gateway.call': call,
      },
    },
    async (span) => {
      const startedMs = performance.now();
      let outcome = 'fault';
      try {
        const answer = await (provider[call] as (...given: never[]) => Promise<{ kind: string }>)(...given);
        outcome = answer.kind;
        return answer;
      } finally {
        span.set({ 'gateway.outcome': outcome });
        count('gateway_provider_calls_total', { provider: provider.name, call, outcome });
        observeSeconds(
          'gateway_provider_call_seconds',
          { provider: provider.name, call },
          (performance.now() - startedMs) / 1_000,
        );
      }
    },
  );
}
