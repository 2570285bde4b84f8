// That the judge would find something: a small contract, of which all routes but one are served wrongly.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { problem } from '../../contract/http/errors.js';
import { openApiYaml } from '../../contract/http/openapi.js';
import type { RouteDefinition, RouteHandler } from '../../contract/http/route.js';
import { BOUNDED } from '../../lab/fuzz/options.js';
import { runJudge, SCHEMATHESIS } from '../../lab/fuzz/run.js';
import { type Verdict, verdictOf } from '../../lab/fuzz/verdict.js';
import { startPipeline } from '../integration/api-pipeline/harness.js';
import { judgeOrSkip } from './judge-or-skip.js';

const OPTIONS = { ...BOUNDED, limitSeconds: 120 };
const common = {
  tag: 'T',
  summary: 'S',
  access: 'any_key',
  errors: [],
  success: { 200: { description: 'Done.', schema: z.object({}) } },
} as const;
const query = z.object({
  limit: z
    .string()
    .regex(/^[0-9]+$/)
    .optional(),
});
const note = z.strictObject({ note: z.string() });

const DOCUMENT: RouteDefinition = {
  ...common,
  name: 'document',
  method: 'GET',
  path: '/openapi.yaml',
  access: 'public',
  success: { 200: { description: 'This.', contentType: 'application/yaml' } },
};
const PROMISED: readonly RouteDefinition[] = [
  DOCUMENT,
  { ...common, name: 'right', method: 'GET', path: '/right', query, errors: ['validation_failed'] },
  { ...common, name: 'crashing', method: 'GET', path: '/crashing', query, errors: ['validation_failed'] },
  { ...common, name: 'undocumented', method: 'GET', path: '/undocumented', query, errors: ['validation_failed'] },
  {
    ...common,
    name: 'misshapen',
    method: 'GET',
    path: '/misshapen',
    query,
    errors: ['validation_failed'],
    success: { 200: { description: 'Done.', schema: z.object({ ok: z.boolean() }) } },
  },
  { ...common, name: 'lax', method: 'POST', path: '/lax', body: note },
  { ...common, name: 'picky', method: 'POST', path: '/picky', body: note },
  { ...common, name: 'shut', method: 'GET', path: '/shut', query, errors: ['validation_failed', 'not_found'] },
];
const SERVED = PROMISED.map((route): RouteDefinition => {
  if (route.name === 'lax') return { ...route, body: z.unknown() };
  return route.name === 'picky' ? { ...route, body: z.strictObject({ note: z.string().regex(/^[a-z]{9}$/) }) } : route;
});

const done = async () => ({ status: 200, body: {} });
const HANDLERS: Record<string, RouteHandler> = {
  document: async () => ({ status: 200, body: openApiYaml(PROMISED, { environment: 'sandbox' }) }),
  right: done,
  crashing: async () => {
    throw new Error('crash');
  },
  undocumented: async () => ({ status: 203, body: {} }),
  misshapen: async () => ({ status: 200, body: { ok: 'yes' } }),
  lax: done,
  picky: done,
  shut: async () => problem('not_found'),
};

describe('what the judge finds', () => {
  let verdict: Verdict;

  before(async function () {
    this.timeout(180_000);
    const python = await judgeOrSkip(this, SCHEMATHESIS);
    const folder = mkdtempSync(join(tmpdir(), 'judge-'));
    const pipeline = await startPipeline({
      routes: SERVED,
      handlers: HANDLERS as Record<string, RouteHandler<never, never>>,
    });
    try {
      const { keyId: key_id, secret } = pipeline.key;
      const run = {
        python,
        baseUrl: `${pipeline.url}/v1`,
        operation: { keys: [{ key_id, secret }], known: {} },
        options: OPTIONS,
        folder,
        print: () => undefined,
      };
      verdict = verdictOf(await runJudge(run), PROMISED, OPTIONS.count);
    } finally {
      await pipeline.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const findings = (label: string) =>
    verdict.routes
      .find((route) => route.label === label)
      ?.findings.concat(verdict.run)
      .join('\n') ?? 'not judged';

  it('nothing where nothing is wrong', () =>
    assert.deepEqual(verdict.routes.find(({ label }) => label === 'GET /right')?.findings, [], verdict.run.join('\n')));

  for (const [label, finding] of [
    ['GET /crashing', /Server error/],
    ['GET /undocumented', /Undocumented status code/],
    ['GET /misshapen', /Response violates schema/],
    ['POST /lax', /Schema-violating request accepted/],
    ['POST /picky', /Valid by the document, refused as invalid/],
    ['GET /shut', /never answered 200/],
  ] as const) {
    it(`${label}: ${finding.source}`, () => assert.match(findings(label), finding));
  }

  it('a route that was never called, and a sequence that was never tried', () => {
    const empty = verdictOf({ operations: new Map(), errors: [] }, PROMISED, OPTIONS.count);
    assert.ok(empty.routes.every(({ findings: [first] }) => first === 'was never asked'));
    assert.equal(empty.run.length, 1);
  });
});
