// Efí as its documentation shows it: what it leaves out, writes in other ways and adds, and how its callbacks prove
// themselves.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Drift } from '../../../providers/common/answers.js';
import { DIALECT_NAMES } from '../../../providers/settings.js';
import { DIALECTS } from '../../../providers/index.js';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import type { CallbackVerdict, PayoutRequest } from '../../../providers/port.js';
import { aWireCharge, configFor, E2E, openFakePsp, OUR_KEY, plainly, type FakePsp, type Say } from './fake-psp.js';

const REFERENCE = 'a'.repeat(32);
const LOCATION = 'qrcodes.psp.test/v2/41e0badf811a4ce6ad8a80b306821fce';
const PAYOUT: PayoutRequest = {
  reference: REFERENCE,
  amountMinor: 1_231n,
  key: { type: 'email', value: 'ana@player.test' },
  beneficiaryDocument: { type: 'CPF', number: '52998224725', country: 'BR' },
  lookupEndToEndId: null,
  description: 'Saque',
  mayLeave: () => true,
};

let psp: FakePsp;
let efi: OpenProvider;
let drift: Drift[];
beforeEach(async () => {
  psp = await openFakePsp();
  drift = [];
  const settings = { ...configFor(psp.url, 'efi'), testLocationHosts: ['qrcodes.psp.test'] };
  efi = DIALECTS.efi.open('a', settings, { callTimeoutMs: 5_000, noteDrift: (what) => drift.push(what) });
});
afterEach(async () => {
  await efi.close();
  await psp.close();
});

const says = (...answers: Say[]) => void (psp.next = answers);
const aCharge = (overrides: Record<string, unknown>) =>
  aWireCharge(REFERENCE, {
    location: LOCATION,
    calendario: { criacao: '2020-09-09T20:15:00.358Z', expiracao: '3600' },
    ...overrides,
  });
const create = (provider = efi) =>
  provider.createCharge({
    reference: REFERENCE,
    amountMinor: 5_000n,
    expiresInSeconds: 3_600,
    payer: { document: { type: 'CPF', number: '52998224725', country: 'BR' }, name: 'Ana', email: 'ana@player.test' },
    description: 'Deposito',
  });

describe('efi: what a charge may look like', () => {
  for (const [title, overrides] of [
    ['no code but a location', { pixCopiaECola: undefined }],
    ['null instead of a code', { pixCopiaECola: null }],
    ['a location within loc', { pixCopiaECola: undefined, location: undefined, loc: { id: 789, location: LOCATION } }],
    ['a location with a scheme', { pixCopiaECola: undefined, location: `https://${LOCATION}` }],
  ] as const)
    it(`${title} → a code is made of it`, async () => {
      says({ status: 201, json: aCharge(overrides) });
      const outcome = await create();
      assert.ok(outcome.kind === 'created', inspect(outcome));
      assert.ok(outcome.charge.copyPaste.includes(LOCATION));
      assert.equal(outcome.charge.sandboxMarker, true);
      assert.equal(outcome.charge.expiresAt, '2020-09-09T21:15:00.358Z');
    });

  it('neither code nor location → unknown, and reported as drift', async () => {
    says({ status: 201, json: aCharge({ pixCopiaECola: undefined, location: undefined }) });
    assert.deepEqual(await plainly(create()), { kind: 'unknown', reason: 'charge_without_a_code' });
    assert.deepEqual(drift, ['unreadable_answer']);
  });

  it('the debtor is document and name, and nothing else', async () => {
    says({ status: 201, json: aCharge({}) });
    await create();
    const body = JSON.parse(psp.requests[0]?.body ?? '{}') as { devedor: object };
    assert.deepEqual(body.devedor, { cpf: '52998224725', nome: 'Ana' });
  });

  it('409 txid_duplicado, then 400 cobranca_nao_encontrada → unknown: they contradict each other', async () => {
    says({ status: 409, json: { nome: 'txid_duplicado' } }, { status: 400, json: { nome: 'cobranca_nao_encontrada' } });
    assert.deepEqual(await create(), { kind: 'unknown', reason: 'duplicate_not_found' });
  });

  it('a state that no table has → unknown, and reported as drift', async () => {
    says({ json: aCharge({ status: 'EM_ANALISE' }) });
    assert.deepEqual(await plainly(efi.lookUpCharge(REFERENCE)), { kind: 'unknown', reason: 'unknown_charge_status' });
    assert.deepEqual(drift, ['unknown_state']);
  });
});

