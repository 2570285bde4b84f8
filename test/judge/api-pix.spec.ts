// What the adapter sends and the simulator answers, and what the simulator calls back, against the published document of
// API Pix: recorded on the way between the two.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { RECEIVED_PARTS } from '../../domain/receipts.js';
import { eventually } from '../../tools/harness/eventually.js';
import { aCharge, ANA, newReference, openBench, type Bench } from '../integration/simulator/harness.js';
import { createRecorder, type Exchange, type Recorder } from '../support/recorder.js';
import { type Judge, judgeOfApiPix, SLIPS } from './api-pix-document.js';

/** Below the version, as the document writes paths. */
const pathOf = ({ path }: Exchange) => path.replace(/^\/v2(?=\/)/, '');

/**
 * Where a bank writes other things than the standard does, which its adapter must bear. Everything else is a fault.
 * Keyed by dialect; each is `path of the exchange: fault`.
 */
const KNOWN_OF: Readonly<Record<string, readonly RegExp[]>> = {
  efi: [
    // The expiry of a charge that is read is text.
    /^GET \/cob.*expiracao must be integer$/,
    // Its refusals are {nome, mensagem}, some with a status that the standard does not have.
    /^(PUT|GET) .* status 409 is not in the document$/,
    /^GET \/cob.* status 400 is not in the document$/,
    /^(PUT|GET) .*body must have required property '(type|title|status)'$/,
  ],
};

for (const dialect of ['efi', 'api-pix'] as const)
  describe(`API Pix, judged: the adapter and the simulator as ${dialect}`, () => {
    let judge: Judge;
    let bench: Bench;
    let recorder: Recorder;

    before(async function () {
      judge = judgeOfApiPix(this);
      recorder = createRecorder();
      bench = await openBench({}, { PROVIDER_A_DIALECT: dialect }, (url) => recorder.listen(url));
      await speak();
    });
    after(async () => {
      await bench?.close();
      await recorder?.close();
    });

    /** Everything that the standard has and the adapter says. */
    async function speak(): Promise<void> {
      const provider = bench.providers('a');
      const charge = aCharge();
      await provider.createCharge(charge);
      await provider.createCharge(charge);
      await provider.createCharge(aCharge({ payer: { ...charge.payer, name: null } }));
      await provider.createCharge(aCharge({ amountMinor: 66_603n }));
      await provider.lookUpCharge(charge.reference);
      await provider.lookUpCharge(newReference());
      const paid = await bench.steering.payCharge('a', charge.reference, { amountMinor: null, payerDocument: null });
      assert.ok(paid.kind === 'done' && paid.endToEndId !== null);
      await provider.lookUpCharge(charge.reference, ANA);
      const order = { endToEndId: paid.endToEndId, reference: charge.reference, amountMinor: 5_000n };
      await provider.requestReversal(order);
      await provider.requestReversal(order);
      await provider.lookUpCharge(charge.reference);
      const span = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString(), cursor: null };
      for (const part of RECEIVED_PARTS) {
        const listed = await provider.listReceived({ part, ...span });
        assert.ok(listed.kind === 'page' && listed.items.length === 1, inspect(listed));
      }
      await eventually(() => bench.noticesOf(charge.reference).length > 1, 'callbacks of the payment and the return');
    }

    it('judges by the version that the adapter is written for', () => assert.equal(judge.version, '2.9.0'));

    it('what is sent', () => {
      const judged = recorder.exchanges.map(
        (exchange) =>
          [exchange.path, judge.request(exchange.method, pathOf(exchange), exchange.body ?? undefined)] as const,
      );
      assert.ok(judged.filter(([, faults]) => faults !== undefined).length >= 10);
      assert.deepEqual(
        judged.flatMap(([path, faults]) => (faults ?? []).map((fault) => `${path} ${fault}`)),
        [],
      );
    });

    it('what is answered, but for what is known of the bank', () => {
      const faults = recorder.exchanges.flatMap((exchange) => {
        const { method, status, answer } = exchange;
        const path = pathOf(exchange);
        return (judge.answer(method, path, status, answer) ?? []).map((fault) => `${method} ${path} ${fault}`);
      });
      const known = KNOWN_OF[dialect] ?? [];
      assert.deepEqual(
        faults.filter((fault) => !known.some((one) => one.test(fault))),
        [],
      );
      // One that no longer happens is known no more.
      assert.deepEqual(
        known.filter((one) => !faults.some((fault) => one.test(fault))),
        [],
      );
    });

    it('what is called back', () => {
      const bodies = bench.received.map(({ body }) => JSON.parse(body.toString()) as unknown);
      assert.ok(bodies.length > 1);
      assert.deepEqual(
        bodies.flatMap((body) => judge.body('WebhookPixBody', body)),
        [],
      );
    });

    it('and it can say no: a debtor without a name, an amount with a comma', () => {
      const body = { calendario: { expiracao: 60 }, valor: { original: '1.00' }, chave: 'a@b.test' };
      const path = `/cob/${newReference()}`;
      assert.deepEqual(judge.request('PUT', path, body), []);
      assert.notDeepEqual(judge.request('PUT', path, { ...body, devedor: { cpf: '52998224725' } }), []);
      assert.notDeepEqual(judge.request('PUT', path, { ...body, valor: { original: '1,00' } }), []);
      assert.equal(SLIPS.length, 5);
    });
  });
