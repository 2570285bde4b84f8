// What banks of the standard were seen to answer, beyond the standard's own examples: what they leave out, add and
// write in another way. Names, numbers and ids are made up.
//
// Banco do Brasil, in its homologation of 2021: the answers that github.com/imobanco/bb-wrapper keeps in examples/data
// (consultar_cobranca.json, consultar_pix.json); other clients' answers of that year add `textoImagemQRcode`, which is
// the code, and amounts with one digit behind the point.
// Sicoob, in 2023 to 2025: test/src/features/cob of github.com/AcxTechSistemas/pix_sicoob, and issue 3 of
// github.com/OpenSourceCommunityBrasil/TRscPix, which names `brcode`.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { parseBrCode } from '../../../domain/br-code.js';
import type { Drift } from '../../../providers/common/answers.js';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import type { DialectName } from '../../../providers/settings.js';
import { DIALECTS } from '../../../providers/index.js';
import { configFor, E2E, openFakePsp, OUR_KEY, type FakePsp, type Say } from './fake-psp.js';

const REFERENCE = 'b'.repeat(32);
const ANA = { type: 'CPF', number: '52998224725', country: 'BR' } as const;
const BB_LOCATION = 'qrcodepix-h.bb.com.br/pix/v2/5a4b1c9e-1f3e-4a51-9d0a-2f7c3f0b7d11';
const SICOOB_LOCATION = 'pix.sicoob.com.br/qr/payload/v2/2c1d7b60-9c34-4f0c-8a51-3f0e4a2f9b77';

/** Its texts: a lifetime, an amount with one digit behind the point, a time with hundredths and an offset. */
const bancoDoBrasil = {
  status: 'ATIVA',
  calendario: { criacao: '2021-06-02T14:11:44.36-03:00', expiracao: '36000' },
  location: BB_LOCATION,
  textoImagemQRcode: 'not read: the code is made of the location',
  txid: REFERENCE,
  revisao: 0,
  devedor: { nome: '' },
  valor: { original: '50.0' },
  chave: OUR_KEY,
  infoAdicionais: [{ nome: '', valor: '' }],
  solicitacaoPagador: 'Deposito',
};
const bancoDoBrasilPix = {
  endToEndId: E2E,
  txid: REFERENCE,
  valor: '50.0',
  horario: '2021-06-02T14:15:02.00-03:00',
  infoPagador: '',
  pagador: { cpf: ANA.number, nome: 'ANA SOUZA' },
};

const aReturn = {
  id: REFERENCE,
  rtrId: E2E.replace('E', 'D'),
  valor: '50.00',
  natureza: 'ORIGINAL',
  status: 'DEVOLVIDO',
  horario: { solicitacao: '2021-06-02T18:00:00.000Z', liquidacao: '2021-06-02T18:00:01.000Z' },
};

/** No `loc`, and the code under another name. */
const sicoob = {
  calendario: { criacao: '2023-03-21T23:18:08.857Z', expiracao: 3_600 },
  status: 'ATIVA',
  txid: REFERENCE,
  revisao: 0,
  location: SICOOB_LOCATION,
  valor: { original: '50.00' },
  chave: OUR_KEY,
  solicitacaoPagador: 'Deposito',
  infoAdicionais: [{ nome: 'Produto', valor: '50.00' }],
  brcode: 'not read: the code is made of the location',
};

