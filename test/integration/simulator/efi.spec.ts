// Slot `a` on the dialect of Efí, against the simulator's side of it: charges, returns, sends, and the one address of
// all callbacks.
import assert from 'node:assert/strict';
import { parseBrCode } from '../../../domain/br-code.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { aCharge, ANA, aPayout, BETO, openBench, type Bench } from './harness.js';

let bench: Bench;
before(async () => {
  bench = await openBench({}, { PROVIDER_A_DIALECT: 'efi' });
});
after(() => bench.close());
const efi = () => bench.providers('a');
const noticeOf = (reference: string) => eventually(() => bench.noticesOf(reference).length > 0, 'a notice');

describe('efi: charges', () => {
  it('nothing → created: a code at a known test host; the same reference again is the same charge', async () => {
    const request = aCharge({ amountMinor: 123_456n });
    const outcome = await efi().createCharge(request);
    assert.ok(outcome.kind === 'created');
    assert.equal(outcome.charge.sandboxMarker, true);
    assert.ok(parseBrCode(outcome.charge.copyPaste).ok);
    // It answers 409, and its GET writes the expiry as text.
    assert.deepEqual(await efi().createCharge(request), outcome);
    assert.equal((await bench.books(request.reference)).charges.length, 1);
  });

  it('open → paid: the list of charges names the payer, the charge does not', async () => {
    const request = aCharge();
    await efi().createCharge(request);
    await bench.steering.payCharge('a', request.reference, { amountMinor: null, payerDocument: BETO });
    const lookup = await eventually(async () => {
      const found = await efi().lookUpCharge(request.reference);
      return found.kind === 'found' && found.status === 'paid' ? found : null;
    }, 'the charge is concluded');
    assert.deepEqual(lookup.payments[0]?.payer?.document, { type: 'CPF', number: BETO.number });
    await noticeOf(request.reference);
    const [callback] = bench.received.filter(({ body }) => body.includes(request.reference));
    assert.equal(callback?.path, '/callbacks/a');
  });

  it('paid → returned, once', async () => {
    const request = aCharge();
    await efi().createCharge(request);
    const paid = await bench.steering.payCharge('a', request.reference, { amountMinor: null, payerDocument: null });
    assert.ok(paid.kind === 'done' && paid.endToEndId !== null);
    const order = { endToEndId: paid.endToEndId, reference: request.reference, amountMinor: 5_000n };
    assert.equal((await efi().requestReversal(order)).kind, 'accepted');
    assert.equal((await efi().requestReversal(order)).kind, 'accepted');
    await eventually(async () => {
      const lookup = await efi().lookUpCharge(request.reference);
      return lookup.kind === 'found' && lookup.payments[0]?.reversals[0]?.status === 'done';
    }, 'the return is done');
  });
});

describe('efi: sends', () => {
  it('sent → processing → paid, reported at the address of charges', async () => {
    const request = aPayout();
    const outcome = await efi().sendPayout(request);
    assert.ok(outcome.kind === 'reply' && outcome.payout.status === 'processing');
    await bench.steering.settlePayout('a', request.reference, 'paid');
    const lookup = await efi().lookUpPayout(request);
    assert.ok(lookup.kind === 'found' && lookup.payout.status === 'paid');
    assert.equal(lookup.payout.endToEndId, outcome.payout.endToEndId);
    assert.notEqual(lookup.payout.paidAt, null);
    await noticeOf(request.reference);
    assert.equal(bench.noticesOf(request.reference)[0]?.kind, 'payout');
  });

  it("another's key → failed at once: nothing moved", async () => {
    const request = aPayout({ key: { type: 'email', value: 'other-holder@sentinel.test' } });
    const outcome = await efi().sendPayout(request);
    assert.ok(outcome.kind === 'reply' && outcome.payout.failureCode === 'key_of_another_document');
    assert.deepEqual(await efi().lookUpPayout(request), { kind: 'not_found' });
  });

  it('never answered, though taken → unknown, then found; never a second one', async () => {
    const request = aPayout({ amountMinor: 66_623n });
    assert.equal((await bench.impatient('a').sendPayout(request)).kind, 'unknown');
    assert.equal((await efi().lookUpPayout(request)).kind, 'found');
    assert.equal((await efi().sendPayout(request)).kind, 'unknown');
    assert.equal((await bench.books(request.reference)).payouts[0]?.['sends'], 2);
  });

  it('a key has its holder compared at the send, or names its holder', async () => {
    const ask = (key: Parameters<ReturnType<typeof efi>['lookUpKeyOwner']>[0]['key']) =>
      efi().lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA });
    assert.deepEqual(await ask({ type: 'email', value: 'ana@player.test' }), { kind: 'at_send' });
    assert.equal((await ask({ type: 'cpf', value: ANA.number })).kind, 'match');
    assert.equal((await ask({ type: 'cpf', value: BETO.number })).kind, 'mismatch');
    assert.equal((await ask({ type: 'email', value: 'Ana' })).kind, 'no_such_key');
  });
});
