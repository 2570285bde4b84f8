// The adapter against the simulator, in each of the three dialects: every outcome of the port that a healthy or a
// broken provider can bring about.
import assert from 'node:assert/strict';
import { parseBrCode } from '../../../domain/br-code.js';
import type { SlotName } from '../../../providers/port.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { aCharge, ANA, aPayout, BETO, newReference, openBench, payloadAt, type Bench } from './harness.js';
import { NO_LIMITS } from '../../../providers/dialect-entry.js';

const PROVIDERS: readonly SlotName[] = ['simulator', 'a', 'b'];
/** What a look-up says of a paying Ana. */
const PAYER_OF_ANA: Record<SlotName, unknown> = {
  simulator: { document: { type: 'CPF', number: ANA.number }, name: 'Ana Souza' },
  a: { document: { type: 'CPF', number: ANA.number }, name: 'Ana Souza' },
  b: null,
};
const STRENGTH: Record<SlotName, 'full' | 'masked'> = { simulator: 'full', a: 'masked', b: 'full' };

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

for (const name of PROVIDERS) {
  describe(`pix-api as ${name}`, () => {
    const provider = () => bench.providers(name);

    describe('charges', () => {
      it('nothing → created: a readable dynamic PIX with the sandbox marker, served signed at its location', async () => {
        const request = aCharge({ amountMinor: 123_456n, expiresInSeconds: 900 });
        const outcome = await provider().createCharge(request);
        assert.equal(outcome.kind, 'created');
        assert.ok(outcome.kind === 'created');
        const { charge } = outcome;
        assert.equal(charge.reference, request.reference);
        assert.equal(charge.amountMinor, 123_456n);
        assert.equal(charge.sandboxMarker, true);
        assert.ok(Math.abs(Date.parse(charge.expiresAt) - Date.now() - 900_000) < 5_000, charge.expiresAt);
        const code = parseBrCode(charge.copyPaste);
        assert.ok(code.ok && code.brCode.singleUse && code.brCode.amountMinor === 123_456n && code.brCode.location);
        const payload = await payloadAt(code.brCode.location);
        assert.deepEqual(
          [payload['txid'], payload['status'], payload['valor']],
          [request.reference, 'ATIVA', { original: '1234.56', modalidadeAlteracao: 0 }],
        );
        assert.equal(charge.qrCodePngBase64 !== null, name === 'a');
        if (charge.qrCodePngBase64)
          assert.equal(Buffer.from(charge.qrCodePngBase64, 'base64').subarray(1, 4).toString(), 'PNG');
      });

      it('created → created again with the same reference: the first charge, not a second; with another amount it is refused', async () => {
        const request = aCharge();
        const first = await provider().createCharge(request);
        const second = await provider().createCharge(request);
        assert.equal(first.kind, 'created');
        assert.deepEqual(second, first);
        assert.deepEqual(await provider().createCharge({ ...request, amountMinor: 5_001n }), {
          kind: 'refused',
          code: 'charge_conflict',
        });
        assert.equal((await bench.books(request.reference)).charges.length, 1);
      });

      it('needs exactly the fields that its traits name', async () => {
        const { depositRequirements } = provider().traits;
        const nameless = await provider().createCharge(
          aCharge({ payer: { document: ANA, name: null, email: 'ana@player.test' } }),
        );
        assert.equal(nameless.kind, depositRequirements.includes('player.name') ? 'refused' : 'created');
        const mailless = await provider().createCharge(
          aCharge({ payer: { document: ANA, name: 'Ana Souza', email: null } }),
        );
        assert.equal(mailless.kind, depositRequirements.includes('player.email') ? 'refused' : 'created');
      });

      it('look-up: open, then paid with its payment, amounts exact', async () => {
        const request = aCharge({ amountMinor: 999_999_999_999n });
        await provider().createCharge(request);
        const open = await provider().lookUpCharge(request.reference);
        assert.ok(open.kind === 'found' && open.createdAt !== null);
        assert.deepEqual([open.status, open.payments], ['open', []]);
        const paid = await bench.steering.payCharge(name, request.reference, {
          amountMinor: null,
          payerDocument: null,
        });
        assert.ok(paid.kind === 'done' && paid.endToEndId);
        const found = await provider().lookUpCharge(request.reference);
        assert.ok(found.kind === 'found');
        assert.equal(found.status, 'paid');
        assert.equal(found.payments.length, 1);
        const { paidAt, ...payment } = found.payments[0]!;
        assert.deepEqual(payment, {
          endToEndId: paid.endToEndId,
          amountMinor: 999_999_999_999n,
          payer: PAYER_OF_ANA[name],
          reversals: [],
          feeMinor: null,
        });
        assert.ok(Math.abs(Date.parse(paidAt) - Date.now()) < 5_000);
      });
    });

    describe('returns', () => {
      const paidCharge = async (amountMinor = 5_000n) => {
        const request = aCharge({ amountMinor });
        await provider().createCharge(request);
        const paid = await bench.steering.payCharge(name, request.reference, {
          amountMinor: null,
          payerDocument: null,
        });
        assert.ok(paid.kind === 'done' && paid.endToEndId);
        return { reference: request.reference, endToEndId: paid.endToEndId };
      };

      it('requested → pending → done, once for one reference', async () => {
        const { reference, endToEndId } = await paidCharge();
        const request = { endToEndId, reference: newReference(), amountMinor: 2_000n };
        const first = await provider().requestReversal(request);
        assert.ok(first.kind === 'accepted');
        assert.deepEqual(
          { ...first.reversal, at: '', returnId: '' },
          {
            reference: request.reference,
            amountMinor: 2_000n,
            kind: 'refund',
            status: 'pending',
            at: '',
            returnId: '',
          },
        );
        assert.match(first.reversal.returnId ?? '', /^D\d{20}[A-Za-z0-9]{11}$/);
        const repeat = await provider().requestReversal(request);
        assert.ok(repeat.kind === 'accepted' && repeat.reversal.reference === request.reference);
        await eventually(async () => {
          const outcome = await provider().requestReversal(request);
          return outcome.kind === 'accepted' && outcome.reversal.status === 'done';
        }, 'the return is done');
        const found = await provider().lookUpCharge(reference);
        assert.ok(found.kind === 'found');
        assert.deepEqual(
          found.payments[0]?.reversals.map(({ kind, status, amountMinor }) => ({ kind, status, amountMinor })),
          [{ kind: 'refund', status: 'done', amountMinor: 2_000n }],
        );
      });

      it('steered refund and chargeback are distinguished', async () => {
        for (const kind of ['refund', 'chargeback'] as const) {
          const { reference, endToEndId } = await paidCharge();
          assert.deepEqual(await bench.steering.reverseCharge(name, reference, { kind, amountMinor: null }), {
            kind: 'done',
            endToEndId,
          });
          await eventually(async () => {
            const found = await provider().lookUpCharge(reference);
            const reversal = found.kind === 'found' ? found.payments[0]?.reversals[0] : undefined;
            return reversal?.kind === kind && reversal.status === 'done' && reversal.amountMinor === 5_000n;
          }, `the ${kind} is reported`);
        }
      });
    });

    it('a charge is reversed in parts, which add up to the whole', async () => {
      const request = aCharge();
      await provider().createCharge(request);
      await bench.steering.payCharge(name, request.reference, { amountMinor: null, payerDocument: null });
      const reverse = (body: object) => bench.control('POST', `/${name}/charges/${request.reference}/reverse`, body);
      assert.equal((await reverse({ kind: 'chargeback', amount_minor: '2001' })).status, 200);
      assert.equal((await reverse({ kind: 'chargeback', amount_minor: '3000' })).status, 409);
      // Without an amount: what is left.
      assert.equal((await reverse({ kind: 'chargeback' })).status, 200);
      assert.deepEqual(await reverse({ kind: 'chargeback' }), { status: 409, body: { reason: 'exceeds_payment' } });
      const found = await provider().lookUpCharge(request.reference);
      assert.ok(found.kind === 'found');
      assert.deepEqual(
        found.payments[0]?.reversals.map(({ kind, status, amountMinor }) => ({ kind, status, amountMinor })),
        [
          { kind: 'chargeback', status: 'done', amountMinor: 2_001n },
          { kind: 'chargeback', status: 'done', amountMinor: 2_999n },
        ],
      );
      const [first, second] = found.payments[0].reversals;
      assert.notEqual(first?.reference, second?.reference);
    });

    describe('payouts', () => {
      it('sent → processing until it is steered → paid, with one end-to-end id', async () => {
        const request = aPayout({ amountMinor: 999_999_999_999n });
        const sent = await provider().sendPayout(request);
        assert.ok(sent.kind === 'reply');
        assert.equal(sent.payout.status, 'processing');
        assert.match(sent.payout.endToEndId ?? '', /^E\d{20}\w{11}$/);
        assert.deepEqual(await bench.steering.settlePayout(name, request.reference, 'paid'), {
          kind: 'done',
          endToEndId: sent.payout.endToEndId,
        });
        const found = await provider().lookUpPayout(request);
        assert.ok(found.kind === 'found');
        assert.equal(found.payout.status, 'paid');
        assert.equal(found.payout.endToEndId, sent.payout.endToEndId);
        assert.ok(found.payout.paidAt !== null && found.payout.returns.length === 0);
      });

      it('processing → failed with the code that was steered', async () => {
        const request = aPayout();
        await provider().sendPayout(request);
        await bench.steering.settlePayout(name, request.reference, 'failed', 'AC06');
        const found = await provider().lookUpPayout(request);
        assert.ok(found.kind === 'found' && found.payout.status === 'failed');
        assert.equal(found.payout.failureCode, 'AC06');
        assert.equal(found.payout.paidAt, null);
      });

      it('paid → returned by the receiving bank', async () => {
        const request = aPayout();
        await provider().sendPayout(request);
        assert.equal((await bench.steering.settlePayout(name, request.reference, 'returned')).kind, 'refused');
        await bench.steering.settlePayout(name, request.reference, 'paid');
        await bench.steering.settlePayout(name, request.reference, 'returned', 'BE01');
        const found = await provider().lookUpPayout(request);
        assert.ok(found.kind === 'found' && found.payout.status === 'paid');
        assert.equal(found.payout.returns[0]?.code, 'BE01');
        assert.ok(found.payout.paidAt !== null);
      });

      it('an order given before the payout arrives waits for it', async () => {
        const request = aPayout();
        assert.deepEqual(await bench.steering.settlePayout(name, request.reference, 'paid'), {
          kind: 'done',
          endToEndId: null,
        });
        const sent = await provider().sendPayout(request);
        assert.ok(sent.kind === 'reply' && sent.payout.status === 'processing');
        const found = await provider().lookUpPayout(request);
        assert.ok(found.kind === 'found' && found.payout.status === 'paid');
      });

      it('a repeated reference → unknown, and nothing is paid twice', async () => {
        const request = aPayout();
        await provider().sendPayout(request);
        const repeat = await provider().sendPayout(request);
        assert.deepEqual(repeat, { kind: 'unknown', reason: name === 'b' ? 'http_400' : 'http_409' });
        const [books] = (await bench.books(request.reference)).payouts;
        assert.deepEqual({ sends: books?.['sends'], status: books?.['status'] }, { sends: 2, status: 'processing' });
      });
    });

    describe('key look-ups', () => {
      it('an unregistered key belongs to the person asked about', async () => {
        const outcome = await provider().lookUpKeyOwner({
          operationId: 'op_1',
          key: { type: 'email', value: `ana.${newReference()}@player.test` },
          expected: ANA,
        });
        assert.ok(outcome.kind === 'match');
        assert.equal(outcome.strength, STRENGTH[name]);
        assert.match(outcome.endToEndId ?? '', /^E\w{31}$/);
      });

      it('a registered key belongs to its owner only', async () => {
        const value = `${newReference()}@player.test`;
        await bench.control('PUT', `/${name}/keys/${value}`, {
          key_type: 'email',
          owner: { type: 'CPF', number: BETO.number },
        });
        assert.deepEqual(
          await provider().lookUpKeyOwner({ operationId: 'op_1', key: { type: 'email', value }, expected: ANA }),
          {
            kind: 'mismatch',
          },
        );
        assert.equal(
          (await provider().lookUpKeyOwner({ operationId: 'op_1', key: { type: 'email', value }, expected: BETO }))
            .kind,
          'match',
        );
      });
    });

    describe('outages', () => {
      for (const [mode, reason] of [
        ['refuse', 'connection_reset'],
        ['hang', 'timeout'],
        ['error', 'http_500'],
      ] as const) {
        it(`${mode}: every outcome is unknown or unavailable, and all is well afterwards`, async () => {
          const charge = aCharge();
          const payout = aPayout();
          const key = { type: 'email', value: `${newReference()}@player.test` } as const;
          const during = (mode === 'hang' ? bench.impatient : bench.providers)(name);
          // The first call has the budget for a token in it, and a token must be there: an outage spares nothing.
          await eventually(async () => (await during.lookUpCharge(newReference())).kind === 'not_found', 'a token');
          await bench.control('PUT', `/${name}/outage`, { mode });
          try {
            assert.deepEqual(await during.createCharge(charge), { kind: 'unknown', reason });
            assert.deepEqual(await during.lookUpCharge(charge.reference), { kind: 'unknown', reason });
            assert.deepEqual(await during.sendPayout(payout), { kind: 'unknown', reason });
            assert.deepEqual(await during.lookUpPayout(payout), { kind: 'unknown', reason });
            assert.deepEqual(await during.lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA }), {
              kind: 'unavailable',
              reason,
              retryAfterSeconds: null,
            });
          } finally {
            await bench.control('PUT', `/${name}/outage`, { mode: 'none' });
          }
          assert.equal((await provider().createCharge(charge)).kind, 'created');
          assert.equal((await provider().lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA })).kind, 'match');
          assert.deepEqual(await provider().lookUpPayout(payout), { kind: 'not_found' });
        });
      }
    });
  });
}

describe('traits', () => {
  it('are those of the specification', () => {
    const traits = Object.fromEntries(PROVIDERS.map((name) => [name, bench.providers(name).traits]));
    assert.deepEqual(traits, {
      simulator: { depositRequirements: [], pspNotes: [], sendsPayouts: true, limits: NO_LIMITS },
      a: { depositRequirements: ['player.name', 'player.email'], pspNotes: [], sendsPayouts: true, limits: NO_LIMITS },
      b: {
        depositRequirements: ['player.name'],
        pspNotes: ['payer_identity_unavailable'],
        sendsPayouts: true,
        limits: NO_LIMITS,
      },
    });
  });
});
