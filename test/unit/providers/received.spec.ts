// Lists of received PIX in the standard's words: pages, what is read of each payment, and what leaves a page open.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import { DIALECTS } from '../../../providers/index.js';
import { configFor, E2E, type FakePsp, openFakePsp } from './fake-psp.js';

const REFERENCE = 'a'.repeat(32);
const SPAN = { from: '2026-03-05T14:00:00.000Z', to: '2026-03-05T16:00:00.000Z' };
const pix = { endToEndId: E2E, txid: REFERENCE, valor: '50.00', horario: '2026-03-05T15:00:00.000Z' };
const receipt = {
  endToEndId: E2E,
  reference: REFERENCE,
  amountMinor: 5_000n,
  receivedAt: '2026-03-05T15:00:00.000Z',
  returns: '',
};
const list = (payments: unknown[], pages = 1) => ({
  json: {
    parametros: { paginacao: { paginaAtual: 0, itensPorPagina: 1_000, quantidadeDePaginas: pages } },
    pix: payments,
  },
});

describe('received PIX by API Pix', () => {
  let psp: FakePsp;
  let bank: OpenProvider;
  const drift: string[] = [];
  beforeEach(async () => {
    psp = await openFakePsp();
    drift.length = 0;
    bank = DIALECTS['api-pix'].open('a', configFor(psp.url, 'api-pix'), {
      callTimeoutMs: 5_000,
      noteDrift: (what) => drift.push(what),
    });
  });
  afterEach(async () => {
    await bank.close();
    await psp.close();
  });
  const read = (cursor: string | null = null, part: 'payments' | 'returns' = 'payments') =>
    bank.listReceived({ part, ...SPAN, cursor });
  const asked = (at: number) => new URL(psp.requests[at]?.path ?? '', 'http://bank').searchParams;

  it('page after page, over the same span', async () => {
    psp.next = [list([pix], 2), list([{ ...pix, endToEndId: E2E.replace('E1', 'E2') }], 2)];
    const first = await read();
    assert.deepEqual(first, { kind: 'page', items: [receipt], unreadable: 0, next: '1' });
    const second = await read('1');
    assert.ok(second.kind === 'page' && second.next === null && second.items.length === 1);
    assert.deepEqual(
      [0, 1].map((at) => [asked(at).get('paginacao.paginaAtual'), asked(at).get('inicio'), asked(at).get('fim')]),
      [
        ['0', SPAN.from, SPAN.to],
        ['1', SPAN.from, SPAN.to],
      ],
    );
    assert.equal(asked(0).get('devolucaoPresente'), null);
  });

  it('returns: the payments that have one, each with its state', async () => {
    const returned = (id: string, status: string) => ({
      id,
      valor: '10.00',
      status,
      horario: { solicitacao: '2026-03-06T15:00:00.000Z' },
    });
    psp.next = [list([{ ...pix, devolucoes: [returned('r2', 'EM_PROCESSAMENTO'), returned('r1', 'DEVOLVIDO')] }])];
    const page = await read(null, 'returns');
    assert.ok(page.kind === 'page');
    assert.equal(page.items[0]?.returns, 'r1 DEVOLVIDO, r2 EM_PROCESSAMENTO');
    assert.equal(asked(0).get('devolucaoPresente'), 'true');
  });

  it('a PIX without a charge has no reference; one that cannot be read hides no other', async () => {
    psp.next = [list([{ ...pix, txid: undefined }, { valor: 'x' }])];
    const digest = '2fd437d131a0536683953a62218f6e44';
    const items = [{ ...receipt, reference: null }];
    assert.deepEqual(await read(), { kind: 'page', items, unreadable: 1, unread: [digest], next: null });
    assert.deepEqual(drift, ['unknown_state']);
  });

  for (const [what, changes] of [
    ['no amount', { valor: undefined }],
    // It may be of Brasília or of Greenwich.
    ['a time without an offset', { horario: '2026-03-05T15:00:00' }],
  ] as const)
    it(`${what} → unreadable, and named by its end-to-end id`, async () => {
      const named = E2E.replace('E1', 'E2');
      psp.next = [list([{ ...pix, ...changes, endToEndId: named }, pix])];
      assert.deepEqual(await read(), { kind: 'page', items: [receipt], unreadable: 1, unread: [named], next: null });
    });

  describe('a bank that takes no span longer than a month', () => {
    const DAY_MS = 86_400_000;
    const MONTHS = { from: '2026-01-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' };
    const spans: number[][] = [];
    beforeEach(() => {
      spans.length = 0;
    });
    /** As many answers as a sweep may need: refused, or one payment of two pages. */
    const bankOf = (longestDays: number, status = 400) => {
      psp.next = Array.from({ length: 40 }, (_, at) => (response: ServerResponse) => {
        const query = new URL(psp.requests.at(-1)?.path ?? '', 'http://bank').searchParams;
        const [from, to] = ['inicio', 'fim'].map((name) => Date.parse(query.get(name) ?? ''));
        const days = (to! - from!) / DAY_MS;
        if (days <= longestDays) spans.push([(from! - Date.parse(MONTHS.from)) / DAY_MS, days]);
        const { json } = list([{ ...pix, endToEndId: `E${String(at).padStart(31, '0')}` }], 2);
        response.writeHead(days <= longestDays ? 200 : status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(days <= longestDays ? json : { type: 'about:blank', title: 'x', status }));
      });
    };
    const sweep = async () => {
      const found: string[] = [];
      let cursor: string | null = null;
      for (let pages = 0; pages < 40; pages += 1) {
        const page = await bank.listReceived({ part: 'returns', ...MONTHS, cursor });
        if (page.kind !== 'page') return page;
        found.push(...page.items.map(({ endToEndId }) => endToEndId));
        cursor = page.next;
        if (cursor === null) return found;
      }
      return assert.fail('the sweep does not end');
    };

    for (const status of [400, 422])
      it(`${status}: the span is halved until it is taken, and all of it is read, page by page`, async () => {
        bankOf(30, status);
        assert.equal(((await sweep()) as string[]).length, 8);
        const quarters = [0, 22.5, 45, 67.5].flatMap((start) => [
          [start, 22.5],
          [start, 22.5],
        ]);
        assert.deepEqual(spans, quarters);
      });

    it('no span of a day either → refused, and no more is asked', async () => {
      bankOf(0);
      assert.deepEqual(await sweep(), { kind: 'refused', reason: 'list_http_400' });
      assert.equal(psp.requests.length, 8);
    });

    it('403 → refused at once: the account may not list', async () => {
      bankOf(0, 403);
      assert.deepEqual(await sweep(), { kind: 'refused', reason: 'list_http_403' });
      assert.equal(psp.requests.length, 1);
    });
  });

  it('an account that may not list is refused; a list without an answer stays open', async () => {
    psp.next = [{ status: 403, json: {} }];
    assert.deepEqual(await read(), { kind: 'refused', reason: 'list_http_403' });
    psp.next = [{ status: 503, json: {} }];
    assert.equal((await read()).kind, 'unknown');
    psp.next = [{ json: { pix: [] } }];
    assert.deepEqual(await read(), { kind: 'unknown', reason: 'unreadable_list' });
    assert.deepEqual(drift, ['unreadable_answer']);
  });
});
