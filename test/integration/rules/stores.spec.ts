// Lists and rule set versions in a real database.
import assert from 'node:assert/strict';
import { defaultRuleSet, parseRuleSetDraft } from '../../../domain/rules/rule-set.js';
import { addToList, isPlayerBlocked, listEntries, ListEntryError, removeFromList } from '../../../store/rules/lists.js';
import { currentRuleSet, insertRuleSet, ruleSetOfVersion } from '../../../store/rules/rule-sets.js';
import { CPF, sealer, World } from './world.js';

describe('lists', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew());

  const entry = (kind: string, value: string, list = 'block') => ({
    operationId: world.operationId,
    list,
    kind,
    value,
    person: 'test',
  });

  it('an entry with an end counts until then, and makes room for another', async () => {
    const block = (ms: number) =>
      addToList(world.database, sealer, {
        ...entry('player', 'player-7', 'block'),
        expiresAt: new Date(Date.now() + ms),
        reason: 'for a time',
      });
    const isBlocked = () => isPlayerBlocked(world.database, world.operationId, 'player-7');
    assert.deepEqual([await block(-1), await isBlocked()], [true, false]);
    assert.deepEqual([await block(60_000), await isBlocked()], [true, true]);
    assert.equal(await block(90_000), false);
    await removeFromList(world.database, sealer, entry('player', 'player-7', 'block'));
  });

  for (const [kind, value, spelled, equal] of [
    ['player', 'player-1', 'player-1', 'player-1'],
    ['pix_key', 'A@Example.TEST', 'a@example.test', 'a@example.test'],
    ['pix_key', '+55 11 99999-8888', '+5511999998888', '+5511999998888'],
    ['document', '529.982.247-25', '52998224725', '52998224725'],
    ['ip', '203.0.113.99/24', '203.0.113.0/24', '203.0.113.1/24'],
    ['ip', '2001:DB8::1', '2001:db8::1/128', '2001:db8:0::1/128'],
    ['device', 'Device 1', 'Device 1', 'Device 1'],
  ] as const) {
    it(`${kind} ${value}: added once, shown as ${spelled}, removed by any spelling`, async () => {
      assert.equal(await addToList(world.database, sealer, entry(kind, value)), true);
      assert.equal(await addToList(world.database, sealer, entry(kind, equal)), false);
      assert.deepEqual(
        (await listEntries(world.database, sealer, world.operationId)).map(({ list, kind: shown, value: text }) => [
          list,
          shown,
          text,
        ]),
        [['block', kind, spelled]],
      );
      assert.equal(await removeFromList(world.database, sealer, entry(kind, value, 'review')), false);
      assert.equal(await removeFromList(world.database, sealer, entry(kind, equal)), true);
      assert.equal(await removeFromList(world.database, sealer, entry(kind, equal)), false);
    });
  }

  it('nothing of a value can be read in the table', async () => {
    await addToList(world.database, sealer, entry('document', CPF));
    await addToList(world.database, sealer, entry('ip', '203.0.113.7'));
    const rows = await world.database.$queryRaw<
      { text: string }[]
    >`SELECT list_entry::text || encode(value_sealed, 'escape') AS text FROM list_entry WHERE operation_id = ${world.operationId}`;
    assert.equal(rows.length, 2);
    for (const { text } of rows) assert.doesNotMatch(text, /52998224725|203\.0\.113/);
  });

  for (const [kind, value] of [
    ['player', 'a b'],
    ['player', 'x'.repeat(65)],
    ['pix_key', ' '],
    ['pix_key', 'x'.repeat(141)],
    ['pix_key', 'a\u0000b'],
    ['document', '123'],
    ['document', 'maria'],
    ['ip', '10.0.0.0/7'],
    ['ip', '2001::/15'],
    ['device', ' d'],
    ['device', 'x'.repeat(129)],
    ['device', 'a\nb'],
  ] as const) {
    it(`refuses ${kind} ${JSON.stringify(value).slice(0, 30)}, naming the field and not the value`, async () => {
      await assert.rejects(addToList(world.database, sealer, entry(kind, value)), (error) => {
        assert.ok(error instanceof ListEntryError);
        assert.match(error.message, /^value: must be /);
        return value.trim().length < 3 || !error.message.includes(value);
      });
      assert.deepEqual(await listEntries(world.database, sealer, world.operationId), []);
    });
  }

  it('refuses an unknown list, kind or operation', async () => {
    await assert.rejects(
      addToList(world.database, sealer, entry('player', 'p', 'grey')),
      /list: must be one of block, review$/,
    );
    await assert.rejects(
      addToList(world.database, sealer, entry('email', 'p')),
      /kind: must be one of player, pix_key, document, ip, device$/,
    );
    await assert.rejects(
      addToList(world.database, sealer, { ...entry('player', 'p'), operationId: 'op_none' }),
      /operation: there is no such operation$/,
    );
  });

  it('a player is blocked by reference or by the fixed document, on the block list only', async () => {
    await world.player();
    const isBlocked = () => isPlayerBlocked(world.database, world.operationId, 'player-1');
    await addToList(world.database, sealer, entry('player', 'player-1', 'review'));
    assert.equal(await isBlocked(), false);
    await addToList(world.database, sealer, entry('document', CPF));
    assert.equal(await isBlocked(), true);
    await removeFromList(world.database, sealer, entry('document', CPF));
    await addToList(world.database, sealer, entry('player', 'player-1'));
    assert.equal(await isBlocked(), true);
    assert.equal(await isPlayerBlocked(world.database, world.operationId, 'player-2'), false);
  });
});

