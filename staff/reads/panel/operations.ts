// The configuration of the operations within a person's reach, without any secret: a short list of all, and the whole
// of one.
import type { Scope } from '../../../contract/http/route.js';
import type { Answering } from '../../../contract/panel/routes.js';
import { type AccountName, pausedBy } from '../../../domain/provider-accounts.js';
import { certificateRenewalFrom } from '../../../domain/rotation.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import { isReached, reachOf, STAFF_ROLES } from '../../../domain/staff.js';
import { type Database, toBigInt } from '../../../store/database.js';
import { readFailingEndpoints } from '../../../store/events/failing-endpoints.js';
import { ledgerAccountsOf } from '../../../store/ledger/accounts.js';
import { networksOf } from '../../../store/operations/access.js';
import { latestCertificates } from '../../../store/operations/client-certificates.js';
import { newestKeys, rotationOf } from '../../../store/operations/keys.js';
import { listedOperations, operationById } from '../../../store/operations/operations.js';
import { readPauses } from '../../../store/operations/provider-pauses.js';
import { newestWebhookSecrets } from '../../../store/operations/webhook-secrets.js';
import { sees, type Viewer } from '../../viewer.js';
import { operationOf } from './payment.js';

/** Each is a name, a state and a zone. */
const MOST_OPERATIONS = 1_000;
/** The newest of each kind: an operation has few that matter. */
const MOST_ROWS = 100;

export async function readOperations(database: Database, { reach }: Viewer): Promise<Answering<'readOperations'>> {
  const [rows, failing] = await Promise.all([
    listedOperations(database, reach, MOST_OPERATIONS + 1),
    readFailingEndpoints(database, { operationId: null, take: MOST_OPERATIONS }),
  ]);
  const isFailing = new Set(failing.map(({ operation_id: id }) => id));
  return {
    items: rows.slice(0, MOST_OPERATIONS).map(({ id, name, environment, status, timeZone }) => ({
      ...{ id, name, environment, status },
      time_zone: timeZone ?? defaultRuleSet(1).timezone,
      is_failing: isFailing.has(id),
    })),
    more: rows.length > MOST_OPERATIONS,
  };
}

/** One operation; `null` when there is none, or the viewer may not see it. */
export async function readOperation(
  database: Database,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<Answering<'readOperation'> | null> {
  const operation = sees(viewer, id) ? await operationById(database, id) : null;
  if (operation === null) return null;
  const [{ time_zone }, access, accounts, [failing], pauses] = await Promise.all([
    operationOf(database, id),
    readAccess(database, id, now),
    ledgerAccountsOf(database, id, MOST_ROWS),
    readFailingEndpoints(database, { operationId: id, take: 1 }),
    readPauses(database),
  ]);
  const pausing: readonly string[] = pausedBy(operation.provider as AccountName);
  return {
    id,
    name: operation.name,
    time_zone,
    environment: operation.environment,
    status: operation.status,
    provider: operation.provider,
    created_at: operation.createdAt,
    provider_paused_at: pauses.find(({ provider }) => pausing.includes(provider))?.pausedAt ?? null,
    automatic_stopped_at: operation.automaticStoppedAt,
    webhook_url: operation.webhookUrl,
    failing: failingOf(failing),
    ...access,
    // An operator's people read their money by the api; these are the gateway's own books.
    balances: (isReached(reachOf(viewer.roles, STAFF_ROLES), id) ? accounts : []).map(
      ({ provider, account, currency, balanceMinor }) => ({
        provider,
        account,
        currency,
        balance_minor: toBigInt(balanceMinor).toString(),
      }),
    ),
  };
}

/** Who may call: keys, secrets, networks and certificates, each list the newest first. */
async function readAccess(database: Database, operationId: string, now: Date) {
  const [keys, secrets, networks, certificates] = await Promise.all([
    newestKeys(database, operationId, MOST_ROWS + 1),
    newestWebhookSecrets(database, operationId, MOST_ROWS + 1),
    networksOf(database, operationId),
    latestCertificates(database, operationId, MOST_ROWS + 1),
  ]);
  return {
    keys: keys.slice(0, MOST_ROWS).map((key) => ({
      key_id: key.keyId,
      scopes: key.scopes as Scope[],
      created_at: key.createdAt,
      first_used_at: key.firstUsedAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      rotation: rotationOf(key, now),
    })),
    webhook_secrets: secrets.slice(0, MOST_ROWS).map(({ createdAt, expiresAt }) => ({
      created_at: createdAt,
      expires_at: expiresAt,
    })),
    networks,
    certificates: certificates.slice(0, MOST_ROWS).map(({ serial, notBefore, notAfter, revokedAt }) => ({
      serial,
      not_after: notAfter,
      renew_from: certificateRenewalFrom(notBefore, notAfter),
      revoked_at: revokedAt,
    })),
    has_older: [keys, secrets, certificates].some(({ length }) => length > MOST_ROWS),
  };
}

function failingOf(endpoint: Awaited<ReturnType<typeof readFailingEndpoints>>[number] | undefined) {
  if (endpoint === undefined) return null;
  const { waiting_events, given_up_events, since, last_attempt_at, last_status, last_error } = endpoint;
  return {
    events: waiting_events + given_up_events,
    since: since ?? last_attempt_at,
    response_status: last_status,
    error: last_error,
  };
}
