// Requests to somebody outside, and which targets they may have: https in production, and no private, loopback or
// link-local address. The sandbox may also call loopback, where testers run their receivers, and the networks in its
// configuration. Addresses are checked after resolution and again on the connected socket, so that neither a literal
// nor a changed DNS answer gets through.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { networkLookupValue } from '../../domain/rules/lookup-values.js';

// One list per family: a common list would also compare IPv4 addresses, as mapped ones, with its IPv6 networks.
const FORBIDDEN = { ipv4: new BlockList(), ipv6: new BlockList() } as const;
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  FORBIDDEN.ipv4.addSubnet(network, prefix, 'ipv4');
// Only 2000::/3 is routed globally. Within it, tunnels to IPv4 addresses (Teredo, 6to4) and documentation are
// forbidden.
for (const [network, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  FORBIDDEN.ipv6.addSubnet(network, prefix, 'ipv6');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Which addresses an environment's webhooks may have besides public ones. */
export interface EgressRules {
  readonly environment: 'sandbox' | 'production';
  /** Private networks of the sandbox's receivers, in containers or on other machines. Ignored in production. */
  readonly sandboxNetworks: BlockList;
}

/** The target is forbidden; nothing was sent. */
export class ForbiddenTargetError extends Error {
  override readonly name = 'ForbiddenTargetError';
}

/** Whether the environment's webhooks may go to an address. IPv4-mapped IPv6 counts as the IPv4 address in it. */
export function isAllowedAddress(address: string, { environment, sandboxNetworks }: EgressRules): boolean {
  const [plain = ''] = networkLookupValue(address)?.split('/') ?? [];
  const version = isIP(plain);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (!FORBIDDEN[family].check(plain, family)) return true;
  return environment === 'sandbox' && (LOOPBACK.check(plain, family) || sandboxNetworks.check(plain, family));
}

/** All addresses of a host name. */
type Resolve = (host: string) => Promise<string[]>;
const bySystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Throws ForbiddenTargetError for a webhook URL that the environment does not allow, and the signal's reason if it
 * aborts first: the resolver itself has no time limit.
 */
export async function assertAllowedTarget(
  url: URL,
  rules: EgressRules,
  signal?: AbortSignal,
  resolve: Resolve = bySystem,
): Promise<void> {
  if (rules.environment === 'production' && url.protocol !== 'https:')
    throw new ForbiddenTargetError('only https targets are called in production');
  await allowedAddresses(url.hostname.replace(/^\[|\]$/g, ''), rules, signal, resolve);
}

/** All addresses of a host. Throws ForbiddenTargetError if one of them is forbidden, and as assertAllowedTarget. */
export async function allowedAddresses(
  host: string,
  rules: EgressRules,
  signal?: AbortSignal,
  resolve: Resolve = bySystem,
): Promise<readonly string[]> {
  const addresses = isIP(host) ? [host] : await unlessAborted(resolve(host), signal);
  if (addresses.length === 0 || !addresses.every((address) => isAllowedAddress(address, rules)))
    throw new ForbiddenTargetError('the target resolves to an address that is not public');
  return addresses;
}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
  return Promise.race([work, aborted]);
}

/** An HTTP agent that checks the address of each socket again once it is connected. */
export function createEgressAgent(rules: EgressRules): Agent {
  const connect = buildConnector({ timeout: 5_000 });
  return new Agent({
    maxResponseSize: 64 * 1024,
    connections: 50,
    pipelining: 1,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    connect: (options, callback) => {
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        if (!isAllowedAddress(socket.remoteAddress ?? '', rules)) {
          socket.destroy();
          return callback(new ForbiddenTargetError('the target resolves to an address that is not public'), null);
        }
        return callback(null, socket);
      });
    },
  });
}

/** What came of an attempt. */
export type Answer =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'failed'; readonly status: number | null; readonly reason: string };

/** An attempt without an answer in this time has failed. */
export const ANSWER_LIMIT_MS = 10_000;

export interface Egress {
  readonly agent: Dispatcher;
  readonly rules: EgressRules;
}

/** Sends the body, JSON. Never throws for the receiver's fault; every 2xx is an acceptance. */
export async function post(
  { agent, rules }: Egress,
  { url, headers, body }: { readonly url: string; readonly headers: Record<string, string>; readonly body: Uint8Array },
): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
  try {
    await assertAllowedTarget(new URL(url), rules, signal);
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'operator-payments-gateway',
        ...headers,
      },
      body,
      signal,
    });
    // The status is the answer. The body is only read so that the connection can be reused.
    response.body.on('error', () => undefined);
    void response.body.dump({ limit: 16 * 1024, signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (response.statusCode >= 200 && response.statusCode < 300)
      return { kind: 'delivered', status: response.statusCode };
    return { kind: 'failed', status: response.statusCode, reason: `answered ${response.statusCode}` };
  } catch (error) {
    return { kind: 'failed', status: null, reason: failureReason(error) };
  }
}

/** A short code for the log, never a message: that could contain the target's text. */
export function failureReason(error: unknown): string {
  if (error instanceof ForbiddenTargetError) return 'forbidden_target';
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code.toLowerCase() : 'connection_failed';
}
