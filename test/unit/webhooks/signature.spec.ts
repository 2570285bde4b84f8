// The `Svc-Signature` of a webhook against values computed outside the product.
import assert from 'node:assert/strict';
import { webhookSignature } from '../../../contract/http/webhooks.js';

const BODY = Buffer.from('{"id":"evt_1"}');
/** HMAC-SHA256 over `v1 LF 1767225603 LF evt_1 LF <SHA-256 of the body>`. */
const CURRENT = 'v1=0abb33a8e411185712e51ae26997b623295f9d84c53057b3f2b1d41e92966515';
const PREVIOUS = 'v1=a586605d3beace42a245f18fa76ebe8a8fa36438b4a0d471b160fddd93094753';

describe('the signature of a webhook', () => {
  for (const [title, secrets, expected] of [
    ['one secret: one value', ['whsec_current'], CURRENT],
    [
      'two during a rotation: both values, the current secret first',
      ['whsec_current', 'whsec_previous'],
      `${CURRENT},${PREVIOUS}`,
    ],
    ['no secret: no value', [], ''],
  ] as const) {
    it(title, () => assert.equal(webhookSignature(secrets, 1_767_225_603, 'evt_1', BODY), expected));
  }
});
