// A signed call of each route for the API reference, in five languages. A test runs them.
import type { z } from 'zod';
import { inGo, inJava, inJavaScript, inPython, inShell, type SampleCall } from './sample-languages.js';
import type { RouteDefinition } from './route.js';

export interface CodeSample {
  readonly lang: 'Shell' | 'Python' | 'JavaScript' | 'Go' | 'Java';
  readonly label: string;
  readonly source: string;
}

/** Example values of path and query parameters. */
const VALUES: Readonly<Record<string, string>> = {
  external_ref: 'player-1001',
  action: 'approve',
  decision: 'approve',
  date: '2026-11-20',
  currency: 'BRL',
};
const IDS = {
  deposits: 'dep_0f6c2f4a9d3b4e5f8a7b6c5d4e3f2a1b',
  withdrawals: 'wdr_7d1f0c2b3a4958677869504132231405',
  quotes: 'fxq_1',
  receipts: 'rcv_1',
} as const;

/** The sample calls of a route. */
export function codeSamplesOf(route: RouteDefinition): readonly CodeSample[] {
  const call: SampleCall = {
    method: route.method,
    target: sampleTarget(route),
    body: sampleBodyText(route),
    headers: sampleHeaders(route),
  };
  if (route.access === 'public') return [{ lang: 'Shell', label: 'curl', source: `curl -sS "$BASE${call.target}"` }];
  return [
    { lang: 'Shell', label: 'curl', source: inShell(call) },
    { lang: 'Python', label: 'Python', source: inPython(call) },
    { lang: 'JavaScript', label: 'Node.js', source: inJavaScript(call) },
    { lang: 'Go', label: 'Go', source: inGo(call) },
    { lang: 'Java', label: 'Java', source: inJava(call) },
  ];
}

/** The example of a route's body from its schema; undefined for a call without a body. */
export function sampleBodyOf({ body }: Pick<RouteDefinition, 'body'>): unknown {
  if (body === undefined || body === 'none') return undefined;
  const example = (body as z.ZodType).meta()?.['example'];
  return JSON.stringify(example) === '{}' ? undefined : example;
}

function sampleBodyText(route: RouteDefinition): string {
  const body = sampleBodyOf(route);
  return body === undefined ? '' : JSON.stringify(body);
}

function sampleTarget({ path, query }: RouteDefinition): string {
  const filled = path.replaceAll(
    /\/([a-z-]+)\/:([a-z_]+)/g,
    (_, folder: string, name: string) => `/${folder}/${valueOf(folder, name)}`,
  );
  const required = Object.entries(query?.shape ?? {})
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => `${name}=${VALUES[name] ?? ''}`);
  const target = filled.replaceAll(/:([a-z_]+)/g, (_, name: string) => VALUES[name] ?? '');
  return `/v1${target}${required.length === 0 ? '' : `?${required.join('&')}`}`;
}

function valueOf(folder: string, name: string): string {
  return name === 'id' ? ((IDS as Readonly<Record<string, string>>)[folder] ?? '') : (VALUES[name] ?? '');
}

function sampleHeaders(route: RouteDefinition): SampleCall['headers'] {
  if (route.method === 'GET') return [];
  const ifMatch = route.errors.includes('etag_mismatch') ? [['If-Match', '"rules-1"'] as const] : [];
  return [['Idempotency-Key', sampleKey(route)], ['Content-Type', 'application/json; charset=utf-8'], ...ifMatch];
}

/** Derived from the intent, as the guide recommends, so that no two routes share one: the second would get 409. */
function sampleKey(route: RouteDefinition): string {
  const action = route.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const body = sampleBodyOf(route) as { readonly external_id?: string } | undefined;
  const id = sampleTarget(route)
    .split('/')
    .find((part) => Object.values<string>(IDS).includes(part));
  return `${action}:${body?.external_id ?? id ?? '20261121-0001'}`;
}
