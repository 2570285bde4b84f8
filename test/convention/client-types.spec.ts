// The client's types say what the served contract says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { CLIENT_TYPES_FILE, clientTypes } from '../../tools/docs/client-types.js';

describe('client/types.ts', () => {
  it('is what the contract gives (otherwise run npm run docs)', () => {
    assert.equal(readFileSync(CLIENT_TYPES_FILE, 'utf8'), clientTypes());
  });

  it('leaves lists open in what an operator reads, and closed in what it sends', () => {
    const text = clientTypes();
    assert.match(text, /export type DepositStatus = Open</);
    assert.match(text, /readonly mode: Open<'automatic' \| 'manual'>;/);
    assert.match(text, /readonly reason_code: 'duplicate' \|/);
  });
});
