// Reads what DATABASE_URL says of a connection, for everything that asks: so no check reads it in another way than the
// driver does. No packages, like production.ts, which asks this through plain-hops.ts.

export interface DatabaseAddress {
  /** A name, an address, or the folder of a socket. Empty if it names none. */
  readonly host: string;
  /** Whether the server's authority and name are verified. */
  readonly isVerified: boolean;
}

/** PostgreSQL's own files of TLS (libpq). */
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];
/**
 * The only parameters. The driver lets others override what the gateway sets (`options`, `statement_timeout`), what the
 * address says (`user`, `port`), or what `sslmode` means (`ssl`, `uselibpqcompat`).
 */
const PARAMETERS = ['sslmode', ...TLS_FILES, 'host', 'application_name'];
const DATABASE_PARAMETERS = PARAMETERS.join(', ');

/** `fault`: what is wrong with it. Never repeats the value. */
export function readDatabaseUrl(text: string): DatabaseAddress | { readonly fault: string } {
  if (!/^postgres(ql)?:\/\//.test(text)) return { fault: 'must be a postgres:// URL' };
  if (!URL.canParse(text))
    return { fault: 'is no URL: percent-encode its password, or give that in DATABASE_PASSWORD' };
  // The driver encodes a text with any of these once more, and then reads other names than everybody else.
  if (/[\s#]|%(?![0-9a-f]{2})/i.test(text)) return { fault: 'must have its special characters percent-encoded' };
  const { hostname, search } = new URL(text);
  const pairs = search.slice(1).split('&');
  const names = search === '' ? [] : pairs.map((pair) => pair.split('=', 1)[0] ?? '');
  if (names.some((name) => !PARAMETERS.includes(name)))
    return { fault: `may have no other parameters than ${DATABASE_PARAMETERS}` };
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return { fault: `must have each parameter once, and has ${twice} twice` };
  const values = new URLSearchParams(search);
  const folder = values.get('host');
  if (folder !== null && (hostname !== '' || !folder.startsWith('/')))
    return { fault: 'must name one host; the parameter host is the folder of a socket, where there is none' };
  const isVerified = values.get('sslmode') === 'verify-full';
  if (!isVerified && TLS_FILES.some((name) => names.includes(name)))
    return { fault: `may have ${TLS_FILES.join(', ')} only beside sslmode=verify-full` };
  return { host: folder ?? hostname, isVerified };
}
