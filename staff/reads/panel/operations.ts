// What is configured for the operations that a person reaches, without any secret; their rules, their lists.
import type { Answering, Asked } from '../../../contract/panel/routes.js';
import { type AccountName, pausedBy } from '../../../domain/provider-accounts.js';
import { keyRotationOf } from '../../../domain/rotation.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import type { Reach } from '../../../domain/staff.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { type Database, toBigInt } from '../../../store/database.js';
import { readFailingEndpoints } from '../../../store/events/failing-endpoints.js';
import { readPauses } from '../../../store/operations/provider-pauses.js';
import { operationById } from '../../../store/operations/operations.js';
import { latestRuleChanges } from '../../../store/rules/rule-change-requests.js';
import { currentRuleSet } from '../../../store/rules/rule-sets.js';
import { readListEntries } from '../../../store/rules/list-entries.js';
import { sees, type Viewer } from '../../viewer.js';
import { readCursor, writeCursor } from './cursor.js';
import type { PaymentReads } from './payment.js';

const MOST_OPERATIONS = 200;
const MOST_ROWS = 1_000;
const PAGE_SIZE = 50;

export async function readOperations(
  database: Database,
  { reach }: Viewer,
  now: Date,
): Promise<Answering<'readOperations'>> {
  const operations = await database.operation.findMany({
    where: reachedIds(reach),
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: MOST_OPERATIONS,
  });
  const of = { where: { operationId: { in: operations.map(({ id }) => id) } }, take: MOST_ROWS };
  const [keys, secrets, networks, certificates, accounts, failing, pauses] = await Promise.all([
    database.apiKey.findMany({ ...of, orderBy: { createdAt: 'asc' }, omit: { secretSealed: true } }),
    database.webhookSecret.findMany({ ...of, orderBy: { createdAt: 'asc' }, omit: { secretSealed: true } }),
    database.allowedNetwork.findMany({ ...of, orderBy: { cidr: 'asc' } }),
    database.clientCertificate.findMany({ ...of, orderBy: { notAfter: 'asc' } }),
    database.ledgerAccount.findMany({ ...of, orderBy: { account: 'asc' } }),
    readFailingEndpoints(database, { operationId: null, take: MOST_ROWS }),
    readPauses(database),
  ]);
  const pauseOf = (account: string) =>
    pauses.find(({ provider }) => pausedBy(account as AccountName).some((name) => name === provider));
  const own = <Row extends { operationId: string }>(rows: readonly Row[], id: string) =>
    rows.filter(({ operationId }) => operationId === id);
  return {
    items: operations.map(({ id, ...operation }) => ({
      id,
      name: operation.name,
      environment: operation.environment,
      status: operation.status,
      provider: operation.provider,
      created_at: operation.createdAt,
      provider_paused_at: pauseOf(operation.provider)?.pausedAt ?? null,
      automatic_stopped_at: operation.automaticStoppedAt,
      webhook_url: operation.webhookUrl,
      failing: failingOf(failing.find(({ operation_id }) => operation_id === id)),
      keys: own(keys, id).map((key) => ({
        key_id: key.keyId,
        scopes: key.scopes,
        created_at: key.createdAt,
        first_used_at: key.firstUsedAt,
        expires_at: key.expiresAt,
        revoked_at: key.revokedAt,
        rotation: key.revokedAt === null ? keyRotationOf(key, now) : 'ended',
      })),
      webhook_secrets: own(secrets, id).map(({ createdAt, expiresAt }) => ({
        created_at: createdAt,
        expires_at: expiresAt,
      })),
      networks: own(networks, id).map(({ cidr }) => cidr),
      certificates: own(certificates, id).map(({ serial, notAfter, revokedAt }) => ({
        serial,
        not_after: notAfter,
        revoked_at: revokedAt,
      })),
      balances: own(accounts, id).map(({ account, currency, balanceMinor }) => ({
        account,
        currency,
        balance_minor: toBigInt(balanceMinor).toString(),
      })),
    })),
  };
}

function reachedIds(reach: Reach) {
  return reach === 'every' ? {} : { id: { in: [...reach] } };
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

/** The rules in force, their history, and the changes that were asked for. Null: no such operation for the viewer. */
export async function readRules(
  database: Database,
  viewer: Viewer,
  operationId: string,
): Promise<Answering<'readRules'> | null> {
  const operation = sees(viewer, operationId) ? await operationById(database, operationId) : null;
  if (operation === null) return null;
  const [current, history, changes] = await Promise.all([
    currentRuleSet(database, operationId),
    database.ruleSetVersion.findMany({
      where: { operationId },
      orderBy: { version: 'desc' },
      take: PAGE_SIZE,
      select: { version: true, createdAt: true, createdBy: true },
    }),
    latestRuleChanges(database, operationId, PAGE_SIZE),
  ]);
  return {
    operation: { id: operationId, name: operation.name },
    in_force: {
      version: current?.version ?? 1,
      rules: (current?.rules ?? defaultRuleSet(1)) as unknown as JsonValue,
      created_at: current?.createdAt ?? null,
      created_by: current?.createdBy ?? null,
    },
    history: history.map(({ version, createdAt, createdBy }) => ({
      version,
      created_at: createdAt,
      created_by: createdBy,
    })),
    changes: changes.map((change) => ({
      id: change.id,
      status: change.status,
      base_version: change.baseVersion,
      applied_version: change.appliedVersion,
      justification: change.justification,
      requested_by: change.requestedBy,
      created_at: change.createdAt,
      decided_at: change.decidedAt,
    })),
  };
}

/** The entries of block and review lists, without their values. Null: no such operation for the viewer. */
export async function readLists(
  { database, sealer }: PaymentReads,
  viewer: Viewer,
  operationId: string,
  { list, kind, cursor }: Asked<'readLists'>['query'],
): Promise<Answering<'readLists'> | 'bad_cursor' | null> {
  const operation = sees(viewer, operationId) ? await operationById(database, operationId) : null;
  if (operation === null) return null;
  const skip = cursor === undefined ? 0 : Number(readCursor(cursor, 1)?.[0] ?? Number.NaN);
  if (!Number.isSafeInteger(skip) || skip < 0) return 'bad_cursor';
  const rows = await readListEntries(database, sealer, {
    operationId,
    list: list ?? null,
    kind: kind ?? null,
    take: PAGE_SIZE + 1,
    skip,
  });
  return {
    operation: { id: operationId, name: operation.name },
    items: rows.slice(0, PAGE_SIZE) as Answering<'readLists'>['items'],
    next: rows.length > PAGE_SIZE ? writeCursor([String(skip + PAGE_SIZE)]) : null,
  };
}
