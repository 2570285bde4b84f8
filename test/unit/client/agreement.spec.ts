// The gateway's own signature code, written independently of the client's, agrees with the published vectors.
import assert from 'node:assert/strict';
import { webhookSignature } from '../../../contract/http/webhooks.js';
import { canonicalRequest, signatureMatches } from '../../../api/middleware/signature.js';
import { signatureOf } from '../../../api/routes/reconciliation.js';
import type { RuleChangeProposal, RuleSet } from '../../../client/index.js';
import { vectors } from './test-vectors.js';

describe('client and gateway agree on signatures', () => {
  for (const vector of vectors.requests) {
    it(`the api accepts the request vector: ${vector.name}`, () => {
      const request = {
        timestamp: String(vector.timestamp),
        nonce: vector.nonce,
        method: vector.method,
        target: vector.target,
        body: Buffer.from(vector.body, 'utf8'),
      };
      assert.equal(canonicalRequest(request).toString('latin1'), vector.canonical_request);
      const secret = Buffer.from(vector.secret, 'utf8');
      assert.equal(signatureMatches(request, vector.signature_header, secret), true);
      assert.equal(
        signatureMatches({ ...request, target: `${request.target}/` }, vector.signature_header, secret),
        false,
      );
    });
  }

  for (const vector of vectors.webhooks) {
    it(`webhooks are signed as in the vector: ${vector.name}`, () => {
      const { 'Svc-Timestamp': timestamp, 'Svc-Event-Id': eventId, 'Svc-Signature': signature } = vector.headers;
      assert.equal(
        webhookSignature(vector.signing_secrets, Number(timestamp), eventId, Buffer.from(vector.body, 'utf8')),
        signature,
      );
    });
  }

  for (const {
    name,
    signing_secrets: secrets,
    date,
    currency,
    digest,
    signature_header: expected,
  } of vectors.reconciliation) {
    it(`closed days are signed as in the vector: ${name}`, () =>
      assert.equal(signatureOf(secrets, date, currency, digest), expected));
  }

  it('a rule set as served can be changed and proposed as it is', () => {
    const propose = (served: RuleSet): RuleChangeProposal => ({
      rules: { ...served, fx: { ...served.fx, enabled: false } },
      justification: 'x',
    });
    const served = {
      version: 3,
      timezone: 'UTC',
      currencies: {},
      fx: { risk_bearer: 'a later version’s value' },
    } as unknown as RuleSet;
    assert.equal(propose(served).rules.version, 3);
  });
});
