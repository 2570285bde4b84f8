// Disputed payments at Woovi, by its documented example. The example of the list lacks the end-to-end id that its
// schema has: without it a case names no payment.
import assert from 'node:assert/strict';
import { E2E, type FakeWoovi, openFakeWoovi } from './fake-woovi.js';

const SPAN = { from: '2026-03-05T12:00:00.000Z', to: '2026-03-05T12:00:08.000Z' };
const EXAMPLE = {
  disputeReason: 'Dispute reason test',
  email: 'jorge@test.com',
  name: 'Seu Jorge',
  phoneNumber: '+551199999999',
  status: 'IN_REVIEW',
  value: 100,
  createdAt: '2021-03-02T17:28:51.882Z',
  updatedAt: '2021-03-02T17:28:51.882Z',
};
const listed = { ...EXAMPLE, endToEndId: E2E };

describe('disputed payments at Woovi', () => {
  let woovi: FakeWoovi;
  before(async () => {
    woovi = await openFakeWoovi();
  });
  after(() => woovi.close());
  beforeEach(() => {
    woovi.drift.length = 0;
  });
  const read = (disputes: unknown[], hasNextPage = false) => {
    woovi.says = { 'GET /dispute': { json: { pageInfo: { hasNextPage }, disputes } } };
    return woovi.provider().listDisputes({ ...SPAN, cursor: null });
  };

  it('the case by its payment, without a deadline, and nothing of the payer', async () => {
    const dispute = {
      id: E2E,
      endToEndId: E2E,
      amountMinor: 100n,
      status: 'open',
      reason: null,
      openedAt: listed.createdAt,
      dueAt: null,
    };
    assert.deepEqual(await read([listed]), { kind: 'page', items: [dispute], unreadable: 0, next: null });
    assert.deepEqual(woovi.drift, []);
  });

  it('the example as it stands names no payment: counted and noted, and no case', async () => {
    const page = await read([EXAMPLE]);
    assert.ok(page.kind === 'page' && page.items.length === 0 && page.unreadable === 1);
    assert.deepEqual(woovi.drift, ['unreadable_answer']);
  });

  it('a full page is read in halves', async () => {
    const page = await read([listed], true);
    assert.ok(page.kind === 'page' && page.next !== null && page.items.length === 1);
  });

  it('what cannot be read is counted and noted, and hides no other', async () => {
    const page = await read([{ ...listed, status: 'NEW_WORD' }, EXAMPLE, listed]);
    assert.ok(page.kind === 'page' && page.items.length === 1 && page.unreadable === 2);
    assert.deepEqual([...woovi.drift].sort(), ['unknown_state', 'unreadable_answer']);
  });
});
