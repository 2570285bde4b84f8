// Counts, times and traces every call to a provider, by the kind of its outcome, and notes the requests of payments.
import { asyncLocalStorage } from '@temporalio/activity';
import { isIdOfOurs } from '../../domain/identifiers.js';
import { notingExchanges } from '../../providers/common/http.js';
import type { ProviderExchange } from '../../store/payments/provider-exchanges.js';
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

/** Keeps a request for the timeline of its payment. Nothing waits for it. */
export type NoteProviderExchange = (exchange: ProviderExchange) => void;

/** The same providers with their calls observed. */
export function observedProviders(providers: ProviderRegistry, note: NoteProviderExchange): ProviderRegistry {
  const observed = new Map<AccountName, Provider>();
  return (name) => {
    const known = observed.get(name) ?? observe(providers(name), note);
    observed.set(name, known);
    return known;
  };
}

function observe(provider: Provider, note: NoteProviderExchange): Provider {
  const calls = Object.fromEntries(
    CALLS.map((call) => [call, (...given: never[]) => timed(provider, call, given, note)]),
  ) as Pick<Provider, Call>;
  return {
    name: provider.name,
    contract: provider.contract,
    traits: provider.traits,
    lists: provider.lists,
    ...calls,
  };
}

/** The payment whose step makes the call, and when it was planned; `null` outside of one, as in a sweep. */
function stepOfPayment(): Pick<ProviderExchange, 'paymentId' | 'stepAt'> | null {
  const info = asyncLocalStorage.getStore()?.info;
  const paymentId = info?.workflowExecution?.workflowId ?? '';
  if (info === undefined || !isIdOfOurs(paymentId)) return null;
  return { paymentId, stepAt: new Date(info.currentAttemptScheduledTimestampMs).toISOString() };
}

async function timed(
  provider: Provider,
  call: Call,
  given: never[],
  note: NoteProviderExchange,
): Promise<{ kind: string }> {
  const step = stepOfPayment();
  const make = () => (provider[call] as (...given: never[]) => Promise<{ kind: string }>)(...given);
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
        const answer = await (step === null
          ? make()
          : notingExchanges((exchange) => note({ ...exchange, ...step, provider: provider.name, call }), make));
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