describe('efi: which codes are of a test environment', () => {
  const at = async (host: string, settings: object = {}) => {
    const own = DIALECTS.efi.open('a', { ...configFor(psp.url, 'efi'), ...settings }, {});
    says({ status: 201, json: aCharge({ pixCopiaECola: undefined, location: `${host}/v2/1` }) });
    const outcome = await create(own);
    await own.close();
    assert.ok(outcome.kind === 'created', inspect(outcome));
    return [outcome.charge.sandboxMarker, outcome.charge.isOfTestHost];
  };

  it('Efí’s host of test codes, and one that a setting names → payable with test money only', async () => {
    assert.deepEqual(await at('qrcodespix-h.sejaefi.com.br'), [true, true]);
    assert.deepEqual(await at('codes.test', { testLocationHosts: ['codes.test'] }), [true, true]);
  });

  it('its host of real codes → with real money', async () =>
    assert.deepEqual(await at('qrcodespix.sejaefi.com.br'), [false, false]));

  it('the host of the API is taken for a test’s outside production, and proves nothing in it', async () =>
    assert.deepEqual(await at('127.0.0.1'), [true, false]));
});

describe('efi: the payer of a paid charge', () => {
  const pix = { endToEndId: E2E, txid: REFERENCE, valor: '50.00', horario: '2020-09-09T20:15:00.358Z' };
  const paid = (extra: object = {}) => ({ json: aCharge({ status: 'CONCLUIDA', pix: [{ ...pix, ...extra }] }) });
  const list = (cobs: object[], pages = 1) => ({
    json: { parametros: { paginacao: { paginaAtual: 0, itensPorPagina: 1_000, quantidadeDePaginas: pages } }, cobs },
  });
  const listed = { txid: REFERENCE, pix: [{ ...pix, pagador: { cnpj: '12345678000195', nome: 'Empresa' } }] };
  const payer = async () => {
    const lookup = await efi.lookUpCharge(REFERENCE);
    assert.ok(lookup.kind === 'found', inspect(lookup));
    return lookup.payments[0]?.payer?.document ?? null;
  };

  it('in gnExtras → no second question', async () => {
    says(paid({ gnExtras: { pagador: { nome: 'Ana', cpf: '52998224725', codigoBanco: '00416968' }, tarifa: '0.01' } }));
    assert.deepEqual(await payer(), { type: 'CPF', number: '52998224725' });
    assert.equal(psp.requests.length, 1);
  });

  for (const [tarifa, expected] of [
    ['0.01', 1n],
    [undefined, null],
    [0.01, null],
  ] as const)
    it(`a fee reported as ${JSON.stringify(tarifa)} → ${expected}`, async () => {
      says(paid({ gnExtras: { pagador: { nome: 'Ana', cpf: '52998224725' }, tarifa } }));
      const lookup = await efi.lookUpCharge(REFERENCE);
      assert.ok(lookup.kind === 'found', inspect(lookup));
      assert.equal(lookup.payments[0]?.feeMinor, expected);
    });

  it('in the list, on its second page → asked around the moment of the creation', async () => {
    says(paid(), list([{ txid: 'a-charge-of-others', pix: 'unreadable' }], 2), list([listed], 2));
    assert.deepEqual(await payer(), { type: 'CNPJ', number: '12345678000195' });
    const query = new URL(`http://efi${psp.requests[2]?.path ?? ''}`).searchParams;
    assert.equal(query.get('inicio'), '2020-09-09T20:14:59.358Z');
    assert.equal(query.get('fim'), '2020-09-09T20:15:01.358Z');
    assert.equal(query.get('paginacao.paginaAtual'), '1');
  });

  it('a list without it, or refused → the payer is unknown', async () => {
    says(paid(), list([{ txid: REFERENCE, pix: [pix] }]));
    assert.equal(await payer(), null);
    says(paid(), { status: 403, json: { nome: 'acesso_negado' } });
    assert.equal(await payer(), null);
  });

  it('a list that does not answer → the look-up is open, and made again', async () => {
    says(paid(), { status: 503, json: {} });
    assert.deepEqual(await efi.lookUpCharge(REFERENCE), { kind: 'unknown', reason: 'list_http_503' });
  });

  it('a return without a nature is a refund; MED has its nature', async () => {
    const back = { id: '123ABC', valor: '10.00', horario: { solicitacao: '2020-09-09T20:15:00.358Z' } };
    const devolucoes = [
      { ...back, rtrId: 'Dxxxx', status: 'EM_PROCESSAMENTO' },
      { ...back, id: '2', status: 'DEVOLVIDO', natureza: 'MED_FRAUDE' },
    ];
    says(paid({ devolucoes }), list([listed]));
    const lookup = await efi.lookUpCharge(REFERENCE);
    assert.ok(lookup.kind === 'found');
    assert.deepEqual(
      lookup.payments[0]?.reversals.map(({ kind, status }) => [kind, status]),
      [
        ['refund', 'pending'],
        ['chargeback', 'done'],
      ],
    );
  });
});

