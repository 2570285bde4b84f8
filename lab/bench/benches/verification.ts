// The processor time of taking a request in: signature, strict parsing and validation of a creation's body of 2 KiB.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { fingerprintOf } from '../../../api/middleware/idempotency.js';
import { readInput } from '../../../api/middleware/input.js';
import { signatureMatches } from '../../../api/middleware/signature.js';
import { isProblem } from '../../../contract/http/errors.js';
import type { RouteDefinition } from '../../../contract/http/route.js';
import { ROUTES } from '../../../contract/http/routes.js';
import { newDeposit } from '../../harness/payments.js';
import type { Bench, BenchContext } from '../bench.js';
import { costOf, inTurns, median, ownProcessorMs } from '../measure.js';
import type { Findings } from '../result.js';

const BODY_BYTES = 2_048;
const MOST_MS = 0.5;
const TARGET = '/v1/deposits';
/** Requests per measurement: one alone is shorter than the processor's clock is fine. */
const AT_ONCE = 200;

export const verification: Bench = {
  name: 'verification',
  title: 'Processor time of authentication, strict parsing and validation of 2 KiB',
  async run({ quick }: BenchContext): Promise<Findings> {
    const body = bodyOf(BODY_BYTES);
    const secret = randomBytes(48);
    const request = {
      timestamp: String(Math.floor(Date.now() / 1_000)),
      nonce: randomBytes(16).toString('hex'),
      method: 'POST',
      target: TARGET,
      body,
    };
    const canonical = [
      'v1',
      request.timestamp,
      request.nonce,
      'POST',
      TARGET,
      createHash('sha256').update(body).digest('hex'),
    ].join('\n');
    const signature = `v1=${createHmac('sha256', secret).update(canonical).digest('hex')}`;
    const route: RouteDefinition | undefined = ROUTES.find(({ name }) => name === 'createDeposit');
    if (route === undefined) throw new Error('there is no such route');
    const takeIn = () => {
      if (!signatureMatches(request, signature, secret)) throw new Error('the signature is wrong');
      if (isProblem(readInput(route, { target: TARGET, params: {}, contentType: 'application/json', body })))
        throw new Error('the body is refused');
      fingerprintOf('POST', TARGET, body);
    };
    const many = (work: () => unknown) => () => costOf(() => repeat(work), [ownProcessorMs]);
    const costs = await inTurns(
      { whole: many(takeIn), bare: many(() => JSON.parse(body.toString('utf8')) as unknown) },
      { warmUps: 20, rounds: quick ? 10 : 60 },
    );
    return {
      figures: [
        {
          name: 'taking in one request',
          value: median(costs.whole.processorMs) / AT_ONCE,
          unit: 'ms',
          atMost: MOST_MS,
        },
        {
          name: 'against JSON.parse of the same bytes',
          value: median(costs.whole.processorMs) / median(costs.bare.processorMs),
          unit: '×',
        },
      ],
      tables: [],
      remarks: [
        `A valid POST /deposits of ${body.length} bytes; signature, strict scanner, schema, fingerprint; without ` +
          'the round trip to the database.',
      ],
    };
  },
};

/** A deposit whose metadata fills it up. */
function bodyOf(bytes: number): Buffer {
  const filled = (length: number) => JSON.stringify({ ...newDeposit(), metadata: { note: 'x'.repeat(length) } });
  return Buffer.from(filled(bytes - filled(0).length));
}

async function repeat(work: () => unknown): Promise<void> {
  for (let done = 0; done < AT_ONCE; done += 1) work();
}
