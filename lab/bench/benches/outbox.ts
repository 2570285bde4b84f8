// What a look into the outbox costs before, while and after a snapshot is held that needs every row removed meanwhile:
// a nightly check, a dump, or a standby that reports its reads.
import pg from 'pg';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { createDatabase, type Database } from '../../../store/database.js';
import { isAnyDueLately, takeDue } from '../../../store/events/outbox.js';
import { POOL } from '../database/observed.js';
import { median, percentile, type Samples } from '../measure.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Findings } from '../result.js';

/** Ten minutes of a hundred events a second: each is written, taken and removed, which leaves two dead rows. */
const FULL = { events: 60_000, looks: 100 };
const QUICK = { events: 2_000, looks: 10 };
const SNAPSHOT_SECONDS = 600;
const MOST_TIMES = 3;
const OTHERWISE = { limit: 20, except: [] };
const LOOKS = {
  nothing: isAnyDueLately,
  lately: (database: Database) => takeDue(database, { since: 'lately', ...OTHERWISE }),
  whole: (database: Database) => takeDue(database, { since: null, ...OTHERWISE }),
};
const TITLES: Readonly<Record<keyof typeof LOOKS, string>> = {
  nothing: 'asking whether something became due lately',
  lately: 'taking what became due lately',
  whole: 'taking everything that is due',
};
const PHASES = ['before', 'during', 'after'] as const;
type Phase = (typeof PHASES)[number];
const KINDS = Object.keys(LOOKS) as (keyof typeof LOOKS)[];

export const outbox: Bench = {
  name: 'outbox',
  title: 'A look into the outbox while an old snapshot is held',
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const sizes = quick ? QUICK : FULL;
    const url = await servers.newDatabase();
    const database = createDatabase({ url, ...POOL });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    try {
      return await measure(database, holder, sizes);
    } finally {
      await holder.end();
      await database.$disconnect();
    }
  },
};

async function measure(database: Database, holder: pg.Client, { events, looks }: typeof FULL): Promise<Findings> {
  const lookTimes = {} as Record<Phase, Record<keyof typeof LOOKS, Samples>>;
  const look = async (phase: Phase) => {
    const times = {} as Record<keyof typeof LOOKS, Samples>;
    for (const kind of KINDS)
      times[kind] = await step(`${TITLES[kind]}, ${phase}`, () => timesOf(() => LOOKS[kind](database), looks));
    lookTimes[phase] = times;
  };
  await look('before');
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await holder.query('SELECT count(*) FROM event_outbox');
  await step(`${events} events come and go`, () => comeAndGo(database, events));
  await look('during');
  await holder.query('COMMIT');
  await holder.query('VACUUM event_outbox');
  await look('after');
  return {
    figures: [
      ...KINDS.flatMap((kind) =>
        PHASES.map((phase) => ({
          name: `${TITLES[kind]}, ${phase}`,
          value: median(lookTimes[phase][kind]),
          unit: 'ms',
          note: `p95 ${shown(percentile(lookTimes[phase][kind], 0.95))} ms`,
        })),
      ),
      {
        name: 'taking what became due lately, during ÷ before',
        value: median(lookTimes.during.lately) / median(lookTimes.before.lately),
        unit: '×',
        atMost: MOST_TIMES,
      },
    ],
    tables: [],
    remarks: [
      `${events} events of ${SNAPSHOT_SECONDS} seconds come and go while the snapshot is held, in batches instead of ` +
        `one by one: two dead rows each. Then ${looks} looks of each kind, each with the planning of its statement. A ` +
        'process looks lately ten times a second, and at everything every 15 s. “After” is after a vacuum, which ' +
        'autovacuum makes within a minute.',
    ],
  };
}

/** Their rows are due over the time of the snapshot, are taken for 25 s, and are removed. */
async function comeAndGo(database: Database, events: number): Promise<void> {
  await database.$executeRaw`
    INSERT INTO event_outbox (event_id, operation_id, due_at)
    SELECT 'evt_' || n, 'op_bench', now() - (${events} - n) * make_interval(secs => ${SNAPSHOT_SECONDS / events})
    FROM generate_series(1, ${events}::int) AS n`;
  await database.$executeRaw`UPDATE event_outbox SET due_at = due_at + interval '25 seconds'`;
  await database.$executeRaw`DELETE FROM event_outbox`;
}

async function timesOf(look: () => Promise<unknown>, looks: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < looks) {
    const startedAt = performance.now();
    await look();
    times.push(performance.now() - startedAt);
  }
  return times;
}
