// Resealing with another key: every sealed column, in batches, while others write; and when an old key may go.
// About 6 s.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import type { Database } from '../../../store/database.js';
import { placeOf } from '../../../store/sealing/places.js';
import { resealAll } from '../../../store/sealing/sealed-values.js';
import { noteKeyUse, sealingStatus } from '../../../store/sealing/key-use.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';
import { COLUMN_NAMES, plantSealed, readSealed } from '../../support/sealed-rows.js';
import { openDatabase } from '../cli/support.js';

const ROWS = 23;
const document = (ref: string) => placeOf('player.document_sealed', 'op_1', { external_ref: ref });
const [k1, k2, hash] = [{ id: 'k1', key: randomBytes(32) }, { id: 'k2', key: randomBytes(32) }, randomBytes(32)];
const before1 = new Sealer(keysInMemory([k1], hash));
const after2 = new Sealer(keysInMemory([k2, k1], hash));
const onlyNew = new Sealer(keysInMemory([k2], hash));

const sumOf = (counts: object) => (Object.values(counts) as number[]).reduce((sum, number) => sum + number, 0);

describe('resealing', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let database: Database;

  before(async () => {
    test = await createTestDatabase();
    database = openDatabase(test.url);
    await plantSealed(database, before1, { operationId: 'op_1', rows: ROWS });
  });
  after(async () => {
    await database.$disconnect();
    await test.drop();
  });

  it('knows every sealed column of the schema', () => {
    const schema = readFileSync(join(projectRoot(), 'prisma', 'schema.prisma'), 'utf8');
    const columns = schema.split(/^model /m).flatMap((model) => {
      const table = /@@map\("(\w+)"\)/.exec(model)?.[1] ?? '';
      return [...model.matchAll(/@map\("(\w+_sealed)"\)/g)].map(([, column]) => `${table}.${column}`);
    });
    assert.ok(columns.length >= 9);
    assert.deepEqual([...COLUMN_NAMES].sort(), columns.sort());
  });

  it('an event stays as it is: only its seal may change, and only by who says so', async () => {
    const [event] = await database.$queryRaw<{ id: string }[]>`SELECT id FROM event LIMIT 1`;
    await assert.rejects(
      () => database.$executeRaw`UPDATE event SET body_sealed = 'x' WHERE id = ${event!.id}`,
      'without saying so',
    );
    const alter = (statement: string) =>
      database.$transaction([
        database.$executeRawUnsafe(`SET LOCAL gateway.resealing = 'on'`),
        database.$executeRawUnsafe(statement),
      ]);
    await assert.rejects(
      () => alter(`UPDATE event SET type = 'deposit.paid', body_sealed = 'x' WHERE id = '${event!.id}'`),
      'more than the seal',
    );
    await assert.rejects(() => alter(`DELETE FROM event WHERE id = '${event!.id}'`), /append-only/);
  });

  it('a run that is cut continues where it is needed; a value written meanwhile stays its writer’s', async () => {
    let batches = 0;
    const raced = onlyNew.sealBytes(document('p-3'), Buffer.from('written meanwhile'));
    const cut = await resealAll(database, after2, { batch: 5, isCancelled: () => (batches += 1) > 3 });
    assert.equal(sumOf(cut), 15);
    await database.$executeRaw`UPDATE player SET document_sealed = ${raced}::bytea WHERE external_ref = 'p-3'`;
    const progress: string[] = [];
    const rest = await resealAll(database, after2, { batch: 5, onProgress: ({ column }) => progress.push(column) });
    const expected = COLUMN_NAMES.length * ROWS - 15 - 1;
    assert.equal(sumOf(rest), expected);
    assert.ok(new Set(progress).size >= COLUMN_NAMES.length - 1);
    const again = await resealAll(database, after2, { batch: 5 });
    assert.equal(sumOf(again), 0, 'nothing is left');
  });

  it('every column opens with the new key alone, and says what it said', async () => {
    for (const name of COLUMN_NAMES) {
      const rows = await readSealed(database, name);
      assert.equal(rows.length, ROWS);
      for (const { place, sealed } of rows) {
        const text = onlyNew.openBytes(place, sealed).toString('utf8');
        assert.ok(text === name || text === 'written meanwhile', `${place.identity.join(' ')}: ${text}`);
      }
    }
  });

  describe('retiring the old key', () => {
    const status = async (openBefore: ((moment: Date) => Promise<number>) | null, nowMs = Date.now) =>
      (await sealingStatus(database, { currentKeyId: 'k2', knownKeyIds: [], openBefore, nowMs })).find(
        ({ id }) => id === 'k1',
      )?.blocks;
    const later = () => Date.now() + 6 * 60_000;
    const none = () => Promise.resolve(0);

    it('never recorded: what it sealed is unknown', async () => {
      await noteKeyUse(database, keysInMemory([k2, k1], hash));
      assert.equal(await status(none), undefined, 'nothing knows of it any more');
      const [k2Status] = await sealingStatus(database, {
        currentKeyId: 'k2',
        knownKeyIds: ['k1'],
        openBefore: none,
        nowMs: Date.now,
      });
      assert.deepEqual([k2Status?.id, k2Status?.blocks], ['k1', ['never_noted']]);
    });

    it('just used → in_use; older workflows open, or not asked → older_workflows_open; then free', async () => {
      await noteKeyUse(database, keysInMemory([k1], hash));
      assert.deepEqual(await status(none), ['in_use']);
      assert.deepEqual(await status(() => Promise.resolve(2), later), ['older_workflows_open']);
      assert.deepEqual(await status(null, later), ['older_workflows_open']);
      assert.deepEqual(await status(none, later), []);
    });

    it('one value sealed with it → seals_values', async () => {
      await database.$executeRaw`UPDATE player SET document_sealed =
        ${before1.sealBytes(document('p-0'), Buffer.from('player.document_sealed'))}::bytea WHERE external_ref = 'p-0'`;
      const all = await sealingStatus(database, {
        currentKeyId: 'k2',
        knownKeyIds: [],
        openBefore: none,
        nowMs: later,
      });
      assert.deepEqual(
        all.map(({ id, total, blocks }) => [id, total, blocks]),
        [
          ['k1', 1, ['seals_values']],
          ['k2', COLUMN_NAMES.length * ROWS - 1, ['current', 'seals_values']],
        ],
      );
    });
  });
});
