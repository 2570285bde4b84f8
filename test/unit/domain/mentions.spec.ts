// Whom a note names: handles after an @ that begins a word.
import assert from 'node:assert/strict';
import { mentionedIn } from '../../../domain/case-work.js';

describe('whom a note names', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    '@paulo please look': ['paulo'],
    'ask @rita.demo, then @paulo.': ['rita.demo', 'paulo'],
    '@paulo @paulo': ['paulo'],
    'for @João!': ['João'],
    '@p': ['p'],
    'nobody@paulo': [],
    'a price @ 5': [],
    '@': [],
    '@.paulo': [],
    'without anybody': [],
  };
  for (const [text, named] of Object.entries(cases))
    it(`“${text}” → ${named.join(', ') || 'nobody'}`, () => assert.deepEqual(mentionedIn(text), named));
});
