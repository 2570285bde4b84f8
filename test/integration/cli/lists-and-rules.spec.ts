// Block and review lists, and rule sets, as support staff change them.
import assert from 'node:assert/strict';
import { createTestGateway, type TestGateway, testSealer } from './support.js';
import { placeOf } from '../../../store/sealing/places.js';

describe('gateway list, rules', () => {
  let gateway: TestGateway;
  let id: string;
  before(async () => {
    gateway = await createTestGateway();
    id = (await gateway.operation())['operation_id'];
  });
  after(() => gateway.close());

  const VALUES = {
    player: 'player-7',
    pix_key: 'Ana@Example.test',
    document: '529.982.247-25',
    ip: '203.0.113.0/24',
    device: 'device-1',
  };
  for (const [kind, value] of Object.entries(VALUES)) {
    it(`list add and remove: ${kind}; the value is sealed and never printed back`, async () => {
      for (const list of ['block', 'review']) {
        const entry = ['--operation', id, '--list', list, '--kind', kind, value];
        const { stdout } = await gateway.run('list', 'add', '--reason', 'ticket 4711', '--days', '30', ...entry);
        assert.deepEqual(JSON.parse(stdout), { operation_id: id, list, kind, added: true });
        assert.ok(!stdout.includes(value));
        assert.equal((await gateway.json('list', 'add', ...entry))['added'], false);
        const rows = await gateway.rows(
          'SELECT * FROM list_entry WHERE operation_id = $1 AND list = $2 AND kind = $3',
          id,
          list,
          kind,
        );
        assert.equal(rows.length, 1);
        assert.equal(rows[0]?.['reason'], 'ticket 4711');
        const lasts = rows[0]?.['expires_at'] as Date;
        assert.ok(Math.abs(lasts.getTime() - Date.now() - 30 * 86_400_000) < 60_000);
        const place = placeOf('list_entry.value_sealed', id, { list, kind, value_hash: rows[0]?.['value_hash'] });
        assert.equal(testSealer.openBytes(place, rows[0]?.['value_sealed']).toString('utf8').length > 0, true);
        assert.equal((await gateway.json('list', 'remove', ...entry))['removed'], true);
        assert.equal((await gateway.json('list', 'remove', ...entry))['removed'], false);
        assert.deepEqual(await gateway.rows('SELECT 1 FROM list_entry WHERE operation_id = $1', id), []);
      }
    });
  }

  it('list refuses bad input by one line that names the field and does not repeat the value', async () => {
    const bad = 'not-a-document-4711';
    const { stderr } = await gateway.run(`list add --operation ${id} --list block --kind document`, bad);
    assert.match(stderr, /^gateway: VALUE: must be a CPF/);
    assert.ok(!stderr.includes(bad));
    await gateway.fails(2, /--kind/, `list add --operation ${id} --list block --kind name x`);
    await gateway.fails(1, /no such operation/, 'list add --operation op_0 --list block --kind player x');
  });

  it('rules set stores the next version whatever the file says; rules show reads it', async () => {
    const set = await gateway.json(
      `rules set --operation ${id}`,
      gateway.file('{"version":41,"currencies":{"BRL":{"auto_multiplier":"2"}}}'),
      '--as',
      'ana',
    );
    assert.deepEqual([set['version'], set['rules'].version], [2, 2]);
    const next = await gateway.json(
      `rules set --operation ${id}`,
      gateway.file('{"currencies":{"BRL":{"auto_multiplier":"3"}}}'),
      '--as',
      'ana',
    );
    assert.equal(next['version'], 3);
    const shown = await gateway.json('rules', 'show', '--operation', id);
    assert.deepEqual(
      [shown['version'], shown['rules'].currencies.BRL.auto_multiplier, shown['created_by']],
      [3, '3', 'ana'],
    );
    const stored = await gateway.rows('SELECT version FROM rule_set_version WHERE operation_id = $1 ORDER BY 1', id);
    assert.deepEqual(
      stored.map((row) => row['version']),
      [1, 2, 3],
    );
  });

  it('rules set refuses a bad file by field, and stores nothing', async () => {
    const [before] = await gateway.rows('SELECT count(*) FROM rule_set_version');
    const refused = (document: object, line: RegExp) =>
      gateway.fails(2, line, 'rules set --operation op_0', gateway.file(JSON.stringify(document)));
    const version = /FILE: version: must be a whole number from 1 to 2147483647$/m;
    await refused({ version: '2', currencies: { BRL: {} } }, version);
    await refused({ currencies: { BRL: { deposit_min: 100 } } }, /FILE: currencies.BRL.deposit_min: /);
    await refused(
      { currencies: { BRL: {} }, engine: { auto_suspended: 'yes' } },
      /FILE: engine\.auto_suspended: must be true or false$/m,
    );
    const sound = gateway.file('{"currencies":{"BRL":{}}}');
    await gateway.fails(1, /no such operation/, 'rules set --operation op_0', sound);
    await gateway.fails(1, /no such operation/, 'rules show --operation op_0');
    assert.deepEqual((await gateway.rows('SELECT count(*) FROM rule_set_version'))[0], before);
  });
});
