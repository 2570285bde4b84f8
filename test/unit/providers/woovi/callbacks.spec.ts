// Woovi's webhooks: who is believed, what is understood, and how its keys come, rotate and go.
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { CallbackVerdict } from '../../../../providers/port.js';
import { WooviCallbacks } from '../../../../providers/woovi/callbacks.js';
import { E2E, type FakeWoovi, openFakeWoovi, REFERENCE } from './fake-woovi.js';
import { VECTOR_BODY, VECTOR_KEY, VECTOR_KEY_ID, VECTOR_SIGNATURE } from './published-vector.js';

const AUTHORIZATION = 'the authorization of our webhook';
const PATH = '/callbacks/a/events';
const KEYS = 'GET /webhook/public-keys';
const pair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });
const published = (key: KeyObject, is_current = true) => ({
  key: key.export({ type: 'spki', format: 'pem' }),
  key_identifier: createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex'),
  is_current,
});
const signed = (body: Buffer, key: KeyObject) => sign('sha256', body, key).toString('base64');
const EVENT = {
  event: 'OPENPIX:CHARGE_COMPLETED',
  charge: { correlationID: REFERENCE, status: 'COMPLETED', value: 1 },
  pix: { endToEndId: E2E, value: 1, time: '2026-03-05T12:00:00Z' },
};

