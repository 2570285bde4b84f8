// Efí's own SDK drives the simulator: a client that we did not write, with its own idea of every answer's shape. Only
// its address is changed. What it demands beyond what Efí answers is listed.
import assert from 'node:assert/strict';
import * as efiSdk from 'sdk-node-apis-efi';
import { eventually } from '../../../lab/harness/eventually.js';
import { ANA, newReference, openBench, type Bench } from './harness.js';

/** What the SDK reads of an answer with. */
interface Shape {
  safeParse(answer: unknown): { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } };
}

const SLOT = 'a';
const KEY = 'gateway@bank.test';
/** Efí's credentials have nothing that needs encoding, and its SDK encodes nothing. */
const CREDENTIAL = { client_id: 'Client_Id_0a1b', client_secret: 'Client_Secret_2c3d' };

describe('efi: its own SDK against the simulator', () => {
  let bench: Bench;
  let efi: efiSdk.EfiPay;

  before(async () => {
    bench = await openBench(
      {},
      {
        PROVIDER_A_DIALECT: 'efi',
        PROVIDER_A_CLIENT_ID: CREDENTIAL.client_id,
        PROVIDER_A_CLIENT_SECRET: CREDENTIAL.client_secret,
      },
    );
    efi = await sdkAt(`${bench.simulator.url}/${SLOT}`);
  });
  after(() => bench.close());

  /** Where the SDK and an answer differ. */
  function differences(shape: Shape, answer: unknown): string[] {
    const { success, error } = shape.safeParse(answer);
    return success ? [] : (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  }

  const newCharge = async (original = '50.00') => {
    const txid = newReference();
    const body = {
      calendario: { expiracao: 1_800 },
      devedor: { cpf: ANA.number, nome: 'Ana Souza' },
      valor: { original },
      chave: KEY,
    };
    return { txid, answer: await efi.pixCreateCharge({ txid }, body) };
  };
  const paidCharge = async () => {
    const { txid } = await newCharge();
    const paid = await bench.steering.payCharge(SLOT, txid, { amountMinor: null, payerDocument: ANA });
    assert.ok(paid.kind === 'done' && paid.endToEndId !== null);
    return { txid, endToEndId: paid.endToEndId };
  };
  const today = () => {
    const day = 86_400_000;
    return { inicio: new Date(Date.now() - day).toISOString(), fim: new Date(Date.now() + day).toISOString() };
  };

  it('a charge: made, read, listed', async () => {
    const { txid, answer } = await newCharge();
    assert.deepEqual(differences(efiSdk.PixCreateChargeResponseSchema, answer), []);
    assert.deepEqual([answer.txid, answer.status, answer.valor.original], [txid, 'ATIVA', '50.00']);
    const found = await efi.pixDetailCharge({ txid });
    assert.deepEqual(differences(efiSdk.PixDetailChargeResponseSchema, found), EXPIRY_AS_TEXT);
    assert.equal(found.status, 'ATIVA');
    const listed = await efi.pixListCharges(today());
    assert.ok(listed.cobs.some((charge) => charge.txid === txid));
  });

  it('a paid charge: its payment, and the list of what arrived', async () => {
    const { txid, endToEndId } = await paidCharge();
    const found = await eventually(async () => {
      const read = await efi.pixDetailCharge({ txid });
      return read.status === 'CONCLUIDA' && read;
    }, 'the charge is concluded');
    assert.equal(found.pix?.[0]?.endToEndId, endToEndId);
    const received = await efi.pixReceivedList(today());
    assert.deepEqual(differences(efiSdk.PixListReceivedResponseSchema, received), []);
    assert.ok(received.pix.some((pix) => pix.endToEndId === endToEndId && pix.valor === '50.00'));
    const one = await efi.pixDetailReceived({ e2eId: endToEndId });
    assert.equal(one.txid, txid);
  });

  it('a return: asked for, then done', async () => {
    const { endToEndId } = await paidCharge();
    const order = { e2eId: endToEndId, id: 'return1' };
    const asked = await efi.pixDevolution(order, { valor: '50.00' });
    assert.deepEqual(differences(efiSdk.PixDevolutionResponseSchema, asked), []);
    await eventually(async () => {
      const found = await efi.pixDetailDevolution(order);
      assert.deepEqual(differences(efiSdk.PixDetailDevolutionResponseSchema, found), []);
      return found.status === 'DEVOLVIDO';
    }, 'the return is done');
  });

  it('a webhook: registered, read', async () => {
    const webhookUrl = `${bench.receiverUrl}/callbacks/${SLOT}`;
    const registered = await efi.pixConfigWebhook({ chave: KEY }, { webhookUrl });
    assert.deepEqual(differences(efiSdk.PixConfigWebhookResponseSchema, registered), []);
    const found = await efi.pixDetailWebhook({ chave: KEY });
    assert.deepEqual(differences(efiSdk.PixDetailWebhookResponseSchema, found), []);
    assert.equal(found.webhookUrl, webhookUrl);
  });

  it('a send: asked for, settled, read by its id and by its end-to-end id', async () => {
    const idEnvio = newReference();
    const favorecido = { chave: ANA.number };
    const sent = await efi.pixSend({ idEnvio }, { valor: '10.00', pagador: { chave: KEY }, favorecido });
    assert.deepEqual(differences(efiSdk.PixSendResponseSchema, sent), SEND_SAYS_E2EID);
    const { e2eId } = sent as unknown as { e2eId: string };
    await bench.steering.settlePayout(SLOT, idEnvio, 'paid');
    const found = await efi.pixSendDetailId({ idEnvio });
    assert.deepEqual(differences(efiSdk.PixSendDetailIdResponseSchema, found), []);
    assert.deepEqual([found.status, found.endToEndId], ['REALIZADO', e2eId]);
    assert.equal((await efi.pixSendDetail({ e2eId })).idEnvio, idEnvio);
  });

  it('the balance', async () => {
    const balance = await efi.getAccountBalance({ bloqueios: true });
    assert.deepEqual(differences(efiSdk.GetAccountBalanceResponseSchema, balance), []);
  });
});

/** Its GET answers the expiry as text; the SDK's shape says a number. */
const EXPIRY_AS_TEXT = ['calendario.expiracao: Invalid input: expected number, received string'];

/** Its documentation answers a send with `e2eId` and a look-up with `endToEndId`; the SDK's shapes say the latter. */
const SEND_SAYS_E2EID = ['endToEndId: Invalid input: expected string, received undefined'];

/** The SDK knows Efí's two addresses only, and demands a certificate, which plain HTTP does not use. */
async function sdkAt(baseUrl: string): Promise<efiSdk.EfiPay> {
  const unused = Buffer.from('unused').toString('base64');
  const efi = new efiSdk.EfiPay({
    ...CREDENTIAL,
    sandbox: true,
    certificate: unused,
    pemKey: unused,
    cert_base64: true,
    validateMtls: false,
  });
  const own = efi as unknown as { resolveRequestContext: (name: string) => object };
  const resolve = own.resolveRequestContext.bind(efi);
  own.resolveRequestContext = (name) => ({ ...resolve(name), baseUrl });
  return efi;
}