describe('rule set versions', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew({ auto_multiplier: '3' }));

  const insert = (expectedVersion?: number) =>
    insertRuleSet(world.database, {
      operationId: world.operationId,
      rules: defaultRuleSet(99),
      createdBy: 'test',
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
    });

  it('are numbered by the store, the highest in force', async () => {
    assert.deepEqual(await insert(), { kind: 'stored', version: 2 });
    const current = await currentRuleSet(world.database, world.operationId);
    assert.deepEqual([current?.version, current?.rules.version, current?.createdBy], [2, 2, 'test']);
    assert.equal(
      (await ruleSetOfVersion(world.database, world.operationId, 1))?.rules.currencies['BRL']?.auto_multiplier,
      '3',
    );
    assert.equal(await ruleSetOfVersion(world.database, world.operationId, 3), null);
    assert.equal(await currentRuleSet(world.database, 'op_none'), null);
  });

  it('a number taken in the very moment is not taken twice', async () => {
    const { database, operationId } = world;
    let inserting: ReturnType<typeof insert> | undefined;
    await database.$transaction(async (transaction) => {
      await insertRuleSet(transaction, { operationId, rules: defaultRuleSet(1), createdBy: 'first' });
      inserting = insert();
      // It must have found version 2 taken, and wait for this transaction's end.
      for (let waiting = false; !waiting;) {
        const [row] = await transaction.$queryRaw<
          { waiting: boolean }[]
        >`SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted) AS waiting`;
        waiting = row?.waiting === true;
      }
    });
    assert.deepEqual(await inserting, { kind: 'stored', version: 3 });
  });

  it('of twelve at once that expect the same version one is stored', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, () => insert(1)));
    assert.deepEqual(results.map(({ kind }) => kind).sort(), [...Array.from({ length: 11 }, () => 'stale'), 'stored']);
    assert.deepEqual(await insert(1), { kind: 'stale', currentVersion: 2 });
  });

  it('need their operation', async () => {
    assert.deepEqual(
      await insertRuleSet(world.database, {
        operationId: 'op_none',
        rules: parseRuleSetDraft({ currencies: { BRL: {} } }),
        createdBy: 'test',
      }),
      { kind: 'unknown_operation' },
    );
  });
});
