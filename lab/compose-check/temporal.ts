// Who may do what in Temporal's server, and what its role may do in PostgreSQL.
import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';
import { NAMESPACE, TEMPORAL_FILES } from '../../cli/certificates/temporal-access.js';
import { grantsClaim, TEMPORAL_GRANTS } from '../../cli/certificates/temporal-grants.js';
import { eventually } from './eventually.js';
import type { Shell } from './shell.js';

const PERMISSION_DENIED = 7;
const NOT_FOUND = 5;
/** Codes of a list, an update of a workflow that does not exist, and a new namespace. */
const TEMPORAL_ACCESS = {
  callers: {
    nobody: [PERMISSION_DENIED, PERMISSION_DENIED, PERMISSION_DENIED],
    ui: [0, PERMISSION_DENIED, PERMISSION_DENIED],
    api: [PERMISSION_DENIED, NOT_FOUND, PERMISSION_DENIED],
    // By another key that the server knows: the same token is good here, and none that was made for another server.
    ours: [PERMISSION_DENIED, NOT_FOUND, PERMISSION_DENIED],
    elsewhere: [PERMISSION_DENIED, PERMISSION_DENIED, PERMISSION_DENIED],
    anywhere: [PERMISSION_DENIED, PERMISSION_DENIED, PERMISSION_DENIED],
  },
  ports: { 7234: 'ECONNREFUSED', 7235: 'ECONNREFUSED', 7236: 'ECONNREFUSED', 7239: 'ECONNREFUSED' },
};
/** The server reads its keys again every ten seconds. */
const KEYS_ARE_KNOWN_WITHIN_S = 60;

export async function temporalAccess(shell: Shell): Promise<undefined> {
  const file = (name: string) => join(shell.folder, 'deployment', 'secrets', name);
  const secret = (name: string) => readFileSync(file(name), 'utf8');
  const ui = /Bearer ([^"]+)"/.exec(secret(TEMPORAL_FILES.uiAuthorization))?.[1];
  const keysBefore = secret(TEMPORAL_FILES.tokenKeys);
  const { published, sign } = await anotherKey();
  const audience = secret(TEMPORAL_FILES.tokenAudience);
  const tokens = {
    ui,
    api: secret('temporal-token-api'),
    ours: await sign(audience),
    elsewhere: await sign(`temporal-${randomUUID()}`),
    anywhere: await sign(undefined),
  };
  const { keys } = JSON.parse(keysBefore) as JSONWebKeySet;
  try {
    // In place: the container has this file, and not one that takes its name.
    chmodSync(file(TEMPORAL_FILES.tokenKeys), 0o644);
    writeFileSync(file(TEMPORAL_FILES.tokenKeys), JSON.stringify({ keys: [...keys, published] }));
    await eventually(KEYS_ARE_KNOWN_WITHIN_S, async () => {
      const seen = await shell.must(
        `docker compose exec -T -e TOKENS='${JSON.stringify(tokens)}' command node --input-type=module - ` +
          '< lab/compose-check/temporal-access.mjs',
      );
      if (seen !== JSON.stringify(TEMPORAL_ACCESS)) throw new Error(seen);
      return true;
    });
  } finally {
    writeFileSync(file(TEMPORAL_FILES.tokenKeys), keysBefore);
  }
}

/** A key that signs tokens of an api, for this audience or none. */
async function anotherKey() {
  const [{ publicKey, privateKey }, kid] = [await generateKeyPair('ES256'), randomUUID()];
  const published = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
  const sign = (audience: string | undefined) => {
    const token = new SignJWT({ temporal: grantsClaim(NAMESPACE, TEMPORAL_GRANTS.api) })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setSubject('api')
      .setIssuedAt();
    return (audience === undefined ? token : token.setAudience(audience)).sign(privateKey);
  };
  return { published, sign };
}

/** What a role may be besides an owner of databases, and what it has no business with. */
const RIGHTS = 'rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls';

export async function temporalRole(shell: Shell): Promise<string | undefined> {
  const as = (role: string, database: string, statement: string) => {
    const password = `$(cat /run/secrets/${role === 'temporal' ? 'temporal-database' : role.replace('_', '-')}-password)`;
    return shell.run(
      `docker compose exec -T postgres sh -c 'PGPASSWORD=${password} psql --host 127.0.0.1 --username ${role} ` +
        `--dbname ${database} --no-psqlrc --tuples-only --no-align --command "${statement}"'`,
    );
  };
  const memberOf = '(SELECT count(*) FROM pg_auth_members WHERE member = pg_roles.oid)';
  const rights = `SELECT ${RIGHTS}, ${memberOf} FROM pg_roles WHERE rolname = current_user`;
  for (const database of ['temporal', 'temporal_visibility']) {
    const { stdout, tail } = await as('temporal', database, rights);
    if (stdout.trim() !== 'f|0') return `in ${database}: ${tail}`;
    const { code } = await as('gateway_payments', database, 'SELECT 1');
    if (code === 0) return `gateway_payments connects to ${database}`;
  }
  for (const database of ['gateway', 'postgres']) {
    const { code, tail } = await as('temporal', database, 'SELECT 1');
    if (code === 0 || !tail.includes(`permission denied for database "${database}"`)) return `in ${database}: ${tail}`;
  }
  return undefined;
}
