// The one column of ours in the Temporal UI's list.
import assert from 'node:assert/strict';
import { listSummary } from '../../../contract/temporal/search-attributes.js';

describe('the summary of a payment in the list', () => {
  const payment = { amountMinor: 123450n, operationName: 'Acme' };

  it('says amount, operation and reasons', () => {
    assert.equal(listSummary(payment, ['FIRST_WITHDRAWAL', 'OP: 2']), 'R$ 1.234,50 · Acme · FIRST_WITHDRAWAL, OP: 2');
    assert.equal(listSummary(payment, []), 'R$ 1.234,50 · Acme');
  });

  it('is never longer than the index takes', () => {
    assert.equal(listSummary({ ...payment, operationName: 'x'.repeat(400) }, ['FIRST_WITHDRAWAL']).length, 250);
  });
});