describe('efi: refused sends', () => {
  for (const [status, nome, failureCode] of [
    [400, 'chave_nao_pertence_ao_documento', 'key_of_another_document'],
    [400, 'chave_invalida', 'paying_key_invalid'],
    [400, 'documento_bloqueado', 'account_blocked'],
    [400, 'valor_invalido', 'payout_invalid'],
    [422, 'pagamento_negado', 'payment_denied'],
  ] as const)
    it(`${status} ${nome} → failed: ${failureCode}`, async () => {
      says({ status, json: { nome, mensagem: '…' } });
      const outcome = await efi.sendPayout(PAYOUT);
      assert.ok(outcome.kind === 'reply' && outcome.payout.failureCode === failureCode, inspect(outcome));
    });

  for (const [status, nome] of [
    [400, 'saldo_insuficiente'],
    [409, 'id_envio_duplicado'],
    [500, 'erro_aplicacao'],
    [500, 'pagamento_negado'],
    [429, 'limite_excedido'],
  ] as const)
    it(`${status} ${nome} → unknown: only a look-up decides`, async () => {
      says({ status, json: { nome, mensagem: '…' } });
      assert.equal((await efi.sendPayout(PAYOUT)).kind, 'unknown');
      assert.deepEqual(drift, status === 400 ? ['unknown_error'] : []);
    });

  it('NAO_REALIZADO in the answer to the send, which is no documented refusal → unknown', async () => {
    says({ status: 201, json: { idEnvio: REFERENCE, valor: '12.31', status: 'NAO_REALIZADO', e2eId: E2E } });
    assert.deepEqual(await efi.sendPayout(PAYOUT), { kind: 'unknown', reason: 'failure_not_final' });
  });

  it('a look-up as documented, with fields that nobody reads → paid', async () => {
    const horario = { solicitacao: '2022-10-26T09:05:32.000Z', liquidacao: '2022-10-26T09:05:31.000Z' };
    const favorecido = { chave: 'ana@player.test', identificacao: { nome: 'Ana', cpf: '***.982.247-**' } };
    const common = { idEnvio: REFERENCE, valor: '12.31', chave: OUR_KEY, infoPagador: 'Saque' };
    says({ json: { ...common, endToEndId: E2E, status: 'REALIZADO', horario, favorecido } });
    const lookup = await efi.lookUpPayout(PAYOUT);
    assert.deepEqual(drift, []);
    assert.ok(lookup.kind === 'found' && lookup.payout.status === 'paid');
    assert.equal(lookup.payout.paidAt, '2022-10-26T09:05:31.000Z');
  });

  it('a field that the documentation does not have: reported, in the answer to the send and in a look-up', async () => {
    const sent = { idEnvio: REFERENCE, valor: '12.31', e2eId: E2E, status: 'EM_PROCESSAMENTO', canal: 'API' };
    says({ status: 201, json: sent });
    assert.equal((await efi.sendPayout(PAYOUT)).kind, 'reply');
    assert.deepEqual(drift, ['unknown_field']);
    says({ json: sent });
    assert.equal((await efi.lookUpPayout(PAYOUT)).kind, 'found');
    assert.deepEqual(drift, ['unknown_field', 'unknown_field']);
  });

  it('404 PixEnviadoNaoEncontrado → not found; any other 404 → unknown', async () => {
    const type = 'https://pix.bcb.gov.br/api/v2/error/PixEnviadoNaoEncontrado';
    says(
      { status: 404, json: { type, title: 'Não Encontrado', status: 404 } },
      { status: 404, json: { nome: 'rota' } },
    );
    assert.deepEqual(await efi.lookUpPayout(PAYOUT), { kind: 'not_found' });
    assert.equal((await efi.lookUpPayout(PAYOUT)).kind, 'unknown');
  });
});