describe('webhooks of Woovi', () => {
  const first = pair();
  const second = pair();
  let woovi: FakeWoovi;
  let nowMs = 0;
  let reader: WooviCallbacks;
  const drift: string[] = [];
  const readers: WooviCallbacks[] = [];

  const open = () => {
    reader = new WooviCallbacks(
      'a',
      { keysUrl: `${woovi.url}/api/v1/webhook/public-keys`, authorization: AUTHORIZATION },
      { now: () => nowMs, noteDrift: (what) => drift.push(what) },
    );
    readers.push(reader);
  };
  const publish = (...keys: object[]) => (woovi.says = { [KEYS]: { json: { public_keys: keys } } });
  const post = async (
    event: string | object,
    { key = first.privateKey, headers = {}, path = PATH }: { key?: KeyObject; headers?: object; path?: string } = {},
  ): Promise<CallbackVerdict> => {
    const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
    const own = { authorization: AUTHORIZATION, 'x-webhook-signature': signed(body, key) };
    return reader.parseCallback({ path, query: '', headers: { ...own, ...headers }, body });
  };

  before(async () => {
    woovi = await openFakeWoovi();
  });
  after(async () => {
    await Promise.all(readers.map((one) => one.close()));
    await woovi.close();
  });
  beforeEach(() => {
    nowMs = 1_000_000;
    drift.length = 0;
    woovi.requests.length = 0;
    publish(published(first.publicKey));
    open();
  });

  describe('proof', () => {
    it('the published vector verifies with the published key, and not with one byte changed', async () => {
      publish({ key: VECTOR_KEY, key_identifier: VECTOR_KEY_ID, is_current: true });
      const headers = { authorization: AUTHORIZATION, 'x-webhook-signature': VECTOR_SIGNATURE };
      // It is an old event without its name: believed, and then not understood.
      const verdict = await reader.parseCallback({ path: PATH, query: '', headers, body: VECTOR_BODY });
      assert.deepEqual([verdict.kind, 'reason' in verdict && verdict.reason.split(':')[0]], ['malformed', 'event']);
      const changed = Buffer.concat([VECTOR_BODY.subarray(0, -1), Buffer.from(' }')]);
      assert.equal((await reader.parseCallback({ path: PATH, query: '', headers, body: changed })).kind, 'forged');
    });

    it('signed, with our authorization → accepted; the list is asked for once', async () => {
      const notice = { kind: 'charge', reference: REFERENCE, endToEndId: E2E };
      for (let round = 0; round < 3; round += 1)
        assert.deepEqual(await post(EVENT), { kind: 'accepted', notices: [notice] });
      assert.equal(woovi.requests.length, 1);
      assert.equal(woovi.requests[0]?.headers.authorization, undefined, 'no credential is needed, and none is sent');
    });

    it('another customer’s webhook has Woovi’s signature and not our authorization → forged, and asks nobody', async () => {
      assert.equal((await post(EVENT, { headers: { authorization: 'theirs' } })).kind, 'forged');
      assert.equal((await post(EVENT, { headers: { authorization: undefined } })).kind, 'forged');
      assert.equal(woovi.requests.length, 0);
    });

    for (const [title, headers] of [
      ['no signature', { 'x-webhook-signature': undefined }],
      ['an empty one', { 'x-webhook-signature': '' }],
      ['one that is no base64', { 'x-webhook-signature': '%%%' }],
    ] as const)
      it(`${title} → forged`, async () => assert.equal((await post(EVENT, { headers })).kind, 'forged'));

    it('of another key → forged', async () =>
      assert.equal((await post(EVENT, { key: second.privateKey })).kind, 'forged'));
  });

  describe('keys', () => {
    it('rotated: both are valid; one that is newer than the list is found by asking again', async () => {
      await post(EVENT);
      publish(published(first.publicKey, false), published(second.publicKey));
      nowMs += 11_000;
      assert.equal((await post(EVENT, { key: second.privateKey })).kind, 'accepted');
      assert.equal((await post(EVENT)).kind, 'accepted');
      publish(published(second.publicKey));
      nowMs += 3_600_001;
      assert.equal((await post(EVENT)).kind, 'forged', 'the old key is gone from the list');
    });

    it('forged signatures cause one question in ten seconds', async () => {
      for (let round = 0; round < 5; round += 1) await post(EVENT, { key: second.privateKey });
      assert.equal(woovi.requests.length, 1);
      nowMs += 11_000;
      for (let round = 0; round < 5; round += 1) await post(EVENT, { key: second.privateKey });
      assert.equal(woovi.requests.length, 2);
    });

    it('the list is down: known keys continue for a day; without any → unverifiable, to be repeated', async () => {
      await post(EVENT);
      woovi.says = {};
      nowMs += 5 * 3_600_000;
      assert.equal((await post(EVENT)).kind, 'accepted');
      nowMs += 20 * 3_600_000;
      assert.equal((await post(EVENT)).kind, 'unverifiable');
      open();
      assert.equal((await post(EVENT)).kind, 'unverifiable');
    });

    it('a key under another’s identifier, too small, or of another kind is not taken', async () => {
      const small = generateKeyPairSync('rsa', { modulusLength: 512 });
      const curve = generateKeyPairSync('ed25519');
      publish(
        { ...published(second.publicKey), key_identifier: published(first.publicKey).key_identifier },
        published(small.publicKey),
        published(curve.publicKey),
        { key: 'no pem', key_identifier: 'x' },
        published(first.publicKey),
      );
      assert.equal((await post(EVENT, { key: second.privateKey })).kind, 'forged');
      assert.equal((await post(EVENT, { key: small.privateKey })).kind, 'forged');
      assert.equal((await post(EVENT)).kind, 'accepted');
    });
  });

  describe('events', () => {
    const returned = { kind: 'return', endToEndId: E2E };
    const payout = { kind: 'payout', reference: REFERENCE, endToEndId: E2E };
    const charge = { kind: 'charge', reference: REFERENCE, endToEndId: E2E };
    const movement = { payment: { correlationID: REFERENCE, status: 'X' }, transaction: { endToEndId: E2E } };
    const refund = { refundTransaction: { endToEndId: 'D' }, originalTransaction: { endToEndId: E2E } };

    for (const [title, event, notices] of [
      ['a paid charge', EVENT, [charge]],
      ['by another', { ...EVENT, event: 'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER' }, [charge]],
      ['with `woovi:` before its name', { ...EVENT, event: 'woovi:CHARGE_COMPLETED' }, [charge]],
      ['its id in `raw`', { ...EVENT, pix: { raw: { endToEndId: E2E } } }, [charge]],
      ['a PIX to the key itself', { ...EVENT, event: 'OPENPIX:TRANSACTION_RECEIVED', charge: null }, []],
      ['a payment that arrived', { ...movement, event: 'OPENPIX:MOVEMENT_CONFIRMED' }, [payout]],
      ['one that failed', { ...movement, event: 'OPENPIX:MOVEMENT_FAILED' }, [payout]],
      [
        'one that was removed in the panel',
        { event: 'OPENPIX:MOVEMENT_REMOVED', payment: { correlationID: REFERENCE } },
        [{ ...payout, endToEndId: null }],
      ],
      ['a return that was sent', { ...refund, event: 'PIX_TRANSACTION_REFUND_SENT_CONFIRMED' }, [returned]],
      ['a return that came', { ...refund, event: 'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED' }, [returned]],
      ['a dispute', { event: 'woovi:DISPUTE_ACCEPTED', dispute: { endToEndId: E2E, status: 'X' } }, [returned]],
      ['an expired charge', { event: 'OPENPIX:CHARGE_EXPIRED', charge: {} }, []],
      ['what the gateway does not use', { event: 'PIX_AUTOMATIC_APPROVED' }, []],
      ['the test of a registration', { data_criacao: 'x', event: 'OPENPIX:CHARGE_COMPLETED' }, []],
    ] as const)
      it(`${title} → ${notices.length === 0 ? 'nothing to do' : notices[0].kind}`, async () => {
        assert.deepEqual(await post(event), { kind: 'accepted', notices });
        assert.deepEqual(drift, []);
      });

    it('the test of a registration needs no proof: it is answered, and no callback', async () => {
      const body = { data_criacao: '2026-01-01T00:00:00Z', evento: 'teste_webhook', event: 'OPENPIX:CHARGE_COMPLETED' };
      const headers = { authorization: undefined, 'x-webhook-signature': undefined };
      assert.deepEqual(await post(body, { headers }), { kind: 'trial' });
      for (const other of [
        { ...body, charge: EVENT.charge },
        { ...body, evento: 'x'.repeat(101) },
      ])
        assert.equal((await post(other, { headers })).kind, 'forged');
    });

    it('an event of tomorrow → taken, ignored, and reported as drift', async () => {
      assert.deepEqual(await post({ event: 'OPENPIX:CHARGE_SUNG' }), { kind: 'accepted', notices: [] });
      assert.deepEqual(drift, ['unknown_event']);
    });

    for (const [title, event] of [
      ['no JSON', '{'],
      ['no event', { charge: {} }],
      ['a charge without its reference', { ...EVENT, charge: {} }],
      ['a payment of nothing', { event: 'OPENPIX:MOVEMENT_FAILED' }],
    ] as const)
      it(`${title} → malformed, no value repeated`, async () => {
        const verdict = await post(event);
        assert.equal(verdict.kind, 'malformed');
        assert.ok('reason' in verdict && !verdict.reason.includes(REFERENCE));
      });

    it('another path, or too large → malformed; without proof another path is forged', async () => {
      assert.equal((await post(EVENT, { path: '/callbacks/a/pix' })).kind, 'malformed');
      const headers = { authorization: undefined };
      assert.equal((await post(EVENT, { path: `/callbacks/a/${'x'.repeat(5_000)}`, headers })).kind, 'forged');
      assert.equal((await post({ ...EVENT, more: 'x'.repeat(300_000) })).kind, 'malformed');
    });
  });
});
