// DATABASE_URL has one reading: what two readers could take differently is refused. The driver's own is the other one.
import assert from 'node:assert/strict';
import pg from 'pg';
import { readDatabaseUrl } from '../../../platform/config/database-url.js';

const ADDRESS = 'postgres://gateway:p@db:5432/gateway';
const PARAMETERS = [
  ...['sslmode=verify-full', 'sslmode=disable', 'sslmode=no-verify', 'sslmode=verify%2Dfull', 'SSLMODE=verify-full'],
  ...['ssl=true', 'ssl=false', 'ssl%6Dode=verify-full', 'ssl%6dode=disable', 'uselibpqcompat=true', 'x=%', 'x= '],
  ...['host=/run/postgresql', 'host=elsewhere', 'port=1', 'user=postgres', 'password=x', 'database=other', 'options=x'],
  ...['sslnegotiation=direct', 'application_name=a', 'statement_timeout=0', '', '#', 'sslrootcert='],
];

/** Where the driver goes, and whether it verifies the server there. */
function ofDriver(text: string): { readonly host: string; readonly isVerified: boolean } {
  const client = new pg.Client(text);
  // Its types forget the options.
  const ssl: unknown = client.ssl;
  const isChecked =
    typeof ssl === 'object' && ssl !== null && (ssl as { rejectUnauthorized?: boolean }).rejectUnauthorized !== false;
  return { host: client.host, isVerified: ssl === true || isChecked };
}

describe('DATABASE_URL', () => {
  it('every two parameters, in both orders: refused, or as the driver reads them', () => {
    let accepted = 0;
    for (const address of [ADDRESS, 'postgres:///gateway', 'postgres://%2Frun%2Fpostgresql/gateway'])
      for (const first of PARAMETERS)
        for (const second of PARAMETERS) {
          const text = `${address}?${first}&${second}`;
          const read = readDatabaseUrl(text);
          if ('fault' in read) continue;
          accepted += 1;
          const driven = ofDriver(text);
          assert.equal(read.isVerified, driven.isVerified, text);
          if (read.host !== '') assert.equal(decodeURIComponent(read.host), driven.host, text);
        }
    assert.ok(accepted > 0);
  });

  for (const [title, query, fault] of [
    ['a parameter twice', '?sslmode=verify-full&sslmode=disable', /must have each parameter once, and has sslmode/],
    ['the same value twice', '?sslmode=verify-full&sslmode=verify-full', /each parameter once/],
    ['a second way to say it', '?sslmode=verify-full&ssl=false', /no other parameters/],
    ['another meaning of it', '?sslmode=verify-full&uselibpqcompat=true', /no other parameters/],
    ['an encoded name', '?ssl%6Dode=verify-full', /no other parameters/],
    ['a second host', '?host=/run/postgresql', /must name one host/],
    ['what the gateway sets', '?statement_timeout=0', /no other parameters/],
    ['files of TLS without it', '?sslmode=disable&sslrootcert=/ca.pem', /only beside sslmode=verify-full/],
    ['a space, which makes the driver read otherwise', '?application_name=a b', /percent-encoded/],
  ] as const)
    it(`${title} → refused`, () => {
      const read = readDatabaseUrl(ADDRESS + query);
      assert.match('fault' in read ? read.fault : 'accepted', fault);
    });

  it('a name, a socket’s folder and verified TLS are accepted', () => {
    assert.deepEqual(readDatabaseUrl(ADDRESS), { host: 'db', isVerified: false });
    assert.deepEqual(readDatabaseUrl('postgres:///gateway?host=/run/postgresql'), {
      host: '/run/postgresql',
      isVerified: false,
    });
    assert.deepEqual(readDatabaseUrl(`${ADDRESS}?sslmode=verify-full&application_name=panel`), {
      host: 'db',
      isVerified: true,
    });
  });
});
