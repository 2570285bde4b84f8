// Every table of the database has one row in the table of retention, and every row names tables that there are.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RETENTION } from '../../domain/retention.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { SEALED_COLUMNS } from '../../store/sealing/places.js';

describe('retention', () => {
  const schema = readFileSync(join(projectRoot(), 'prisma', 'schema.prisma'), 'utf8');
  const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => name);

  it('names every table once', () => {
    assert.deepEqual(RETENTION.flatMap((rule) => rule.tables).sort(), tables.sort());
  });

  it('says of every table with a sealed value about players that it is personal', () => {
    const secrets = new Set(['api_key', 'webhook_secret']);
    const sealed = new Set(Object.keys(SEALED_COLUMNS).map((name) => name.split('.')[0] ?? ''));
    for (const name of sealed)
      if (!secrets.has(name))
        assert.equal(RETENTION.find((rule) => rule.tables.includes(name))?.personal, 'sealed', name);
  });
});