describe('what banks were seen to answer', () => {
  let psp: FakePsp;
  let bank: OpenProvider;
  let drift: Drift[];
  beforeEach(async () => {
    psp = await openFakePsp();
    drift = [];
  });
  afterEach(async () => {
    await bank.close();
    await psp.close();
  });

  const open = (dialect: DialectName) => {
    const settings = { ...configFor(`${psp.url}/api`, dialect), tokenUrl: `${psp.url}/oauth/token` };
    bank = DIALECTS[dialect].open('a', settings, { callTimeoutMs: 5_000, noteDrift: (what) => drift.push(what) });
  };
  const says = (...answers: Say[]) => void (psp.next = answers);
  const created = async () => {
    const outcome = await bank.createCharge({
      reference: REFERENCE,
      amountMinor: 5_000n,
      expiresInSeconds: 3_600,
      payer: { document: ANA, name: 'Ana Souza', email: null },
      description: 'Deposito',
    });
    assert.ok(outcome.kind === 'created', inspect(outcome));
    return outcome.charge;
  };
  const locationOf = (copyPaste: string) => {
    const code = parseBrCode(copyPaste);
    assert.ok(code.ok);
    return [code.brCode.location, code.brCode.amountMinor];
  };

  it('banco-do-brasil: a charge', async () => {
    open('banco-do-brasil');
    says({ status: 201, json: bancoDoBrasil });
    const charge = await created();
    assert.deepEqual(locationOf(charge.copyPaste), [BB_LOCATION, 5_000n]);
    assert.equal(charge.expiresAt, '2021-06-03T03:11:44.360Z');
    assert.deepEqual([charge.sandboxMarker, charge.isOfTestHost], [true, true], 'of its homologation');
  });

  it('banco-do-brasil: a paid charge, which names its payer', async () => {
    open('banco-do-brasil');
    says({ json: { ...bancoDoBrasil, status: 'CONCLUIDA', pix: [bancoDoBrasilPix] } });
    const found = await bank.lookUpCharge(REFERENCE, ANA);
    assert.ok(found.kind === 'found' && found.status === 'paid', inspect(found));
    const [payment] = found.payments;
    assert.deepEqual(
      [payment?.amountMinor, payment?.paidAt, payment?.payer],
      [5_000n, '2021-06-02T17:15:02.000Z', { document: { type: 'CPF', number: ANA.number }, name: 'ANA SOUZA' }],
    );
  });

  it('banco-do-brasil: a document under the name of the other kind is none: the payer is unknown', async () => {
    open('banco-do-brasil');
    const pagador = { cnpj: ANA.number, nome: 'ANA SOUZA' };
    says(
      { json: { ...bancoDoBrasil, status: 'CONCLUIDA', pix: [{ ...bancoDoBrasilPix, pagador }] } },
      { status: 403, json: {} },
    );
    const found = await bank.lookUpCharge(REFERENCE, ANA);
    assert.ok(found.kind === 'found', inspect(found));
    assert.deepEqual(found.payments[0]?.payer, { document: null, name: 'ANA SOUZA' });
  });

  it('sicoob: a charge, with its code under another name', async () => {
    open('sicoob');
    says({ status: 201, json: sicoob });
    const charge = await created();
    assert.deepEqual(locationOf(charge.copyPaste), [SICOOB_LOCATION, 5_000n]);
    assert.equal(charge.expiresAt, '2023-03-22T00:18:08.857Z');
    assert.equal(charge.isOfTestHost, false, 'its real codes stand at this host');
  });

  describe('what no document knows is reported as drift', () => {
    const standard = { ...sicoob, brcode: undefined };
    const paid = (more: object) => ({ ...standard, status: 'CONCLUIDA', pix: [{ ...bancoDoBrasilPix, ...more }] });

    for (const [title, dialect, charge] of [
      ['the standard’s fields', 'api-pix', standard],
      ['Sicoob’s own name of the code', 'sicoob', sicoob],
      ['Banco do Brasil’s', 'banco-do-brasil', bancoDoBrasil],
    ] as const)
      it(`${title}: none`, async () => {
        open(dialect);
        says({ status: 201, json: charge });
        await created();
        assert.deepEqual(drift, []);
      });

    for (const [title, charge] of [
      ['of a charge', { ...standard, limiteDoPagador: '1.00' }],
      ['of another bank', sicoob],
    ] as const)
      it(`a field ${title}: reported, and the charge is read`, async () => {
        open('api-pix');
        says({ status: 201, json: charge });
        await created();
        assert.deepEqual(drift, ['unknown_field']);
      });

    for (const [title, more] of [
      ['of a payment', { taxa: '0.10' }],
      ['of a return', { devolucoes: [{ ...aReturn, novo: 1 }] }],
    ] as const)
      it(`a field ${title}: reported, and the payment is read`, async () => {
        open('api-pix');
        says({ json: paid(more) });
        const found = await bank.lookUpCharge(REFERENCE, ANA);
        assert.ok(found.kind === 'found' && found.payments.length === 1, inspect(found));
        assert.deepEqual(drift, ['unknown_field']);
      });

    it('a field of a listed payment: reported, and the payment is listed', async () => {
      open('api-pix');
      const parametros = { paginacao: { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1 } };
      says({ json: { parametros, pix: [{ ...bancoDoBrasilPix, taxa: '0.10' }] } });
      const span = { from: '2021-06-02T17:00:00.000Z', to: '2021-06-02T18:00:00.000Z', cursor: null };
      const list = await bank.listReceived({ part: 'payments', ...span });
      assert.ok(list.kind === 'page' && list.items.length === 1 && list.unreadable === 0, inspect(list));
      assert.deepEqual(drift, ['unknown_field']);
    });

    it('a field of the answer to a return: reported, and the return is read', async () => {
      open('api-pix');
      says({ status: 201, json: { ...aReturn, novo: 1 } });
      const outcome = await bank.requestReversal({ endToEndId: E2E, reference: REFERENCE, amountMinor: 5_000n });
      assert.equal(outcome.kind, 'accepted', inspect(outcome));
      assert.deepEqual(drift, ['unknown_field']);
    });
  });
});
