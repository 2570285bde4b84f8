// The Woovi adapter against a Woovi that was written apart from it, from Woovi's document: every outcome of the port
// that it can bring about. At the end all that was said in both directions is judged by that document.
import assert from 'node:assert/strict';
import { parseBrCode } from '../../../../domain/br-code.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import { type Judge, judgeBy, SLIPS, WOOVI_DOCUMENT } from '../../../../lab/harness/judges/woovi.js';
import { createRecorder } from '../../../../lab/harness/recorder.js';
import { aCharge, ANA, aPayout, BETO, newReference, openBench, payloadAt, type Bench } from '../harness.js';

const APP_ID = 'the AppID of slot a, without Bearer';
const SLOT = {
  PROVIDER_A_DIALECT: 'woovi',
  PROVIDER_A_CLIENT_ID: undefined,
  PROVIDER_A_CLIENT_SECRET: APP_ID,
  PROVIDER_A_CALLBACK_KEYS_URL: 'URL/a/api/v1/webhook/public-keys',
};

describe('woovi as slot a', () => {
  const recorder = createRecorder();
  const drift: string[] = [];
  /** Of the readers of webhooks, who ask for keys every ten seconds at most. */
  let aheadMs = 0;
  let bench: Bench;
  before(async () => {
    const now = () => Date.now() + aheadMs;
    bench = await openBench({ now, noteDrift: (_, what) => drift.push(what) }, SLOT, (url) => recorder.listen(url));
  });
  after(async () => {
    await bench?.close();
    await recorder.close();
  });
  const provider = () => bench.providers('a');
  const pay = (reference: string, payer = ANA, amountMinor: bigint | null = null) =>
    bench.steering.payCharge('a', reference, { amountMinor, payerDocument: payer });
  /** The look-up once Woovi's list and its charge agree. */
  const settled = async (reference: string) =>
    eventually(async () => {
      const found = await provider().lookUpCharge(reference);
      return found.kind === 'found' && found.status === 'paid' ? found : null;
    }, `${reference} is paid`);
  const aPaidCharge = async (amountMinor = 5_000n) => {
    const request = aCharge({ amountMinor });
    await provider().createCharge(request);
    const paid = await pay(request.reference);
    assert.ok(paid.kind === 'done' && paid.endToEndId);
    return { ...request, endToEndId: paid.endToEndId };
  };

  describe('deposits', () => {
    it('nothing → created: a readable dynamic PIX of a test environment, repeated as the first one', async () => {
      const request = aCharge({ amountMinor: 123_456n, expiresInSeconds: 900 });
      const outcome = await provider().createCharge(request);
      assert.ok(outcome.kind === 'created');
      assert.equal(outcome.charge.sandboxMarker, true);
      assert.ok(Math.abs(Date.parse(outcome.charge.expiresAt) - Date.now() - 900_000) < 10_000);
      const code = parseBrCode(outcome.charge.copyPaste);
      assert.ok(code.ok && code.brCode.singleUse && code.brCode.amountMinor === 123_456n);
      assert.ok(!code.brCode.merchantName.startsWith('SANDBOX'), 'the guard does not ask for a name');
      const payload = await payloadAt(code.brCode.location ?? '');
      assert.equal(payload['txid'], request.reference);
      assert.deepEqual(await provider().createCharge(request), outcome);
      assert.equal((await bench.books(request.reference)).charges.length, 1);
      const conflict = { kind: 'refused', code: 'charge_conflict' };
      assert.deepEqual(await provider().createCharge({ ...request, amountMinor: 1n }), conflict);
    });

    it('the list of what arrived has the payment, with the reference of its charge', async () => {
      const from = new Date(Date.now() - 1_000).toISOString();
      const { reference, endToEndId } = await aPaidCharge();
      const to = new Date(Date.now() + 1_000).toISOString();
      const listed = await provider().listReceived({ part: 'payments', from, to, cursor: null });
      assert.ok(listed.kind === 'page' && listed.next === null);
      const receipt = listed.items.find((one) => one.endToEndId === endToEndId);
      assert.deepEqual([receipt?.reference, receipt?.amountMinor, receipt?.returns], [reference, 5_000n, '']);
    });

    it('a code of a real address → no marker; refused for good → refused; unknown → not found', async () => {
      const real = await provider().createCharge(aCharge({ amountMinor: 66_610n }));
      assert.ok(real.kind === 'created' && !real.charge.sandboxMarker);
      assert.equal((await provider().createCharge(aCharge({ amountMinor: 66_603n }))).kind, 'refused');
      assert.deepEqual(await provider().lookUpCharge(newReference()), { kind: 'not_found' });
    });

    it('made, and its answer lost → unknown, then created by a repeat', async () => {
      const request = aCharge({ amountMinor: 66_604n });
      assert.equal((await bench.impatient('a').createCharge(request)).kind, 'unknown');
      await eventually(async () => (await bench.books(request.reference)).charges.length === 1, 'it is made');
      assert.equal((await provider().createCharge(request)).kind, 'created');
    });

    it('open → paid: reported by a signed webhook, with its payer; the list is ahead of the charge', async () => {
      const { reference, endToEndId } = await aPaidCharge();
      const early = await provider().lookUpCharge(reference);
      assert.ok(early.kind === 'found' && early.payments.length === 1, 'the payment is listed at once');
      const found = await settled(reference);
      assert.deepEqual(found.payments[0]?.payer, { document: { type: 'CPF', number: ANA.number }, name: 'Sem Nome' });
      assert.equal(found.payments[0]?.endToEndId, endToEndId);
      await eventually(() => bench.noticesOf(reference).length > 0, 'the webhook');
      assert.deepEqual(bench.noticesOf(reference), [{ kind: 'charge', reference, endToEndId }]);
    });

    it('paid → returned by us: pending, then done, once; the webhook names the payment', async () => {
      const { reference, endToEndId, amountMinor } = await aPaidCharge();
      const order = { endToEndId, reference, amountMinor };
      const first = await provider().requestReversal(order);
      assert.ok(first.kind === 'accepted' && first.reversal.kind === 'refund');
      const done = await eventually(async () => {
        const again = await provider().requestReversal(order);
        return again.kind === 'accepted' && again.reversal.status === 'done' ? again : null;
      }, 'done');
      assert.match(done.reversal.returnId ?? '', /^D/);
      const { payments } = await settled(reference);
      assert.deepEqual(
        payments[0]?.reversals.map(({ kind, status, amountMinor: of }) => [kind, status, of]),
        [['refund', 'done', 5_000n]],
      );
      const isNamed = () =>
        bench.received.some(
          ({ verdict }) =>
            verdict.kind === 'accepted' &&
            verdict.notices.some((notice) => notice.kind === 'return' && notice.endToEndId === endToEndId),
        );
      await eventually(isNamed, 'the webhook of the return');
    });

    it('a return that is refused ends as refused', async () => {
      const { reference, endToEndId, amountMinor } = await aPaidCharge(66_615n);
      await eventually(async () => {
        const again = await provider().requestReversal({ endToEndId, reference, amountMinor });
        return again.kind === 'accepted' && again.reversal.status === 'refused';
      }, 'refused');
    });

    for (const [steered, kind] of [
      ['refund', 'refund'],
      ['chargeback', 'chargeback'],
    ] as const)
      it(`taken back without us by ${steered} → ${kind}`, async () => {
        const { reference } = await aPaidCharge();
        await bench.steering.reverseCharge('a', reference, { kind: steered, amountMinor: null });
        await eventually(async () => {
          const found = await provider().lookUpCharge(reference);
          const reversal = found.kind === 'found' ? found.payments[0]?.reversals[0] : undefined;
          return reversal?.kind === kind && reversal.status === 'done';
        }, kind);
      });
  });

  describe('payouts', () => {
    const lookUp = ({ reference, amountMinor }: { reference: string; amountMinor: bigint }) =>
      provider().lookUpPayout({ reference, amountMinor });
    const statusOf = async (request: { reference: string; amountMinor: bigint }) => {
      const found = await lookUp(request);
      return found.kind === 'found' ? found.payout.status : found.kind;
    };

    it('sent → processing → paid, reported by a webhook; a second send under its reference is refused', async () => {
      const request = aPayout();
      const sent = await provider().sendPayout(request);
      assert.ok(sent.kind === 'reply' && sent.payout.status === 'processing');
      assert.equal(await statusOf(request), 'processing');
      await bench.steering.settlePayout('a', request.reference, 'paid');
      const found = await lookUp(request);
      assert.ok(found.kind === 'found' && found.payout.status === 'paid' && found.payout.endToEndId);
      await eventually(() => bench.noticesOf(request.reference).length > 0, 'the webhook');
      assert.equal((await provider().sendPayout(request)).kind, 'unknown');
      const { payouts } = await bench.books(request.reference);
      assert.deepEqual([payouts.length, payouts[0]?.['sends'], payouts[0]?.['status']], [1, 2, 'paid']);
    });

    it('accepted, and the answer lost → unknown, found by its reference, sent once', async () => {
      const request = aPayout({ amountMinor: 66_623n });
      assert.equal((await bench.impatient('a').sendPayout(request)).kind, 'unknown');
      await eventually(async () => (await statusOf(request)) === 'processing', 'found');
      assert.equal((await bench.books(request.reference)).payouts[0]?.['sends'], 1);
    });

    it('not accepted, without an answer that says so → unknown, and nothing is found', async () => {
      const request = aPayout({ amountMinor: 66_632n });
      assert.equal((await provider().sendPayout(request)).kind, 'unknown');
      assert.deepEqual(await lookUp(request), { kind: 'not_found' });
    });

    it('paid → returned in parts by the receiving bank, reported by a webhook that names the payout', async () => {
      const request = aPayout();
      await provider().sendPayout(request);
      await bench.steering.settlePayout('a', request.reference, 'paid');
      const settle = `/a/payouts/${request.reference}/settle`;
      await bench.control('POST', settle, { result: 'returned', amount_minor: '500' });
      const returned = async () => {
        const found = await lookUp(request);
        return found.kind === 'found' ? found.payout.returns.map(({ amountMinor }) => amountMinor) : found.kind;
      };
      assert.deepEqual(await returned(), [500n]);
      await bench.control('POST', settle, { result: 'returned' });
      assert.deepEqual(await returned(), [500n, 7_000n]);
      const found = await lookUp(request);
      const endToEndId = found.kind === 'found' ? found.payout.endToEndId : null;
      const isNamed = () =>
        bench.received.some(
          ({ verdict }) =>
            verdict.kind === 'accepted' &&
            verdict.notices.some((notice) => notice.kind === 'return' && notice.endToEndId === endToEndId),
        );
      await eventually(isNamed, 'the webhook of the return');
    });

    it('created without an approval waits for it, and its approval sends it', async () => {
      const request = aPayout();
      const call = async (path: string, body: object) =>
        (await fetch(`${bench.simulator.url}/a/api/v1${path}`, {
          method: 'POST',
          headers: { authorization: APP_ID, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })) as { ok: boolean };
      await call('/payment', {
        type: 'PIX_KEY',
        value: 7_500,
        destinationAlias: request.key.value,
        destinationAliasType: 'EMAIL',
        correlationID: request.reference,
      });
      assert.equal(await statusOf(request), 'processing');
      assert.equal((await bench.books(request.reference)).payouts[0]?.['status'], 'not_accepted');
      assert.ok((await call('/payment/approve', { correlationID: request.reference })).ok);
      await bench.steering.settlePayout('a', request.reference, 'paid');
      assert.equal(await statusOf(request), 'paid');
    });
  });

  describe('keys', () => {
    const ask = (value: string, expected = ANA) =>
      provider().lookUpKeyOwner({ operationId: newReference(), key: { type: 'email', value }, expected });

    it('a masked match is weak; another holder is a mismatch; an unknown key is none', async () => {
      const match = await ask(`${newReference()}@player.test`);
      assert.ok(match.kind === 'match' && match.strength === 'masked' && match.endToEndId);
      assert.equal((await ask(`${newReference()}@player.test`, BETO)).kind, 'mismatch');
      assert.equal((await ask('other-holder@sentinel.test')).kind, 'mismatch');
      assert.equal((await ask('no-such-key@sentinel.test')).kind, 'no_such_key');
      assert.equal((await ask('dict-down@sentinel.test')).kind, 'unavailable');
    });
  });

  describe('afterwards', () => {
    it('a restart signs with new keys: its webhooks are believed once the list is asked again', async () => {
      aheadMs = 11_000;
      await bench.restart();
      const { reference } = await aPaidCharge();
      await eventually(() => bench.noticesOf(reference).length > 0, 'a webhook with the new key');
    });

    it('a wrong AppID concludes nothing', async () => {
      const other = await openBench({}, { ...SLOT, PROVIDER_A_CLIENT_SECRET: 'another AppID than the real' }, () =>
        Promise.resolve(bench.simulator.url),
      );
      try {
        assert.equal((await other.providers('a').createCharge(aCharge())).kind, 'unknown');
        assert.equal((await other.providers('a').sendPayout(aPayout())).kind, 'unknown');
      } finally {
        await other.close();
      }
    });

    it('nothing in the answers is drift to the adapter, except the refusal of the sentinel and of the return', () =>
      assert.deepEqual([...new Set(drift)], ['unknown_error']));

    it(`all that was said is as Woovi’s document has it, but for its ${Object.keys(SLIPS).length} slips`, function () {
      const file = process.env[WOOVI_DOCUMENT];
      if (!file) {
        process.stdout.write(`      not judged: ${WOOVI_DOCUMENT} names no file of Woovi's OpenAPI document\n`);
        return this.skip();
      }
      const exchanges = recorder.exchanges.filter(({ path }) => path.startsWith('/api/v1/'));
      assert.ok(exchanges.length > 75, `${exchanges.length} exchanges`);
      const faultsBy = (judge: Judge) => [...new Set(exchanges.flatMap((exchange) => judge.faultsOf(exchange)))];
      const judge = judgeBy(file);
      assert.deepEqual(faultsBy(judge), []);
      for (const slip of Object.keys(SLIPS)) {
        const others = Object.keys(SLIPS).filter((one) => one !== slip);
        assert.notDeepEqual(faultsBy(judgeBy(file, others)), [], `still a slip, and the judge sees it: ${slip}`);
      }
      const events = bench.received
        .map(({ body }) => JSON.parse(body.toString()) as { event: string })
        .filter(({ event }) => event === 'OPENPIX:CHARGE_COMPLETED');
      assert.ok(events.length > 0);
      assert.deepEqual([...new Set(events.flatMap((event) => judge.faultsOfPix(event)))], []);
    });
  });
});
