// Round trips to Postgres: what verifying a request costs, per route, and what a deposit costs from its POST to its
// last delivery.
import { step } from '../../../tools/bootstrap/progress.mjs';
import type { Bench, BenchContext } from '../bench.js';
import { depositLifeCycle, requestCosts } from '../request-costs.js';
import type { Figure, Findings } from '../result.js';

const MOST_FOR_A_GET = 1;
const MOST_FOR_A_POST = 2;
const MOST_FOR_A_DEPOSIT = 11;

export const requests: Bench = {
  name: 'requests',
  title: 'Round trips to Postgres per request, and per deposit',
  async run({ servers }: BenchContext): Promise<Findings> {
    const stack = await step('starting a stack', () => servers.startStack({ isRead: true }));
    try {
      const costs = await step('one request of each kind', () => requestCosts(stack));
      const lifeCycle = await step('a deposit from its POST to its second delivery', () => depositLifeCycle(stack));
      const most = (method: string) =>
        Math.max(...costs.filter(({ route }) => route.startsWith(method)).map(({ overhead }) => overhead));
      const figures: Figure[] = [
        { name: 'verifying a GET', value: most('GET'), unit: 'round trips', atMost: MOST_FOR_A_GET },
        {
          name: 'verifying a POST and keeping its Idempotency-Key',
          value: most('POST'),
          unit: 'round trips',
          atMost: MOST_FOR_A_POST,
        },
        {
          name: 'a deposit: one POST, callback, two deliveries, over all processes',
          value: lifeCycle.length,
          unit: 'round trips',
          atMost: MOST_FOR_A_DEPOSIT,
        },
      ];
      return {
        figures,
        tables: [
          {
            title: 'Round trips per request',
            head: ['route', 'verifying', 'the request itself, with its workflow'],
            rows: costs.map(({ route, overhead, own }) => [route, String(overhead), String(own)]),
          },
          {
            title: 'Statements of a deposit',
            head: ['#', 'statement'],
            rows: lifeCycle.map((text, index) => [String(index + 1), inOneLine(text)]),
          },
        ],
        remarks: [
          'Counted on the wire between all processes and Postgres, with the key already known to the api (it ' +
            'reads one every 55 s).',
        ],
      };
    } finally {
      await stack.close();
    }
  },
};

const SHOWN = 110;

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '¦').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)} …` : line;
}
