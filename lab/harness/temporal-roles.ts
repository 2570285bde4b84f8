// Temporal's four roles on a run's own PostgreSQL, as `npm run cluster` has them: for benchmarks and the fault
// campaign.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { step } from '../../tools/bootstrap/progress.mjs';
import { addressOf, deployTemporalSchema, type Guard, startOrder, temporalServices } from '../cluster/temporal.js';
import { TEMPORAL_ROLES, type TemporalPorts, type TemporalRole } from '../cluster/temporal-roles.js';
import { allOrFirstFailure } from '../../tools/processes/all-or-first-failure.js';
import { findFreePort } from '../../tools/processes/ports.js';
import type { Service } from '../../tools/processes/service.js';
import { ensureDatabase } from '../../tools/servers/postgres.js';
import { resolveTemporalServer } from '../cluster/temporal-server.js';
import type { TestRun } from '../../tools/servers/test-servers.js';

/** On the run's PostgreSQL: workflows, and the index of them. */
export const TEMPORAL_DATABASES = ['temporal', 'temporal_visibility'] as const;

export interface StartedRoles {
  readonly address: string;
  readonly services: Readonly<Record<TemporalRole, Service>>;
}

/** Temporal keeps its members' ports in PostgreSQL as smallint; those of findFreePort fit. */
export async function findFreeRolePorts(): Promise<TemporalPorts> {
  const portsOf = async (role: TemporalRole) =>
    [role, { grpc: await findFreePort(), membership: await findFreePort(), metrics: await findFreePort() }] as const;
  return {
    temporalPorts: Object.fromEntries(await Promise.all(TEMPORAL_ROLES.map(portsOf))) as TemporalPorts['temporalPorts'],
  };
}

/**
 * Makes their databases and starts them; they end with the run. No namespace is made. Without a guard everybody may do
 * everything.
 */
export async function startTemporalRoles(
  run: TestRun,
  ports: TemporalPorts,
  superuserUrl: string,
  guard?: Guard,
): Promise<StartedRoles> {
  const programs = await resolveTemporalServer(process.env);
  const password = randomBytes(16).toString('hex');
  const database = async (name: string) => {
    await ensureDatabase(superuserUrl, name, password);
    return { name, password };
  };
  const databases = {
    port: Number(new URL(superuserUrl).port),
    main: await database(TEMPORAL_DATABASES[0]),
    visibility: await database(TEMPORAL_DATABASES[1]),
  };
  const logFileOf = (name: string) => join(run.folder, `${name}.log`);
  await step("Temporal's schema", () => deployTemporalSchema(programs, databases, logFileOf('temporal-schema')));
  const folder = join(run.folder, 'temporal');
  const roles = temporalServices(programs, ports, databases, folder, logFileOf, run.registry, guard);
  run.onClose(async () => void (await Promise.all(roles.map((role) => role.stop()))));
  await step("Temporal's four roles on PostgreSQL", async () => {
    for (const group of startOrder(roles)) await allOrFirstFailure(group.map((role) => role.start()));
  });
  return {
    address: addressOf(ports),
    services: Object.fromEntries(TEMPORAL_ROLES.map((role, index) => [role, roles[index]])) as StartedRoles['services'],
  };
}
