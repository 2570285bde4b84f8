// A sealed value opens in its own place only: of every sealed column of real rows, a value that was moved to another
// row, another column or another operation stays shut. About 2 s.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Database } from '../../../store/database.js';
import type { Place, SealedColumnName } from '../../../store/sealing/places.js';
import { Sealer, UnsealableError } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';
import { COLUMN_NAMES, plantSealed, readSealed, type SealedRow } from '../../support/sealed-rows.js';
import { openDatabase } from '../cli/support.js';

const sealer = new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], randomBytes(32)));

describe('a sealed value that was moved', function () {
  this.timeout(60_000);
  let test: TestDatabase;
  let database: Database;
  const rows = new Map<SealedColumnName, SealedRow[]>();

  before(async () => {
    test = await createTestDatabase();
    database = openDatabase(test.url);
    for (const operationId of ['op_1', 'op_2']) await plantSealed(database, sealer, { operationId, rows: 2 });
    for (const name of COLUMN_NAMES) rows.set(name, await readSealed(database, name));
  });
  after(async () => {
    await database.$disconnect();
    await test.drop();
  });

  const of = (name: SealedColumnName) => rows.get(name) ?? [];
  const staysShut = (place: Place, { sealed, place: own }: SealedRow) =>
    assert.throws(
      () => sealer.openBytes(place, sealed),
      UnsealableError,
      `${own.identity.join(' ')} opened as ${place.identity.join(' ')}`,
    );

  for (const name of COLUMN_NAMES)
    it(`${name}: opens in its own row, and in no other row of its operation or another one, in no other column`, () => {
      assert.equal(of(name).length, 4, 'two rows of two operations');
      for (const row of of(name)) {
        assert.equal(sealer.openBytes(row.place, row.sealed).toString('utf8'), name);
        for (const { place } of COLUMN_NAMES.flatMap(of)) if (place !== row.place) staysShut(place, row);
        // The same row key under another column's name, or of another operation.
        for (const other of COLUMN_NAMES.filter((one) => one !== name))
          staysShut({ ...row.place, identity: [other, ...row.place.identity.slice(1)] }, row);
        for (const operationId of ['op_3', null].filter((one) => one !== row.place.operationId))
          staysShut({ ...row.place, operationId }, row);
      }
    });
});
