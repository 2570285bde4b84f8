// Efí's cases of MED, by its documented example: what is read, what is left unread, and what is no guess.
import assert from 'node:assert/strict';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import { DIALECTS } from '../../../providers/index.js';
import { configFor, E2E, type FakePsp, openFakePsp } from './fake-psp.js';

const SPAN = { from: '2023-11-22T16:01:35.000Z', to: '2023-12-22T16:01:35.000Z' };
const PARTY = { nomeParticipante: 'BANCO XYZ', conta: '10001', nome: 'Fulano de Tal', documento: '800000000000000' };
const infraction = {
  idInfracao: '8ad75c93-6150-422c-929e-822f361c7a6b',
  endToEndId: E2E,
  protocolo: '1313',
  dataTransacao: '2023-12-20T16:01:35Z',
  valor: '100.00',
  chave: 'chavepix@email.com',
  status: 'ABERTA',
  razao: 'Solicitacao de devolução',
  tipoSituacao: 'golpe',
  tipoFraude: 'aplicativo fraudulento',
  comentario: 'Transação feita através de Qrcode falso em boleto',
  identificadorTicket: [94, 95],
  dadosAnalise: { abertura: '2023-12-21T16:01:35Z', prazoFinalizacao: '2023-12-28T16:01:35Z' },
  origem: PARTY,
  destino: PARTY,
  criadoEm: '2023-12-21T16:01:35Z',
  atualizadoEm: '2023-12-21T16:01:35Z',
};
const dispute = {
  id: infraction.idInfracao,
  endToEndId: E2E,
  amountMinor: 10_000n,
  status: 'open',
  reason: 'scam',
  openedAt: '2023-12-21T16:01:35.000Z',
  dueAt: '2023-12-28T16:01:35.000Z',
};
const list = (infracoes: unknown[], pages = 1) => ({
  json: {
    parametros: { ...SPAN, paginacao: { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: pages } },
    infracoes,
  },
});

describe('disputed payments at Efí', () => {
  let psp: FakePsp;
  let efi: OpenProvider;
  const drift: string[] = [];
  beforeEach(async () => {
    psp = await openFakePsp();
    drift.length = 0;
    efi = DIALECTS.efi.open('a', configFor(psp.url, 'efi'), {
      callTimeoutMs: 5_000,
      noteDrift: (what) => drift.push(what),
    });
  });
  afterEach(async () => {
    await efi.close();
    await psp.close();
  });
  const read = (cursor: string | null = null) => efi.listDisputes({ ...SPAN, cursor });
  const readOne = async (changes: object) => {
    psp.next = [list([{ ...infraction, ...changes }])];
    const page = await read();
    assert.ok(page.kind === 'page');
    return page;
  };

  it('the case, and nothing of the people in it', async () => {
    assert.deepEqual(await readOne({}), { kind: 'page', items: [dispute], unreadable: 0, next: null });
    const { pathname, searchParams } = new URL(psp.requests.at(-1)!.path, 'http://efi');
    assert.equal(pathname, '/v2/gn/infracoes');
    assert.deepEqual([searchParams.get('inicio'), searchParams.get('fim')], [SPAN.from, SPAN.to]);
  });

  it('page after page', async () => {
    psp.next = [list([infraction], 2), list([], 2)];
    const first = await read();
    assert.ok(first.kind === 'page' && first.next === '1');
    const second = await read('1');
    assert.ok(second.kind === 'page' && second.next === null);
  });

  it('an amount without centavos has two meanings: it is not reported; neither is a deadline that is absent', async () => {
    const { items } = await readOne({ valor: '100', dadosAnalise: { abertura: infraction.dadosAnalise.abertura } });
    assert.deepEqual(items, [{ ...dispute, amountMinor: null, dueAt: null }]);
  });

  for (const [word, reason] of [
    ['Coerção', 'coercion'],
    ['aquisição da conta', 'account_takeover'],
    ['uma palavra nova', 'other'],
    [undefined, null],
  ] as const)
    it(`tipoSituacao ${word} → ${reason}`, async () =>
      assert.equal((await readOne({ tipoSituacao: word })).items[0]?.reason, reason));

  for (const [word, status] of [
    ['EM_DEFESA', 'defended'],
    ['ACEITA', 'accepted'],
    ['REJEITADA', 'rejected'],
    ['CANCELADA_EFI', 'canceled'],
  ] as const)
    it(`${word} → ${status}`, async () => assert.equal((await readOne({ status: word })).items[0]?.status, status));

  it('an unknown state is unread and noted, and hides no other case', async () => {
    psp.next = [list([{ ...infraction, status: 'SUSPENSA' }, infraction])];
    assert.deepEqual(await read(), { kind: 'page', items: [dispute], unreadable: 1, unread: [E2E], next: null });
    assert.deepEqual(drift, ['unknown_state']);
  });

  it('without the scope → refused; without an answer → unknown', async () => {
    psp.next = [{ status: 403, json: { error: 'insufficient_scope' } }];
    assert.equal((await read()).kind, 'refused');
    psp.next = [{ status: 500, json: { title: 'Erro Interno' } }];
    assert.equal((await read()).kind, 'unknown');
  });

  it('banks of the standard list none', async () => {
    const bank = DIALECTS['api-pix'].open('a', configFor(psp.url, 'api-pix'), {});
    assert.deepEqual(await bank.listDisputes({ ...SPAN, cursor: null }), {
      kind: 'refused',
      reason: 'disputes_are_not_listed',
    });
    assert.deepEqual(bank.lists, ['payments', 'returns']);
    await bank.close();
  });
});
