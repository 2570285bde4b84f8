// Every value that a route's schema accepts reaches the route, whatever characters it has: the schemas say which.
import assert from 'node:assert/strict';
import type { z } from 'zod';
import { PANEL_API, type PanelRoute } from '../../../contract/panel/route.js';
import { PANEL_ROUTES, type PanelRouteName } from '../../../contract/panel/routes.js';
import { createMatcher } from '../../../panel/matcher.js';

/** A value for each kind of parameter. */
const SAMPLES = [
  ...['dep_0a', 'wdr_0a', 'evt_0a', 'op_0a', 'alr_0a', 'apr_0a', 'chg_0a', 'key_test_0a', 'key_live_0a'],
  ...['a', 'a.acme', 'BRL', '2026-01-01', 'nobodys-passkey-0', 'ana', 'rita.demo'],
  'ses_00000000-0000-4000-8000-000000000000',
];
/**
 * Every printable ASCII character, and one of each class of Unicode's that a name may have, or a path could break at.
 */
const CHARACTERS = [
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ...['ç', 'Ж', 'あ', '𐐷', '\u0301', '٣', '\u00a0', '\u200b', '\u0000', '\n', '/..', '%2F', '%', '%zz'],
];
const LENGTHS = [1, 2, 20, 36, 64, 100, 101, 200, 400, 1_400];

describe('routes of the panel × the values of their parameters', () => {
  const match = createMatcher();
  const routes = Object.entries(PANEL_ROUTES) as unknown as readonly [PanelRouteName, PanelRoute][];

  for (const [name, { method, path, params }] of routes) {
    if (params === undefined) continue;
    it(name, () => {
      const accepted = new Map(
        Object.entries(params.shape as Record<string, z.ZodType>).map(([key, schema]) => [key, valuesOf(schema)]),
      );
      for (const [key, values] of accepted) {
        assert.ok(values.length > 0, `the test knows a value for ${key}`);
        for (const value of values) {
          const given = Object.fromEntries([...accepted].map(([other, [first = '']]) => [other, first]));
          const asked = { ...given, [key]: value };
          const target = path.replace(/:([a-z]+)/g, (_, each: string) => encodeURIComponent(asked[each] ?? ''));
          assert.deepEqual(match(method, PANEL_API + target), { route: name, params: asked }, value);
        }
      }
    });
  }

  it('a path is taken as it is written: no other case, no slash more or less, no other method', () => {
    for (const path of ['/Queue', '/queue/', '//queue', '/staff/', '/staff/ana/', '/staff/a/b', '/nothing', '/cases'])
      assert.equal(match('POST', PANEL_API + path), 'not_found', path);
    assert.equal(match('GET', '/queue'), 'not_found');
    for (const method of ['HEAD', 'POST', 'OPTIONS'])
      assert.equal(match(method, `${PANEL_API}/queue`), 'method_not_allowed', method);
  });
});

/** Of the samples, with each character between their others and up to each length: what the schema accepts. */
function valuesOf(schema: z.ZodType): readonly string[] {
  const withCharacters = SAMPLES.flatMap((sample) =>
    CHARACTERS.map((character) => sample.slice(0, -1) + character + sample.slice(-1)),
  );
  const long = SAMPLES.flatMap((sample) => LENGTHS.map((length) => sample.padEnd(length, 'a')));
  return [...SAMPLES, ...withCharacters, ...long].filter((value) => schema.safeParse(value).success);
}
