// pypix-api drives the simulator as the banks that it knows: a client of API Pix that we did not write, with its own
// idea of each bank's addresses, of every answer and of refusals. Only the hosts are changed.
import assert from 'node:assert/strict';
import type { DialectName } from '../../providers/settings.js';
import { eventually } from '../../lab/harness/eventually.js';
import { aCharge, ANA, type Bench, newReference, openBench } from '../integration/simulator/harness.js';
import { judgeOrSkip } from './judge-or-skip.js';
import { type PypixClient, PYPIX_API, startPypix } from './pypix-api/client.js';

const SLOT = 'a';
const KEY = 'gateway@bank.test';
const CLIENT_ID = 'client-of-a';
const INSTALL_TIMEOUT_MS = 5 * 60_000;

/** Banco do Brasil's is left out: it does not send the application's key, without which that bank answers nobody. */
const BANKS: readonly {
  readonly dialect: DialectName;
  readonly bank: string;
  readonly secret: string;
  /** Whether it takes a repeated `PUT`. */ readonly revises: boolean;
}[] = [
  { dialect: 'sicredi', bank: 'sicredi.SicrediPixAPI', secret: 'secret-of-client-a', revises: false },
  // Its clients are proven by their certificate.
  { dialect: 'sicoob', bank: 'sicoob.SicoobPixAPI', secret: '', revises: true },
];

for (const { dialect, bank, secret, revises } of BANKS)
  describe(`pypix-api against the simulator as ${dialect}`, () => {
    let bench: Bench;
    let client: PypixClient;

    before(async function () {
      this.timeout(INSTALL_TIMEOUT_MS);
      const python = await judgeOrSkip(this, PYPIX_API);
      bench = await openBench(
        {},
        {
          PROVIDER_A_DIALECT: dialect,
          PROVIDER_A_TOKEN_URL: `URL/${SLOT}/oauth/token`,
          PROVIDER_A_CLIENT_ID: CLIENT_ID,
          PROVIDER_A_CLIENT_SECRET: secret === '' ? undefined : secret,
        },
      );
      const address = `${bench.simulator.url}/${SLOT}`;
      const tokenUrl = `${address}/oauth/token`;
      client = startPypix(python, { bank, baseUrl: address, tokenUrl, clientId: CLIENT_ID, clientSecret: secret });
    });
    after(async () => {
      client?.close();
      await bench?.close();
    });

    const newCharge = async () => {
      const txid = newReference();
      const order = { calendario: { expiracao: 1_800 }, valor: { original: '50.00' }, chave: KEY };
      return { txid, answer: await client.call('criar_cob', txid, order) };
    };
    const paidCharge = async () => {
      const { txid } = await newCharge();
      const paid = await bench.steering.payCharge(SLOT, txid, { amountMinor: null, payerDocument: ANA });
      assert.ok(paid.kind === 'done' && paid.endToEndId !== null);
      return { txid, endToEndId: paid.endToEndId };
    };
    const span = () => [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());

    it('a charge: made, read, listed', async () => {
      const { txid, answer } = await newCharge();
      assert.deepEqual([answer['txid'], answer['status'], answer['valor']], [txid, 'ATIVA', { original: '50.00' }]);
      assert.equal((await client.call('consultar_cob', txid))['status'], 'ATIVA');
      const { cobs } = (await client.call('consultar_cobs', ...span())) as { cobs: { txid: string }[] };
      assert.ok(cobs.some((charge) => charge.txid === txid));
    });

    it('a charge is revised while nobody has paid it, and taken back', async () => {
      const { txid, answer } = await newCharge();
      const revised = await client.call('revisar_cob', txid, { valor: { original: '60.00' } });
      assert.deepEqual([revised['revisao'], revised['valor']], [1, { original: '60.00' }]);
      assert.notEqual(revised['pixCopiaECola'], answer['pixCopiaECola']);
      const removed = await client.call('revisar_cob', txid, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
      assert.deepEqual([removed['revisao'], removed['status']], [2, 'REMOVIDA_PELO_USUARIO_RECEBEDOR']);
      const paying = await bench.steering.payCharge(SLOT, txid, { amountMinor: null, payerDocument: ANA });
      assert.deepEqual(paying, { kind: 'refused', reason: 'removed' });
      const { txid: paid } = await paidCharge();
      const refused = await client.refusal('revisar_cob', paid, { valor: { original: '60.00' } });
      assert.deepEqual([refused.status, refused.title], [400, 'CobOperacaoInvalida']);
    });

    it('a payment: on its charge, in the list of what was received, and by its id', async () => {
      const { txid, endToEndId } = await paidCharge();
      const charge = await eventually(async () => {
        const read = (await client.call('consultar_cob', txid)) as { status: string; pix: { endToEndId: string }[] };
        return read.status === 'CONCLUIDA' && read;
      }, 'the charge is concluded');
      assert.equal(charge.pix[0]?.endToEndId, endToEndId);
      const { pix } = (await client.call('consultar_pix', ...span(), txid)) as { pix: { endToEndId: string }[] };
      assert.deepEqual(
        pix.map((one) => one.endToEndId),
        [endToEndId],
      );
      assert.equal((await client.call('consultar_pix_por_e2eid', endToEndId))['txid'], txid);
    });

    it('a return: asked for, and read', async () => {
      const { endToEndId } = await paidCharge();
      const asked = await client.call('solicitar_devolucao_pix', endToEndId, 'return1', { valor: '50.00' });
      assert.equal(asked['id'], 'return1');
      const read = await client.call('consultar_devolucao_pix', endToEndId, 'return1');
      assert.equal(read['valor'], '50.00');
      assert.match(String(read['status']), /^(EM_PROCESSAMENTO|DEVOLVIDO)$/);
    });

    it('a webhook: registered, read, removed', async () => {
      const address = 'https://receiver.test/pix';
      await client.call('configurar_webhook', KEY, address);
      assert.equal((await client.call('consultar_webhook', KEY))['webhookUrl'], address);
      await client.call('excluir_webhook', KEY);
      assert.equal((await client.refusal('consultar_webhook', KEY)).class, 'PixRecursoNaoEncontradoException');
    });

    it('refusals are in words that it understands', async () => {
      const unknown = await client.refusal('consultar_cob', newReference());
      assert.deepEqual([unknown.class, unknown.status], ['PixRecursoNaoEncontradoException', 404]);
      assert.match(unknown.type, /^https:\/\/pix\.bcb\.gov\.br\/api\/v2\/error\//);
      const order = { calendario: { expiracao: 60 }, valor: { original: '5' }, chave: KEY };
      const invalid = await client.refusal('criar_cob', newReference(), order);
      assert.deepEqual([invalid.class, invalid.status], ['PixErroValidacaoException', 400]);
    });

    const then = revises ? 'sets right' : 'does not believe';
    it(`a charge of the gateway is one that it can read; what it changes there, the gateway ${then}`, async () => {
      const order = aCharge();
      const made = await bench.providers(SLOT).createCharge(order);
      assert.equal(made.kind, 'created');
      assert.equal((await client.call('consultar_cob', order.reference))['status'], 'ATIVA');
      await client.call('revisar_cob', order.reference, { valor: { original: '60.00' } });
      const again = await bench.providers(SLOT).createCharge(order);
      if (revises) assert.ok(again.kind === 'created' && again.charge.amountMinor === order.amountMinor);
      else assert.deepEqual(again, { kind: 'refused', code: 'charge_conflict' });
    });
  });
