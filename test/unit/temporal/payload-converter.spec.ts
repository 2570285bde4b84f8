// What crosses Temporal (docs/decisions/0040): the SDK's JSON with amounts as text, read as bigint.
import assert from 'node:assert/strict';
import { defaultPayloadConverter } from '@temporalio/common';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/data-converter-helpers.js';
import { payloadConverter } from '../../../contract/temporal/payload-converter.js';
import { DATA_CONVERTER } from '../../../platform/temporal/connection.js';

const snapshot = { id: 'dep_1', amountMinor: 5_000n, paidAmountMinor: null, version: 2, late: undefined };

describe('the payload converter', () => {
  it('writes what the Temporal UI shows as it is, under the SDK’s own encoding', () => {
    const { metadata, data } = payloadConverter.toPayload(snapshot);
    assert.equal(
      Buffer.from(data ?? []).toString(),
      '{"id":"dep_1","amountMinor":"5000","paidAmountMinor":null,"version":2}',
    );
    assert.equal(Buffer.from(metadata?.['encoding'] ?? []).toString(), 'json/plain');
  });

  it('reads what it wrote', () => {
    const { late: _, ...read } = snapshot;
    assert.deepEqual(payloadConverter.fromPayload(payloadConverter.toPayload(snapshot)), read);
  });

  for (const value of [undefined, null, 'text', 7, true, [], { a: ['b'] }, new Uint8Array([1, 2])])
    it(`treats ${JSON.stringify(value)} as the SDK does`, () => {
      const payload = payloadConverter.toPayload(value);
      assert.deepEqual(payload, defaultPayloadConverter.toPayload(value));
      assert.deepEqual(payloadConverter.fromPayload(payload), value);
    });

  it('is the one that the SDK loads for clients and workers', () => {
    assert.equal(loadDataConverter(DATA_CONVERTER).payloadConverter, payloadConverter);
  });
});
