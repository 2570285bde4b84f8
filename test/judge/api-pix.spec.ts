// What the adapter sends and the simulator answers, and what the simulator calls back, against the published document
// of API Pix: recorded on the way between the two.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { parseBrCode } from '../../domain/br-code.js';
import { RECEIVED_PARTS } from '../../domain/receipts.js';
import { eventually } from '../../lab/harness/eventually.js';
import { aCharge, ANA, newReference, openBench, payloadAt, type Bench } from '../integration/simulator/harness.js';
import { type Judge, SLIPS } from '../../lab/harness/judges/api-pix.js';
import { answerFaults, requestFaults } from '../../lab/harness/judges/api-pix-traffic.js';
import { createRecorder, type Recorder } from '../../lab/harness/recorder.js';
import { judgeOfApiPix } from './api-pix-or-skip.js';

for (const dialect of ['efi', 'api-pix'] as const)
  describe(`API Pix, judged: the adapter and the simulator as ${dialect}`, () => {
    let judge: Judge;
    let bench: Bench;
    let recorder: Recorder;
    let address: string;
    /** How many exchanges are the adapter's. */
    let said: number;

    before(async function () {
      judge = judgeOfApiPix(this);
      recorder = createRecorder();
      const via = async (url: string) => (address = await recorder.listen(url));
      bench = await openBench({}, { PROVIDER_A_DIALECT: dialect }, via);
      await speak();
      said = recorder.exchanges.length;
      await beRefused();
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

    /** Every refusal that the standard has its own word for. */
    async function beRefused(): Promise<void> {
      const token = await bearer();
      const call = async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const url = `${address}/a${dialect === 'efi' ? '/v2' : ''}${path}`;
        await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      };
      const pix = `/pix/E${'0'.repeat(31)}`;
      const charge = { calendario: { expiracao: 0 }, valor: { original: '1.00' }, chave: 'gateway@bank.test' };
      await call('GET', `/cob/${newReference()}`);
      await call('PATCH', `/cob/${newReference()}`, { valor: { original: '2.00' } });
      await call('PUT', `/cob/${newReference()}`, charge);
      await call('GET', '/cob?inicio=2026-01-02T00:00:00Z&fim=2026-01-01T00:00:00Z');
      await call('GET', pix);
      await call('GET', '/pix?inicio=2026-01-02T00:00:00Z&fim=2026-01-01T00:00:00Z');
      await call('GET', `${pix}/devolucao/none`);
      await call('PUT', `${pix}/devolucao/none`, { valor: '1.00' });
      await call('PUT', `${pix}/devolucao/none`, { valor: '1' });
      await call('GET', '/webhook/gateway@bank.test');
      await call('DELETE', '/webhook/gateway@bank.test');
      await call('PUT', '/webhook/another@bank.test', { webhookUrl: 'https://receiver.test' });
      await bench.control('PUT', '/a/scopes', { scopes: ['cob.write'] });
      await call('GET', `/cob/${newReference()}`);
      await bench.control('PUT', '/a/scopes', { scopes: null });
    }

    async function bearer(): Promise<string> {
      const credentials = ['client:A', 'client secret of A %+'].map(encodeURIComponent).join(':');
      const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      const answer = await fetch(`${address}/a/oauth/token`, { method: 'POST', headers, body });
      return ((await answer.json()) as { access_token: string }).access_token;
    }

    it('judges by the version that the adapter is written for', () => assert.equal(judge.version, '2.9.0'));

    it('what is sent', () => {
      const { judged, faults } = requestFaults(judge, recorder.exchanges.slice(0, said));
      assert.ok(judged >= 10);
      assert.deepEqual(faults, []);
    });

    it('what is answered, but for what is known of the bank', () => {
      const { news, idle } = answerFaults(judge, dialect, recorder.exchanges);
      assert.deepEqual(news, []);
      // One that no longer happens is known no more.
      assert.deepEqual(idle, []);
    });

    it('what is refused, each resource in its own word', function () {
      if (dialect === 'efi') return this.skip();
      const answered = recorder.exchanges
        .filter(({ status }) => status >= 400)
        .map(({ method, path, status, answer }) => {
          const { type } = answer as { type: string };
          const place = path.replaceAll(/\/[A-Za-z0-9]{32}/g, '/{id}').replace(/[a-z]+@bank\.test/, '{key}');
          return `${method} ${place} ${status} ${type.replace(/.*\//, '')}`;
        });
      assert.deepEqual([...new Set(answered)].sort(), [
        'DELETE /webhook/{key} 404 WebhookNaoEncontrado',
        'GET /cob 400 CobConsultaInvalida',
        'GET /cob/{id} 403 AcessoNegado',
        'GET /cob/{id} 404 CobNaoEncontrado',
        'GET /pix 400 PixConsultaInvalida',
        'GET /pix/{id} 404 PixNaoEncontrado',
        'GET /pix/{id}/devolucao/none 404 PixDevolucaoNaoEncontrada',
        'GET /webhook/{key} 404 WebhookNaoEncontrado',
        'PATCH /cob/{id} 404 CobNaoEncontrado',
        'PUT /cob/{id} 400 CobOperacaoInvalida',
        'PUT /pix/{id}/devolucao/none 400 PixDevolucaoInvalida',
        'PUT /pix/{id}/devolucao/none 404 NaoEncontrado',
        'PUT /pix/{id}/devolucao/{id} 400 PixDevolucaoInvalida',
        'PUT /webhook/{key} 400 WebhookOperacaoInvalida',
      ]);
      return undefined;
    });

    it('refuses a refusal of another call, or one that the document does not have', () => {
      const problem = (type: string, status: number) => ({
        type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
        title: 'x',
        status,
      });
      const path = `/cob/${newReference()}`;
      const faults = (type: string, status: number) => judge.answer('GET', path, status, problem(type, status));
      assert.deepEqual(faults('CobNaoEncontrado', 404), []);
      assert.deepEqual(faults('NaoEncontrado', 404), []);
      assert.equal(faults('PixNaoEncontrado', 404)?.length, 1);
      assert.equal(faults('CobDuplicada', 404)?.length, 1);
      assert.equal(faults('AcessoNegado', 404)?.length, 1);
    });

    it('what is called back', () => {
      const bodies = bench.received.map(({ body }) => JSON.parse(body.toString()) as unknown);
      assert.ok(bodies.length > 1);
      assert.deepEqual(
        bodies.flatMap((body) => judge.body('WebhookPixBody', body)),
        [],
      );
    });

    it('what stands behind a code', async () => {
      const made = await bench.providers('a').createCharge(aCharge());
      assert.ok(made.kind === 'created');
      const code = parseBrCode(made.charge.copyPaste);
      assert.ok(code.ok && code.brCode.location);
      const payload = await payloadAt(code.brCode.location);
      assert.deepEqual(judge.payload(payload), []);
      assert.notDeepEqual(judge.payload({ ...payload, valor: {} }), []);
    });

    it('refuses a debtor without a name, and an amount with a comma', () => {
      const body = { calendario: { expiracao: 60 }, valor: { original: '1.00' }, chave: 'a@b.test' };
      const path = `/cob/${newReference()}`;
      assert.deepEqual(judge.request('PUT', path, body), []);
      assert.notDeepEqual(judge.request('PUT', path, { ...body, devedor: { cpf: '52998224725' } }), []);
      assert.notDeepEqual(judge.request('PUT', path, { ...body, valor: { original: '1,00' } }), []);
      assert.equal(SLIPS.length, 6);
    });
  });
