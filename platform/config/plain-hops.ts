// Which connections of production leave without TLS. No packages, like production.ts, which asks this.
import { BlockList, isIP } from 'node:net';
import { readDatabaseUrl } from './database-url.js';
import { readNetwork } from './network.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The hosts, names or networks whose private network makes a plain connection acceptable. */
const PRIVATE_HOSTS_VARIABLE = 'GATEWAY_PRIVATE_HOSTS';
const LOOPBACK = 'localhost,127.0.0.0/8,::1';

/**
 * Reads the host that a variable reaches without TLS; `undefined` if TLS is verified, or its schema refuses the value.
 */
const PLAIN_HOST: Readonly<Record<string, (value: string, environment: Environment) => string | undefined>> = {
  DATABASE_URL: (value) => {
    const read = readDatabaseUrl(value);
    return 'fault' in read || read.isVerified ? undefined : read.host;
  },
  TEMPORAL_ADDRESS: (value, environment) =>
    Object.entries(environment).some(([name, text = '']) =>
      name === 'TEMPORAL_TLS' ? text === 'true' : /^TEMPORAL_(TLS_|API_KEY)/.test(name) && text !== '',
    )
      ? undefined
      : value.slice(0, value.lastIndexOf(':')),
  OTEL_EXPORTER_OTLP_ENDPOINT: (value) =>
    URL.canParse(value) && new URL(value).protocol === 'http:' ? new URL(value).hostname : undefined,
};

const ADVICE: Readonly<Record<string, string>> = {
  DATABASE_URL: 'DATABASE_TLS_CA_FILE, or sslmode=verify-full in the URL',
  TEMPORAL_ADDRESS: 'TEMPORAL_TLS_CA_FILE, or TEMPORAL_TLS=true',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'an https address',
};

/** The variables whose connection would leave this machine without TLS for a host that is not private. */
export function plainHops(environment: Environment): { readonly variable: string; readonly message: string }[] {
  const isPrivate = hostsOf(`${LOOPBACK},${environment[PRIVATE_HOSTS_VARIABLE] ?? ''}`);
  return Object.entries(PLAIN_HOST).flatMap(([variable, plainHost]) => {
    const value = environment[variable];
    const host = value === undefined ? undefined : plainHost(value, environment);
    if (host === undefined || isPrivate(host.replace(/^\[(.*)\]$/, '$1'))) return [];
    const message =
      `must be reached over TLS in production (${ADVICE[variable]}), ` +
      `or its host be named in ${PRIVATE_HOSTS_VARIABLE}`;
    return [{ variable, message }];
  });
}

/** `db,10.0.0.0/8`: names match exactly, addresses by network. Sockets of this machine need no name. */
function hostsOf(text: string): (host: string) => boolean {
  const [names, addresses] = [new Set<string>(), new BlockList()];
  for (const item of text.split(',').map((part) => part.trim().toLowerCase())) {
    const network = readNetwork(item);
    if (network === null) names.add(item);
    else addresses.addSubnet(network.address, network.prefix, network.family);
  }
  names.delete('');
  return (host) => {
    const version = isIP(host);
    if (version !== 0) return addresses.check(host, version === 4 ? 'ipv4' : 'ipv6');
    return host.startsWith('/') || host.startsWith('%2F') || names.has(host.toLowerCase());
  };
}
