// The page of a payment's workflow leads to the payment's page in the panel, where the address is known.
import assert from 'node:assert/strict';
import { creationOptions } from '../../../platform/temporal/start-options.js';

const CARD = {
  kind: 'deposit',
  id: `dep_${'0'.repeat(32)}`,
  operationId: 'op_1',
  operationName: 'Acme',
  externalId: 'order-1',
  status: 'pending',
  amountMinor: 5000n,
  waitingFor: 'payment',
} as const;

describe('how a workflow is started', () => {
  it('its page links to the panel only if the process knows the address', () => {
    assert.doesNotMatch(creationOptions(CARD, {}).staticDetails, /panel/);
    const { staticDetails } = creationOptions({ ...CARD, panelUrl: 'https://panel.example' }, {});
    assert.ok(staticDetails.endsWith(`- [the payment in the panel](https://panel.example/payments/${CARD.id})`));
  });
});
