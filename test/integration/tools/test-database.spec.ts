// The databases of the tests: dropping one waits for pools that have just ended, whose errors would fail whatever test
// runs then.
import assert from 'node:assert/strict';
import pg from 'pg';
import { createTestDatabase } from '../../../lab/harness/database.js';

describe('a test’s database', () => {
  it('is dropped after the last connection of a pool that has ended', async () => {
    const errors: string[] = [];
    for (let time = 0; time < 20; time += 1) {
      const { url, drop } = await createTestDatabase();
      const pool = new pg.Pool({ connectionString: url, max: 10 });
      pool.on('error', ({ message }) => errors.push(message));
      await Promise.all(Array.from({ length: 10 }, () => pool.query('SELECT pg_sleep(0.02)')));
      await pool.end();
      await drop();
    }
    assert.deepEqual(errors, []);
  });

  it('is dropped although somebody stays connected', async () => {
    const { url, drop } = await createTestDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const ended = new Promise<string>((resolve) => client.on('error', ({ message }) => resolve(message)));
    await drop();
    assert.match(await ended, /terminating connection|terminated/);
  });
});
