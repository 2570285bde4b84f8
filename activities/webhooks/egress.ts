// Where webhooks may go: https in production, and never to private, loopback or link-local addresses; the sandbox may call loopback,
// where testers run their receivers. Addresses are checked after resolution and again on the connected socket, so that neither a literal nor a changed DNS answer passes.
import { BlockList, isIP } from 'node:net';
import { lookup } from 'node:dns/promises';
import { Agent, buildConnector } from 'undici';

const FORBIDDEN = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24],
  ['192.168.0.0', 16], ['198.18.0.0', 15], ['224.0.0.0', 4], ['240.0.0.0', 4],
] as const) FORBIDDEN.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [['::', 128], ['::1', 128], ['fc00::', 7], ['fe80::', 10], ['ff00::', 8], ['64:ff9b::', 96]] as const) FORBIDDEN.addSubnet(network, prefix, 'ipv6');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

type Environment = 'sandbox' | 'production';

/** The target may not be called; nothing was sent. */
export class ForbiddenTargetError extends Error {
  override readonly name = 'ForbiddenTargetError';
}

/** Whether the environment's webhooks may go to an address (IPv4-mapped IPv6 counts as the IPv4 address it holds). */
export function isAllowedAddress(address: string, environment: Environment): boolean {
  const plain = address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
  const version = isIP(plain);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !FORBIDDEN.check(plain, family) || (environment === 'sandbox' && LOOPBACK.check(plain, family));
}

/** Refuses a webhook URL that the environment does not allow. Throws ForbiddenTargetError. */
export async function assertAllowedTarget(url: URL, environment: Environment): Promise<void> {
  if (environment === 'production' && url.protocol !== 'https:') throw new ForbiddenTargetError('only https targets are called in production');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  if (addresses.length === 0 || !addresses.every((address) => isAllowedAddress(address, environment))) throw new ForbiddenTargetError('the target resolves to an address that is not public');
}

/** An HTTP agent whose sockets are checked once more after they are connected. */
export function createEgressAgent(environment: Environment): Agent {
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
        if (!isAllowedAddress(socket.remoteAddress ?? '', environment)) {
          socket.destroy();
          return callback(new ForbiddenTargetError('the target resolves to an address that is not public'), null);
        }
        return callback(null, socket);
      });
    },
  });
}
