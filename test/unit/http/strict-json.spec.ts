// Strict JSON: every reason at several depths, and a differential test against a second parser.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_DEPTH, parseStrictJson } from '../../../contract/http/strict-json.js';
import { secondOpinion } from '../../support/second-json-parser.js';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const refused: readonly [title: string, body: Uint8Array, expected: string][] = [
  ['nothing', bytes(''), ' syntax'],
  ['blanks', bytes(' \n'), ' syntax'],
  ['an open object', bytes('{'), ' syntax'],
  ['a missing value', bytes('{"a":}'), ' syntax'],
  ['a missing colon', bytes('{"a" 1}'), ' syntax'],
  ['a missing comma', bytes('{"a":1 "b":2}'), ' syntax'],
  ['a comma too many', bytes('{"a":1,}'), ' syntax'],
  ['a comma too many in a list', bytes('[1,]'), ' syntax'],
  ['a missing comma in a list', bytes('[1 2]'), ' syntax'],
  ['an open list', bytes('[1'), ' syntax'],
  ['single quotes', bytes("{'a':1}"), ' syntax'],
  ['a bare key', bytes('{a:1}'), ' syntax'],
  ['a comment', bytes('{"a":1 /* one */}'), ' syntax'],
  ['NaN', bytes('{"a":NaN}'), ' syntax'],
  ['a leading zero', bytes('01'), ' syntax'],
  ['a plus sign', bytes('+1'), ' syntax'],
  ['a bare fraction', bytes('.5'), ' syntax'],
  ['an open fraction', bytes('1.'), ' syntax'],
  ['a word glued to a literal', bytes('truely'), ' syntax'],
  ['a capital literal', bytes('True'), ' syntax'],
  ['an open string', bytes('"a'), ' syntax'],
  ['a control character in a string', bytes('"a\nb"'), ' syntax'],
  ['an unknown escape', bytes('"\\x41"'), ' syntax'],
  ['half an escape', bytes('"\\u00"'), ' syntax'],
  ['a no-break space between tokens', bytes('{\u00a0"a":1}'), ' syntax'],
  ['a byte order mark', bytes('\ufeff{}'), ' syntax'],
  ['nesting beyond the limit', bytes(nested(MAX_DEPTH + 1)), ' syntax'],
  ['very deep nesting', bytes('['.repeat(60_000)), ' syntax'],
  ['a second object', bytes('{} {}'), ' trailing_data'],
  ['a bracket too many', bytes('{}}'), ' trailing_data'],
  ['a comma behind', bytes('{"a":1},'), ' trailing_data'],
  ['a word behind', bytes('{"a":1} x'), ' trailing_data'],
  ['NUL behind', bytes('{}\u0000'), ' trailing_data'],
  ['a number behind a number', bytes('1 2'), ' trailing_data'],
  ['a word directly behind a string', bytes('"a"b'), ' trailing_data'],
  ['a byte that is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), ' invalid_utf8'],
  ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), ' invalid_utf8'],
  ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), ' invalid_utf8'],
  ['a cut character', Buffer.from([0x22, 0xe2, 0x82]), ' invalid_utf8'],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), ' invalid_utf8'],
  ['a repeated key', bytes('{"a":1,"a":2}'), 'a duplicate_key'],
  ['a repeated key with equal values', bytes('{"a":1,"a":1}'), 'a duplicate_key'],
  ['a repeated key spelled differently', bytes('{"a":1,"\\u0061":1}'), 'a duplicate_key'],
  ['a repeated key inside', bytes('{"x":{"y":[0,{"a":1,"b":2,"a":3}]}}'), 'x.y.1.a duplicate_key'],
  ['a repeated __proto__', bytes('{"__proto__":1,"__proto__":2}'), '__proto__ duplicate_key'],
  ['a repeated empty key', bytes('{"":1,"":1}'), ' duplicate_key'],
  ['a repeated key in broken JSON: the JSON first', bytes('{"a":1,"a":2'), ' syntax'],
  ['a repeated key and something behind: what is behind first', bytes('{"a":1,"a":2} x'), ' trailing_data'],
];

