// A dialect of API Pix as an entry of the table of dialects: one adapter and one reader of callbacks serve them all.
import type { DialectEntry, ProvingAnswers } from '../dialect-entry.js';
import { PixApiAccount } from './account.js';
import { PixApiProvider } from './adapter.js';
import { parseCallback } from './callbacks.js';
import type { Dialect } from './dialect.js';

/** For a bank that deviates slightly from its dialect. */
const ADJUSTMENTS = ['TOKEN_URL', 'SCOPES', 'CALL_HEADERS', 'CALL_QUERY', 'PATH_PREFIXES'] as const;

export function pixApi(dialect: Dialect): DialectEntry {
  const isBank = dialect.callback.scheme === 'certificate_or_query';
  const { at, credentials } = dialect.token;
  return {
    contract: dialect.contract,
    capabilities: dialect.capabilities,
    hosts: dialect.hosts,
    calls: {
      needs: [
        'URL',
        'CLIENT_ID',
        'PIX_KEY',
        ...(credentials === 'certificate' ? [] : (['CLIENT_SECRET'] as const)),
        ...(at === null ? (['TOKEN_URL'] as const) : []),
      ],
      takes: [
        ...(isBank ? ADJUSTMENTS : []),
        'TEST_LOCATION_HOSTS',
        'TLS_CERT_FILE',
        'TLS_KEY_FILE',
        'TLS_CA_FILE',
        'TLS_PFX_FILE',
        'TLS_PFX_PASSWORD',
      ],
    },
    callbacks: isBank
      ? { needs: ['PIX_KEY'], takes: ['CALLBACK_SECRET', 'CALLBACK_CERTIFICATE'] }
      : { needs: ['PIX_KEY', 'CALLBACK_SECRET'], takes: [] },
    provingAnswers: provingAnswersOf(dialect),
    open: (slot, settings, options) => new PixApiProvider(slot, dialect, settings, options),
    openAccount: (slot, settings) => new PixApiAccount(slot, dialect, settings),
    openCallbacks: (slot, settings) => ({
      name: slot,
      reusesCallbackBodies: dialect.capabilities.reusesCallbackBodies,
      parseCallback: (request) => parseCallback(slot, settings, dialect, request),
    }),
  };
}

function provingAnswersOf({ payout, reversal }: Dialect): ProvingAnswers {
  if (payout === null) return { payouts: {}, codes: [], returns: reversal.finalErrors };
  const payouts = Object.entries(payout.finalRefusals).map(
    ([word, meaning]) => [word, meaning === 'see_code' ? null : meaning.failureCode] as const,
  );
  return { payouts: Object.fromEntries(payouts), codes: payout.finalCodes, returns: reversal.finalErrors };
}
