// Efí's list of sent PIX: the two forms that its sources show, what did not leave, and what is no guess.
import assert from 'node:assert/strict';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import type { SentPart } from '../../../domain/listed-payouts.js';
import { DIALECTS } from '../../../providers/index.js';
import { configFor, E2E, type FakePsp, openFakePsp } from './fake-psp.js';

const SPAN = { from: '2022-10-26T00:00:00.000Z', to: '2022-10-27T00:00:00.000Z' };
/** By the documented example. */
const sent = {
  endToEndId: E2E,
  idEnvio: 'identificadoEnvio123456789',
  valor: '0.01',
  chave: '19974764017',
  status: 'REALIZADO',
  infoPagador: 'Segue o pagamento da conta',
  horario: { solicitacao: '2022-10-26T09:05:32.000Z', liquidacao: '2022-10-26T09:05:31.000Z' },
  favorecido: { chave: 'francisco@meuemail.com', identificacao: { nome: 'Francisco da Silva', cpf: '***.456.789-**' } },
};
const payout = {
  payoutId: sent.idEnvio,
  reference: sent.idEnvio,
  endToEndId: E2E,
  amountMinor: 1n,
  sentAt: '2022-10-26T09:05:32.000Z',
  isSettled: true,
  returns: '',
};
const pageOf = (pix: unknown[], pages = 1) => ({
  json: {
    parametros: { ...SPAN, paginacao: { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: pages } },
    pix,
  },
});

describe('sent PIX at Efí', () => {
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
  const read = (cursor: string | null = null, part: SentPart = 'payouts') => efi.listPayouts({ part, ...SPAN, cursor });

  it('the documented example, in pages of the standard', async () => {
    psp.next = [pageOf([sent], 2), pageOf([sent], 2)];
    assert.deepEqual(await read(), { kind: 'page', items: [payout], unreadable: 0, next: '1' });
    assert.deepEqual(await read('1'), { kind: 'page', items: [payout], unreadable: 0, next: null });
    const { pathname, searchParams: query } = new URL(psp.requests.at(-1)!.path, 'http://efi');
    assert.equal(pathname, '/v2/gn/pix/enviados');
    assert.deepEqual(
      [query.get('inicio'), query.get('fim'), query.get('paginacao.paginaAtual')],
      [SPAN.from, SPAN.to, '1'],
    );
  });

  it('a bare list, as Efí’s own client declares: a full one may have more', async () => {
    psp.next = [{ json: [sent] }];
    assert.deepEqual(await read(), { kind: 'page', items: [payout], unreadable: 0, next: null });
    psp.next = [{ json: Array.from({ length: 100 }, () => sent) }];
    const full = await read('3');
    assert.equal(full.kind === 'page' && full.next, '4');
  });

  it('one under way may still fail; one that failed did not leave', async () => {
    const underWay = {
      ...sent,
      status: 'EM_PROCESSAMENTO',
      endToEndId: null,
      horario: { solicitacao: sent.horario.solicitacao },
    };
    psp.next = [pageOf([{ ...sent, status: 'NAO_REALIZADO' }, underWay])];
    const items = [{ ...payout, endToEndId: null, isSettled: false }];
    assert.deepEqual(await read(), { kind: 'page', items, unreadable: 0, next: null });
  });

  it('one without our reference is known by its end-to-end id', async () => {
    psp.next = [pageOf([{ ...sent, idEnvio: null }])];
    const items = [{ ...payout, payoutId: E2E, reference: null }];
    assert.deepEqual(await read(), { kind: 'page', items, unreadable: 0, next: null });
  });

  it('what came back, with its states, in any order; of old payouts nothing else', async () => {
    const back = (id: string, status: string) => ({ id, status, valor: '0.01', horario: { solicitacao: SPAN.from } });
    const returned = { ...sent, devolucoes: [back('D2', 'EM_PROCESSAMENTO'), back('D1', 'DEVOLVIDO')] };
    const items = [{ ...payout, returns: 'D1 DEVOLVIDO, D2 EM_PROCESSAMENTO' }];
    psp.next = [pageOf([returned, { ...sent, devolucoes: null }])];
    assert.deepEqual(await read(), { kind: 'page', items: [...items, payout], unreadable: 0, next: null });
    psp.next = [pageOf([returned, { ...sent, devolucoes: [] }])];
    assert.deepEqual(await read(null, 'payout_returns'), { kind: 'page', items, unreadable: 0, next: null });
  });

  for (const [what, element] of [
    ['an unknown state', { ...sent, status: 'AGENDADO' }],
    ['no id at all', { ...sent, idEnvio: null, endToEndId: null }],
    ['no time', { ...sent, horario: {} }],
    ['no amount', { ...sent, valor: 'um' }],
    ['a return without a state', { ...sent, devolucoes: [{ id: 'D1' }] }],
  ] as const)
    it(`${what}: it is counted and reported, and hides no other`, async () => {
      psp.next = [pageOf([element, sent])];
      const page = await read();
      assert.ok(page.kind === 'page');
      const { unread, ...rest } = page;
      assert.deepEqual(rest, { kind: 'page', items: [payout], unreadable: 1, next: null });
      assert.equal(unread?.length, 1);
      assert.deepEqual(drift, ['unknown_state']);
    });

  it('an account that may not list, and one that does not answer', async () => {
    psp.next = [{ status: 403, json: {} }];
    assert.equal((await read()).kind, 'refused');
    psp.next = [{ status: 500, json: {} }];
    assert.equal((await read()).kind, 'unknown');
    psp.next = [{ json: { pix: 'none' } }];
    assert.deepEqual(await read(), { kind: 'unknown', reason: 'unreadable_list' });
  });
});
