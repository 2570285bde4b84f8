// What a decision costs the database: facts and record, for a typical and for a very busy player, with few and with
// many payments of others around them.
import { step } from '../../../tools/bootstrap/progress.mjs';
import { storingRules } from '../../harness/storing-rules.js';
import { type Decide, DECISIONS } from '../database/decisions.js';
import type { MeasuredPlayer } from '../database/history.js';
import { createWorld, type World } from '../database/world.js';
import { costOf, type Costs, inTurns, median, percentile, ratio } from '../measure.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Figure, Findings } from '../result.js';

const MOST_MS = 15;
/** A busy player's decision reads what is kept, so the payments of others may not show; a tenth of 0.4 ms is noise. */
const MOST_GROWTH: Record<Weight, number> = { typical: 1.2, busy: 1.1 };
const DAYS = 90;
/** CPFs with right check digits. */
const PLAYERS: Record<Weight, MeasuredPlayer> = {
  typical: { ref: 'typical', document: '52998224725', payments: 10 },
  busy: { ref: 'busy', document: '11144477735', payments: 1_000 },
};
const WEIGHTS = ['typical', 'busy'] as const;
type Weight = (typeof WEIGHTS)[number];
const SIZES = ['few', 'many'] as const;
type Size = (typeof SIZES)[number];

const FULL = { few: 10_000, many: 1_000_000, rounds: 200 };
const QUICK = { few: 2_000, many: 20_000, rounds: 10 };

export const decisions: Bench = {
  name: 'decisions',
  title: 'Database time of a decision, and how it grows with the payments of others',
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const sizes = quick ? QUICK : FULL;
    const end = new Date();
    const worlds = {} as Record<Size, World>;
    try {
      for (const size of SIZES) {
        const url = await servers.newDatabase();
        const history = { payments: sizes[size], players: Object.values(PLAYERS), end, days: DAYS, complete: false };
        worlds[size] = await step(`writing ${sizes[size]} payments`, () => createWorld(url, history));
      }
      return await measure(worlds, sizes, end.toISOString());
    } finally {
      for (const world of Object.values(worlds)) await world.close();
    }
  },
};

async function measure(worlds: Record<Size, World>, sizes: typeof FULL, at: string): Promise<Findings> {
  const figures: Figure[] = [];
  for (const [decision, decide] of Object.entries(DECISIONS)) {
    for (const weight of WEIGHTS) {
      const samples = await step(`${decision}, ${weight} player`, () =>
        compare(worlds, decide, PLAYERS[weight], at, sizes.rounds),
      );
      figures.push(...figuresOf(`${decision}, ${weight} player`, MOST_GROWTH[weight], samples));
    }
  }
  return {
    figures,
    tables: [],
    remarks: [
      `${sizes.few} payments against ${sizes.many} (${Math.round(sizes.many / 10)} players), ${sizes.rounds} ` +
        `decisions each, in turns. The typical player has ${PLAYERS.typical.payments} payments, the busy one ` +
        `${PLAYERS.busy.payments}, at both sizes, over ${DAYS} days.`,
      'Database time is the processor time of the Postgres backend, median at the larger size: the statement of ' +
        'facts and the one that stores the decision. What is waited for comes on top: the commit, the way there ' +
        'and back, and on a shared machine the neighbours.',
    ],
  };
}

async function compare(
  worlds: Record<Size, World>,
  decide: Decide,
  player: MeasuredPlayer,
  at: string,
  rounds: number,
): Promise<Record<Size, Costs>> {
  const measurement = ({ observed, ...world }: World) => {
    const rules = storingRules({ database: observed.database, sealer: world.sealer });
    return async () => {
      observed.forget();
      const { processorMs } = await costOf(
        () => decide(rules, { observed, ...world }, player, at),
        [observed.processorMs],
      );
      return { processorMs, waitedMs: observed.statements.reduce((sum, { durationMs }) => sum + durationMs, 0) };
    };
  };
  return inTurns({ few: measurement(worlds.few), many: measurement(worlds.many) }, { warmUps: 20, rounds });
}

function figuresOf(name: string, mostGrowth: number, { few, many }: Record<Size, Costs>): Figure[] {
  const waited = `waited for: median ${shown(median(many.waitedMs))} ms, p99 ${shown(percentile(many.waitedMs, 0.99))} ms`;
  return [
    { name: `${name}: database time`, value: median(many.processorMs), unit: 'ms', atMost: MOST_MS, note: waited },
    {
      name: `${name}: growth`,
      value: ratio(many.processorMs, few.processorMs),
      unit: '×',
      atMost: mostGrowth,
      note:
        `from ${shown(median(few.processorMs))} ms; of the time waited ` +
        `${shown(ratio(many.waitedMs, few.waitedMs))} ×`,
    },
  ];
}
