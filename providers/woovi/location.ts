// Whether a code can move real money, by the host that serves it and the account that it belongs to. The receiver's
// name in the code proves nothing, because customers choose it.
import type { WooviConfig } from './config.js';

/** The host of its API. */
export const WOOVI_HOSTS = { real: ['api.woovi.com', 'api.openpix.com.br'], test: ['api.woovi-sandbox.com'] } as const;
const SANDBOX_DOMAIN = 'woovi-sandbox.com';

/**
 * Whether the code's location, and the API that made it, are of a test environment: Woovi's sandbox, or an API of our
 * own that serves the codes itself, as the simulator does.
 */
export function isTestCode({ url }: WooviConfig, location: string | null): boolean {
  const api = new URL(url).host;
  if (location === null || isReal(api)) return false;
  const host = hostOf(location);
  return host === api || isOfSandbox(host);
}

/** Whether the code's location is one of Woovi's sandbox: in production it cannot be paid. */
export function isSandboxCode(location: string | null): boolean {
  return location !== null && isOfSandbox(hostOf(location));
}

const isReal = (host: string) => (WOOVI_HOSTS.real as readonly string[]).includes(host);

function isOfSandbox(host: string): boolean {
  return host === SANDBOX_DOMAIN || host.endsWith(`.${SANDBOX_DOMAIN}`);
}

/** `api.woovi-sandbox.com/api/qr/1` → `api.woovi-sandbox.com`. */
function hostOf(location: string): string {
  return location
    .replace(/^https?:\/\//i, '')
    .split(/[/?#]/, 1)[0]!
    .toLowerCase();
}
