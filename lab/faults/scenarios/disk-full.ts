// PostgreSQL's disk is full while payments are under way: on separate servers, whose data is on a small disk.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chargeReferenceOf } from '../../../domain/identifiers.js';
import { eventually } from '../../harness/eventually.js';
import { type Environment, startEnvironment } from '../environment/environment.js';
import type { JournalEntry } from '../environment/operator.js';
import { isDecision } from '../environment/requests.js';
import { startServers } from '../../harness/servers.js';
import { mountSmallDisk, type SmallDisk } from '../environment/small-disk.js';
import type { Scenario } from '../scenario.js';

/** Room for a new cluster with its template and the environment's database, and not much more. */
const DISK_MEGABYTES = 400;
/** Log segments must not take the whole of it by themselves. */
const POSTGRES_SETTINGS = { max_wal_size: '64MB', min_wal_size: '32MB' };
const FULL_FOR_MS = 30_000;
const NO_SPACE = /No space left on device/;

export const diskFull: Scenario = {
  name: 'the disk of PostgreSQL is full',
  holds:
    'creations are answered 503 (or not at all), never 2xx without being kept; reads of what is stored and ' +
    'everything else come back by themselves when there is room',
  play: onASmallDisk,
};

async function onASmallDisk({ servers: { run } }: Environment): Promise<void> {
  const disk = mountSmallDisk(join(run.folder, 'small-disk'), DISK_MEGABYTES);
  try {
    const servers = await startServers('dev', { home: join(disk.folder, 'postgres'), settings: POSTGRES_SETTINGS });
    try {
      const small = await startEnvironment(servers);
      try {
        await whileFull(small, disk);
        await small.gateway('ledger', 'verify');
        await small.gateway('workflow', 'verify');
      } finally {
        disk.free();
        await small.close();
      }
    } finally {
      await servers.close();
    }
  } finally {
    disk.unmount();
  }
}

async function whileFull(environment: Environment, disk: SmallDisk): Promise<void> {
  const { operator } = environment;
  const waiting = await Promise.all([operator.deposit(), operator.deposit()]);
  for (const { id } of waiting) await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  const log = join(environment.servers.run.folder, 'postgres.log');
  disk.fill();
  const statuses = new Map<string, number>();
  let refused: JournalEntry | undefined;
  for (const deadline = Date.now() + FULL_FOR_MS; Date.now() < deadline; await sleep(50)) {
    // Vacuum and checkpoints free a little now and then.
    disk.fill();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { body } = operator.wanted('deposit', { fields: { metadata: { text: 'x'.repeat(8_000) } } });
        const entry = operator.entryFor(randomUUID(), '/v1/deposits', JSON.stringify(body));
        const answer = await operator.postOnce(entry);
        const status = answer === null ? 'none' : String(answer.status);
        if (status === '503') refused = entry;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    );
  }
  const seen = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  assert.match(readFileSync(log, 'utf8'), NO_SPACE, `PostgreSQL has not met the end of its disk (${seen})`);
  assert.ok((statuses.get('503') ?? 0) > 0, `creations were answered ${seen}`);
  assert.ok(
    [...statuses.keys()].every((status) => ['201', '202', '503', '429', 'none'].includes(status)),
    `creations were answered ${seen}`,
  );
  // Paid while nothing can be stored: the callback is repeated until it can.
  for (const { id } of waiting) {
    const charge = `${environment.simulator.url}/control/simulator/charges/${chargeReferenceOf(id)}`;
    const headers = { 'content-type': 'application/json' };
    assert.equal((await fetch(`${charge}/pay`, { method: 'POST', headers, body: '{}' })).status, 200);
  }
  disk.free();
  for (const { id } of waiting) await operator.reaches(`/v1/deposits/${id}`, ['paid'], 120_000);
  // The same key, again: decided now.
  await eventually(
    async () => refused !== undefined && isDecision(await operator.postOnce(refused)),
    'the repeat of a refused creation is decided',
    90_000,
  );
}
