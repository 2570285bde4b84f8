// One PostgreSQL server for the searches for all faults: each would spend seconds on its own, and on migrations.
import { join } from 'node:path';
import pg from 'pg';

/**
 * @typedef {object} Postgres
 * @property {string} url
 * @property {() => Promise<void>} dropLives removes the databases of players that were ended
 */

/**
 * @param {string} tree whose built programs start it
 * @param {(postgres: Postgres) => Promise<void>} work
 */
export async function withPostgres(tree, work) {
  const { openTestRun, startTestPostgres } = await import(join(tree, 'dist', 'tools', 'servers', 'test-servers.js'));
  const run = await openTestRun();
  try {
    const url = await startTestPostgres(run, process.env);
    await work({ url, dropLives: () => dropLives(url) });
  } finally {
    await run.close();
  }
}

/** @param {string} url */
async function dropLives(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT datname FROM pg_database WHERE datname ~ '^lab_[0-9]+$'");
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
