// Any body on any POST: never a 5xx, always a well-formed answer, no handler runs on an invalid body, and what is valid
// is decided as by an independent reading.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { z } from 'zod';
import type { RouteDefinition } from '../../contract/http/route.js';
import { ROUTES } from '../../contract/http/routes.js';
import { ruleSet } from '../../contract/http/schemas/rules.js';
import type { Answer } from '../integration/api-pipeline/harness.js';
import { changed } from '../unit/http-schemas/bodies.js';
import { runs, SEED, timeoutFor } from '../support/properties.js';
import { mutations, spoiled, textOf, treeOf } from './json-trees.js';
import { isAllowed } from './second-reading.js';
import { openWorld, refusalIn, type World } from './world.js';

interface Posting {
  readonly route: RouteDefinition;
  readonly target: string;
  readonly example: unknown;
}

/** Where the schema has none of its own. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  proposeRuleChange: { rules: z.globalRegistry.get(ruleSet)?.['example'], justification: 'campaign' },
  sandboxPayDeposit: {
    payer_document: { type: 'CPF', number: '11144477735', country: 'BR' },
    paid_amount: { amount: '5000', currency: 'BRL' },
  },
  recallWithdrawal: { reason_code: 'duplicate', justification: 'sent twice' },
  createFxQuote: { sell: { amount: '5000', currency: 'BRL' } },
};
const samplePath = (path: string) =>
  path
    .replace('/deposits/:id', '/deposits/dep_1')
    .replace('/withdrawals/:id', '/withdrawals/wdr_1')
    .replace(':action', 'approve')
    .replace(':decision', 'approve')
    .replace(':date', '2026-11-20');

const POSTINGS: readonly Posting[] = ROUTES.filter(({ method }) => method === 'POST').map((route: RouteDefinition) => ({
  route,
  target: `/v1${samplePath(route.path)}`,
  example: EXAMPLES[route.name] ?? z.globalRegistry.get(route.body as z.ZodType)?.['example'],
}));

/**
 * Facts about several fields, or about text, that the document's schemas cannot say (lab/fuzz/hooks.py has the same
 * list).
 */
const BEYOND_THE_DOCUMENT = (path: string, { field, reason }: { field: string; reason: string }) =>
  ['one_of', 'method_mismatch'].includes(reason) ||
  field === 'rules.timezone' ||
  // A tax number is no reference, nor is the number of the player's own document.
  (reason === 'format' && field === 'player.external_ref') ||
  (reason === 'range' && field.startsWith('rules.') && /(_max|auto_hours\.to)$/.test(field)) ||
  (path === '/withdrawals' && /^destination\.(?!pix)/.test(field));

const errorsOf = ({ json }: Answer) => (json?.['errors'] ?? []) as { field: string; reason: string }[];

/** Fields that take nearly any text: here the scanner alone stands between a strange character and the database. */
const FREE_TEXT = [
  ['/v1/deposits', 'locale'],
  ['/v1/deposits', 'metadata.note'],
  ['/v1/deposits', 'player.device_id'],
  ['/v1/withdrawals', 'player.name'],
  ['/v1/withdrawals', 'player.kyc_level'],
  ['/v1/withdrawals/wdr_1/recall', 'justification'],
  ['/v1/fx/quotes', 'note'],
] as const;

/** By target: a counterexample names it. */
const postings = new Map(POSTINGS.map((posting) => [posting.target, posting]));
const target = fc.constantFrom(...postings.keys());

describe(`any body (seed ${SEED})`, function () {
  this.timeout(timeoutFor(120_000));
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world?.close());

  async function judge({ route, target: path }: Posting, body: Buffer): Promise<Answer> {
    const { answer, ran } = await world.ask({ method: 'POST', target: path, body });
    const code = refusalIn(answer);
    assert.equal(ran.length, code === undefined ? 1 : 0, 'the handler runs if and only if the request is accepted');
    assert.ok(code === undefined || code === 'validation_failed', answer.text);
    const allowed = isAllowed(route, body);
    if (code === undefined) assert.ok(allowed, 'accepted, though the document forbids it');
    else if (allowed)
      assert.ok(
        errorsOf(answer).some((error) => BEYOND_THE_DOCUMENT(route.path, error)),
        `refused, though the document allows it: ${answer.text}`,
      );
    return answer;
  }

  it('the examples are accepted', async () => {
    for (const posting of POSTINGS)
      assert.equal(
        refusalIn(await judge(posting, Buffer.from(JSON.stringify(posting.example)))),
        undefined,
        posting.target,
      );
  });

  it('a valid body, spoiled in up to three places', async () => {
    await fc.assert(
      fc.asyncProperty(target, mutations, async (path, spoilings) => {
        const one = postings.get(path)!;
        await judge(one, Buffer.from(textOf(spoiled(treeOf(one.example), spoilings)), 'utf8'));
      }),
      runs(600),
    );
  });

  it('any text in the fields that take any', async () => {
    const text = fc
      .array(fc.constantFrom('a', ' ', '"', '\\', '\n', 'é', '\u2028', '😀', '\0', '\ud83d', '\ude00'), {
        maxLength: 5,
      })
      .map((characters) => characters.join(''));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FREE_TEXT), text, async ([path, field], value) => {
        const one = postings.get(path)!;
        await judge(one, Buffer.from(JSON.stringify(changed(one.example as object, field, value)), 'utf8'));
      }),
      runs(100),
    );
  });

  it('damaged bytes, and the same bytes get the same answer', async () => {
    const damage = fc.array(
      fc.record({ at: fc.nat(), length: fc.nat({ max: 4 }), bytes: fc.uint8Array({ maxLength: 4 }) }),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(target, damage, async (path, cuts) => {
        const one = postings.get(path)!;
        let body = Buffer.from(JSON.stringify(one.example));
        for (const { at, length, bytes } of cuts) {
          const start = at % (body.length + 1);
          body = Buffer.concat([body.subarray(0, start), bytes, body.subarray(start + length)]);
        }
        const [first, second] = [await judge(one, body), await judge(one, body)];
        assert.deepEqual([first.status, withoutTrace(first)], [second.status, withoutTrace(second)]);
      }),
      runs(150),
    );
  });
});

function withoutTrace({ json }: Answer): unknown {
  return { ...json, trace_id: null };
}
