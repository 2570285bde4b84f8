// The reasons that zod's issues become, their order, and the ways in which a schema names a reason.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { because, check, fieldError } from '../../../contract/http/validation.js';

const schema = z.strictObject({
  text: z.string().regex(/^[a-z]+$/),
  count: z.number().int().min(1).max(5).optional(),
  choice: z.enum(['x', 'y']).optional(),
  name: z.string().max(3).meta({ reason: 'max_length' }).optional(),
  notes: z
    .record(z.string().max(2).meta({ reason: 'range' }), z.string())
    .refine((notes) => Object.keys(notes).length <= 2, because('range'))
    .optional(),
  list: z
    .array(z.strictObject({ id: z.string() }))
    .max(2)
    .optional(),
  either: z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string(), c: z.string() })]).optional(),
  money: z
    .strictObject({
      amount: z.string().refine((amount) => amount !== '0', because('range', 'must be greater than zero')),
    })
    .optional(),
});

const cases: readonly [title: string, input: unknown, expected: readonly string[]][] = [
  ['a missing field', {}, ['text required']],
  ['null for a text', { text: null }, ['text type']],
  ['a number for a text', { text: 5 }, ['text type']],
  ['an array for the body', [], [' type']],
  ['null for the body', null, [' type']],
  ['a pattern', { text: 'A' }, ['text format']],
  ['a fraction for an integer', { text: 'a', count: 1.5 }, ['count type']],
  ['an integer below', { text: 'a', count: 0 }, ['count range']],
  ['an integer above', { text: 'a', count: 6 }, ['count range']],
  ['an integer beyond 2^53, once', { text: 'a', count: 2 ** 60 }, ['count range']],
  ['a value outside an enumeration', { text: 'a', choice: 'z' }, ['choice enum']],
  ['a number for an enumeration of texts', { text: 'a', choice: 1 }, ['choice type']],
  ['null for an enumeration', { text: 'a', choice: null }, ['choice type']],
  ['a reason named by metadata', { text: 'a', name: 'long' }, ['name max_length']],
  ['metadata does not hide a wrong type', { text: 'a', name: 1 }, ['name type']],
  ['too many keys of a map', { text: 'a', notes: { a: '', b: '', c: '' } }, ['notes range']],
  ['a value of a map', { text: 'a', notes: { a: 1 } }, ['notes.a type']],
  ['an item of a list', { text: 'a', list: [{ id: 'x' }, {}] }, ['list.1.id required']],
  ['too many items', { text: 'a', list: [{ id: 'x' }, { id: 'x' }, { id: 'x' }] }, ['list range']],
  ['the best fitting alternative', { text: 'a', either: { a: 1 } }, ['either.a type']],
  ['a refinement names its reason', { text: 'a', money: { amount: '0' } }, ['money.amount range']],
  ['an unknown field at the root', { text: 'a', status: 'paid' }, ['status unknown_field']],
  ['an unknown field inside', { text: 'a', list: [{ id: 'x', more: 1 }] }, ['list.0.more unknown_field']],
  [
    'the order of reasons: the table’s, whatever the order of fields',
    { text: 5, choice: 'z', zzz: 1, count: 9, name: 'long' },
    ['zzz unknown_field', 'text type', 'choice enum', 'count range', 'name max_length'],
  ],
];

describe('validation', () => {
  for (const [title, input, expected] of cases) {
    it(title, () => {
      const checked = check(schema, input);
      assert.equal(checked.ok, false);
      assert.deepEqual(
        checked.errors.map(({ field, reason }) => `${field} ${reason}`),
        expected,
      );
    });
  }

  it('passes what is valid', () => assert.deepEqual(check(schema, { text: 'a' }), { ok: true, value: { text: 'a' } }));

  it('never repeats a rejected value', () => {
    const checked = check(schema, { text: 'S3CRET', choice: 'S3CRET', notes: { a: 'S3CRET', b: '', c: '' } });
    assert.ok(!checked.ok && !JSON.stringify(checked.errors).includes('S3CRET'));
  });

  it('keeps an earlier known problem, unless the schema has one with the same field', () => {
    const known = [fieldError('text', 'format'), fieldError('name', 'range')];
    const checked = check(schema, { text: 5, name: 'abc' }, known);
    assert.ok(!checked.ok);
    assert.deepEqual(
      checked.errors.map(({ field, reason }) => `${field} ${reason}`),
      ['text type', 'name range'],
    );
  });

  it('bounds what it says about a hostile body', () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${'k'.repeat(1_000)}${index}`, 1]));
    const checked = check(schema, { text: 'a', ...body });
    assert.ok(!checked.ok && checked.errors.length <= 20 && checked.errors.every(({ field }) => field.length <= 200));
  });
});