describe('efi: callbacks', () => {
  const SECRET = 'a secret in the address';
  const SUBJECT = 'CN=*.efi.test,O=Efi';
  const received = {
    endToEndId: E2E,
    txid: REFERENCE,
    chave: OUR_KEY,
    valor: '0.01',
    horario: '2020-12-21T13:40:34.000Z',
  };
  const sent = { endToEndId: E2E, chave: OUR_KEY, tipo: 'SOLICITACAO', valor: '0.01' };
  const failed = {
    ...sent,
    status: 'NAO_REALIZADO',
    horario: null,
    gnExtras: { idEnvio: REFERENCE, erro: { codigo: 'AC03' } },
  };
  const read = (
    body: unknown,
    {
      query = `hmac=${encodeURIComponent(SECRET)}&ignorar=/pix`,
      certificate = '',
      path = '/callbacks/a',
      demand = {},
    } = {},
  ): CallbackVerdict => {
    const own = { dialect: 'efi', pixKey: OUR_KEY, callbackSecret: SECRET, callbackCertificate: null } as const;
    const reader = DIALECTS.efi.openCallbacks('a', { ...own, keysUrl: null, ...demand }, {});
    // It needs nothing but the request, so it answers at once.
    return reader.parseCallback({
      path,
      query,
      headers: { 'x-provider-certificate': certificate },
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    }) as CallbackVerdict;
  };
  const charge = { kind: 'charge', reference: REFERENCE, endToEndId: E2E };
  const payout = { kind: 'payout', reference: REFERENCE, endToEndId: E2E };

  it('received, sent and failed PIX at one address, with and without /pix', () => {
    const all = {
      pix: [
        { ...received, gnExtras: { tarifa: '0.01' } },
        { ...sent, status: 'REALIZADO', gnExtras: { idEnvio: REFERENCE } },
        failed,
      ],
    };
    for (const path of ['/callbacks/a', '/callbacks/a/pix'])
      assert.deepEqual(read(all, { path }), { kind: 'accepted', notices: [charge, payout, payout] });
    assert.equal(read(all, { path: '/callbacks/a/payouts' }).kind, 'malformed');
  });

  it('alone may report something new with the bytes of an earlier callback: a payout that came back', () => {
    const settings = {
      pixKey: OUR_KEY,
      callbackSecret: SECRET,
      callbackCertificate: null,
      keysUrl: 'https://keys.test',
    };
    const telling = DIALECT_NAMES.filter(
      (dialect) => DIALECTS[dialect].openCallbacks('a', { ...settings, dialect }, {}).reusesCallbackBodies,
    );
    assert.deepEqual(telling, ['efi']);
  });

  it('a PIX without a txid, or with one of its own → applied, no notice of ours is invented', () => {
    assert.deepEqual(read({ pix: [{ ...received, txid: undefined }] }), { kind: 'accepted', notices: [] });
    assert.deepEqual(read({ pix: [{ ...received, txid: 'x1' }] }), {
      kind: 'accepted',
      notices: [{ ...charge, reference: 'x1' }],
    });
  });

  for (const [title, element, notice] of [
    [
      'a send with an id that is none of ours',
      { ...sent, endToEndId: 'E090893562021030PIf25a7868', status: 'REALIZADO', gnExtras: { idEnvio: '123ABC' } },
      { kind: 'payout', reference: '123ABC', endToEndId: 'E090893562021030PIf25a7868' },
    ],
    [
      'a rejected one',
      { ...failed, gnExtras: { idEnvio: '123ABC', erro: { codigo: 'AC03', origem: 'PSP', motivo: '…' } } },
      { ...payout, reference: '123ABC' },
    ],
    [
      'a received PIX',
      { ...received, endToEndId: 'E1803615022211340s08793XPJ', txid: 'fc9a43k6ff384ryP5f41719' },
      { kind: 'charge', reference: 'fc9a43k6ff384ryP5f41719', endToEndId: 'E1803615022211340s08793XPJ' },
    ],
    [
      'a return of one',
      { ...received, devolucoes: [{ id: '123ABC', rtrId: 'D1', valor: '0.01', status: 'NAO_REALIZADO', motivo: '…' }] },
      charge,
    ],
  ] as const)
    it(`${title}, with the ids of the documented example → its notice`, () =>
      assert.deepEqual(read({ pix: [element] }), { kind: 'accepted', notices: [notice] }));

  it('an id of a send that is empty, or longer than any → unreadable', () => {
    for (const idEnvio of ['', 'x'.repeat(65)])
      assert.equal(read({ pix: [{ ...sent, gnExtras: { idEnvio } }] }).kind, 'malformed');
  });

  it('returns without a txid → a notice by the end-to-end id, which may be a payout’s', () => {
    const back = { id: '123ABC', valor: '0.01', status: 'DEVOLVIDO', horario: { solicitacao: received.horario } };
    const { txid: _, ...untied } = received;
    assert.deepEqual(
      read({
        pix: [
          { ...untied, devolucoes: [back] },
          { ...untied, devolucoes: [] },
        ],
      }),
      {
        kind: 'accepted',
        notices: [{ kind: 'return', endToEndId: E2E }],
      },
    );
  });

  it('one that cannot be read, or is of another key, leaves the others applied and is named', () => {
    const verdict = read({
      pix: [
        { ...received, txid: undefined, endToEndId: 'E1' },
        received,
        { ...received, chave: 'other@bank.test' },
        { ...sent, tipo: 'NOVO' },
      ],
    });
    assert.ok(verdict.kind === 'accepted');
    assert.deepEqual(verdict.notices, [charge]);
    assert.deepEqual(
      verdict.unreadable?.map((text) => text.split(':')[0]),
      ['pix.0.endToEndId', 'pix.2.chave', 'pix.3.tipo'],
    );
    assert.equal(read({ pix: [{ ...received, txid: undefined, endToEndId: 'E1' }] }).kind, 'malformed');
  });

  it('the trial at registration is answered', () => {
    assert.deepEqual(read({ evento: 'teste_webhook', data_criacao: '2026-01-01' }), { kind: 'accepted', notices: [] });
    assert.deepEqual(read(''), { kind: 'accepted', notices: [] });
  });

  const certified = { callbackSecret: null, callbackCertificate: SUBJECT };
  for (const [title, how, kind] of [
    ['no secret in the address', { query: '' }, 'forged'],
    ['another secret', { query: 'hmac=wrong' }, 'forged'],
    [
      'a certificate instead of the secret that is configured',
      { query: '', certificate: `SUCCESS ${SUBJECT}` },
      'forged',
    ],
    [
      'the certificate that is configured',
      { query: '', certificate: `SUCCESS ${SUBJECT}`, demand: certified },
      'accepted',
    ],
    ['that certificate, not verified', { certificate: `FAILED ${SUBJECT}`, demand: certified }, 'forged'],
    ['another verified certificate', { certificate: 'SUCCESS CN=somebody', demand: certified }, 'forged'],
    ['no certificate', { demand: certified }, 'forged'],
    ['one of two that are configured', { demand: { callbackCertificate: SUBJECT } }, 'forged'],
    ['nothing configured', { query: 'hmac=', demand: { callbackSecret: null } }, 'forged'],
    ['an empty secret configured', { query: 'hmac=', demand: { callbackSecret: '' } }, 'forged'],
  ] as const)
    it(`${title} → ${kind}`, () => assert.equal(read({ pix: [received] }, how).kind, kind));
});