const kept: readonly [title: string, body: string, value: unknown, problems: readonly string[]][] = [
  ['an object', '{"a":[1,-2.5e3,true,false,null,"é\\n\\u20ac😀"]}', { a: [1, -2500, true, false, null, 'é\n€😀'] }, []],
  ['blanks everywhere', ' \t\r\n{ "a" : [ 1 , 2 ] } \n', { a: [1, 2] }, []],
  ['nesting at the limit', nested(MAX_DEPTH), JSON.parse(nested(MAX_DEPTH)), []],
  [
    'keys that objects inherit',
    '{"constructor":1,"toString":2,"hasOwnProperty":3}',
    { constructor: 1, toString: 2, hasOwnProperty: 3 },
    [],
  ],
  ['equal keys in different objects', '{"a":{"k":1},"b":{"k":1}}', { a: { k: 1 }, b: { k: 1 } }, []],
  ['__proto__', '{"m":{"__proto__":{"x":1}}}', { m: {} }, ['m.__proto__ unknown_field']],
  ['NUL', '{"a":"x\\u0000y"}', { a: 'x\u0000y' }, ['a format']],
  ['a lone high surrogate', '{"a":["\\ud83d"]}', { a: ['\ud83d'] }, ['a.0 format']],
  ['a lone low surrogate', '{"a":"\\ude00x"}', { a: '\ude00x' }, ['a format']],
  ['a surrogate pair in escapes', '{"a":"\\ud83d\\ude00"}', { a: '😀' }, []],
  ['NUL in a key', '{"m":{"\\u0000":1}}', { m: { '\u0000': 1 } }, ['m format']],
  ['operation_id at the root', '{"operation_id":"\\u0000\\ud800"}', { operation_id: '\u0000\ud800' }, []],
  ['a number for operation_id', '{"operation_id":1e400}', { operation_id: Infinity }, []],
  ['an object for operation_id', '{"operation_id":{"__proto__":1,"\\u0000":2}}', { operation_id: { '\u0000': 2 } }, []],
  [
    'a nested operation_id',
    '{"a":{"operation_id":"\\u0000"}}',
    { a: { operation_id: '\u0000' } },
    ['a.operation_id format'],
  ],
  ['operation_id in a list', '[{"operation_id":1e400}]', [{ operation_id: Infinity }], ['0.operation_id range']],
  ['2^53 - 1', '[9007199254740991]', [9007199254740991], []],
  ['2^53', '{"a":9007199254740992}', { a: 9007199254740992 }, ['a range']],
  ['-2^53 - 1', '{"a":-9007199254740993}', { a: -9007199254740992 }, ['a range']],
  ['a number beyond a double', '{"a":1e400}', { a: Infinity }, ['a range']],
];

const summary = (text: Uint8Array) => {
  const parsed = parseStrictJson(text);
  return parsed.ok ? 'ok' : `${parsed.error.field} ${parsed.error.reason}`;
};

describe('strict JSON', () => {
  for (const [title, body, expected] of refused) it(`refuses ${title}`, () => assert.equal(summary(body), expected));

  for (const [title, body, value, problems] of kept) {
    it(`reads ${title}`, () => {
      const parsed = parseStrictJson(bytes(body));
      assert.ok(parsed.ok);
      assert.deepEqual(parsed.value, value);
      assert.deepEqual(
        parsed.problems.map(({ field, reason }) => `${field} ${reason}`),
        problems,
      );
    });
  }

  for (const [title, body, message] of [
    ['a number that is not exact', '[1e300]', /^must be from -9007199254740991 to 9007199254740991$/],
    ['NUL in a text', '["\\u0000"]', /U\+0000/],
    ['NUL in a name', '{"\\u0000":1}', /name .*U\+0000/],
  ] as const) {
    it(`says what is wrong with ${title}`, () => {
      const parsed = parseStrictJson(bytes(body));
      assert.ok(parsed.ok);
      assert.match(parsed.problems[0]?.message ?? '', message);
    });
  }

  it('refuses every control character in a string, and no other', () => {
    for (let unit = 0; unit < 0x100; unit += 1) {
      const text = String.fromCharCode(unit);
      if (text !== '"' && text !== '\\')
        assert.equal(summary(bytes(`"${text}"`)), unit < 0x20 ? ' syntax' : 'ok', `U+${unit.toString(16)}`);
    }
  });

  it('leaves every prototype alone', () => {
    parseStrictJson(bytes('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it('reads every JSON document as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const parsed = parseStrictJson(bytes(text));
        if (!parsed.ok || parsed.problems.length > 0) return;
        assert.deepEqual(parsed.value, JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts and refuses as a second parser does, whatever is done to a document', () => {
    const document = fc.json({ maxDepth: 4 });
    const shard = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '/',
      ' ',
      '0',
      '1',
      '-',
      '.',
      'e',
      'true',
      'null',
      '"a":1',
      '{"a":1}',
      '\n',
      'é',
      '//x\n',
      '/**/',
    );
    const damaged = fc
      .tuple(document, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), shard), { maxLength: 3 }))
      .map(([text, cuts]) =>
        cuts.reduce(
          (current, [at, length, insert]) =>
            current.slice(0, at % (current.length + 1)) + insert + current.slice((at % (current.length + 1)) + length),
          text,
        ),
      );
    fc.assert(
      fc.property(
        fc.oneof(
          damaged,
          fc.array(shard, { maxLength: 12 }).map((shards) => shards.join('')),
        ),
        (text) => {
          const ours = summary(bytes(text));
          const theirs = secondOpinion(text);
          if (theirs.depth > MAX_DEPTH) return;
          assert.equal(
            ours === 'ok' || ours.endsWith('duplicate_key'),
            theirs.valid,
            `${JSON.stringify(text)}: ${ours}`,
          );
          assert.equal(ours.endsWith('duplicate_key'), theirs.valid && theirs.duplicate, JSON.stringify(text));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('answers whatever bytes come, at once', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (any) => {
        parseStrictJson(any);
      }),
      { numRuns: 2_000 },
    );
  });
});
