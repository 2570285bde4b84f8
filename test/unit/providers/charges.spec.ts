// Charges: what a provider's odd answers become. Nothing ambiguous may look like a decision.
import assert from 'node:assert/strict';
import type { ChargeRequest } from '../../../providers/port.js';
import { aWireCharge, E2E, openFakePsp, OUR_KEY, plainly, type FakePsp, type Say } from './fake-psp.js';

const REFERENCE = 'a'.repeat(32);
const REQUEST: ChargeRequest = {
  reference: REFERENCE,
  amountMinor: 5_000n,
  expiresInSeconds: 1_800,
  payer: { document: { type: 'CPF', number: '52998224725', country: 'BR' }, name: 'Ana', email: 'ana@player.test' },
  description: 'x'.repeat(200),
};
const HTML: Say = { status: 400, text: '<html>Bad Request</html>', headers: { 'content-type': 'text/html' } };
const problem = (status: number, word: string): Say => ({
  status,
  json: { type: `https://pix.bcb.gov.br/api/v2/error/${word}`, title: word, status },
});

let psp: FakePsp;
beforeEach(async () => {
  psp = await openFakePsp();
});
afterEach(() => psp.close());

const createWithin = (callTimeoutMs: number, ...next: Say[]) => {
  psp.next = next;
  return plainly(psp.provider('simulator', { callTimeoutMs }).createCharge(REQUEST));
};
const create = (...next: Say[]) => createWithin(5_000, ...next);
const lookUp = (json: unknown) => {
  psp.next = [{ json }];
  return plainly(psp.provider('simulator').lookUpCharge(REFERENCE));
};

describe('createCharge: the request', () => {
  it('is a PUT by our reference with a bearer token and amounts as text', async () => {
    await create({ status: 201, json: aWireCharge(REFERENCE) });
    const [request] = psp.requests;
    assert.ok(request);
    assert.deepEqual(
      [request.method, request.path, request.authorization],
      ['PUT', `/base/cob/${REFERENCE}`, 'Bearer token-1'],
    );
    assert.deepEqual(JSON.parse(request.body), {
      calendario: { expiracao: 1_800 },
      devedor: { cpf: '52998224725', nome: 'Ana' },
      valor: { original: '50.00' },
      chave: OUR_KEY,
      solicitacaoPagador: 'x'.repeat(140),
    });
  });
});

describe('createCharge: the answer', () => {
  it('201 → created, times in UTC', async () => {
    const outcome = await create({ status: 201, json: aWireCharge(REFERENCE) });
    assert.ok(outcome.kind === 'created');
    assert.equal(outcome.charge.expiresAt, '2026-03-05T15:30:00.123Z');
  });

  it('an image as data URI → its bare base64', async () => {
    const outcome = await create({
      status: 201,
      json: aWireCharge(REFERENCE, { imagemQrcode: 'data:image/png;base64,iVBORw0=' }),
    });
    assert.ok(outcome.kind === 'created');
    assert.equal(outcome.charge.qrCodePngBase64, 'iVBORw0=');
  });

  const missing = problem(404, 'NaoEncontrado');
  for (const [title, json, code] of [
    [
      'a word with capitals',
      { type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida' },
      'cob_operacao_invalida',
    ],
    ['{nome, mensagem}', { nome: 'valor_invalido', mensagem: '…' }, 'valor_invalido'],
    ['{error: {code}}', { error: { code: 'Invalid Value!' } }, 'invalid_value'],
    ['no word of its own', { type: 'about:blank' }, 'psp_rejected'],
  ] as const) {
    it(`422 with ${title} → refused: ${code}`, async () =>
      assert.deepEqual(await create({ status: 422, json }, missing), { kind: 'refused', code }));
  }

  const unknown = (reason: string) => ({ kind: 'unknown', reason });
  for (const [title, word, lookedUp, outcome] of [
    ['nothing', 'ValorInvalido', missing, { kind: 'refused', code: 'valor_invalido' }],
    ['nothing, of a duplicate: a replica behind', 'CobDuplicada', missing, unknown('duplicate_not_found')],
    ['no answer', 'ValorInvalido', { status: 503, json: {} }, unknown('http_503')],
    ["a 404 in other words than the provider's", 'ValorInvalido', problem(404, 'RotaInexistente'), unknown('http_404')],
    ['a 404 of a proxy', 'ValorInvalido', { status: 404, text: 'not found' }, unknown('http_404')],
  ] as const)
    for (const status of [400, 409, 422])
      it(`${status}, and the look-up finds ${title} → ${outcome.kind}`, async () =>
        assert.deepEqual(await create(problem(status, word), lookedUp), outcome));
  for (const status of [400, 409, 422])
    it(`${status}, and the look-up finds ours → created`, async () =>
      assert.equal((await create(problem(status, 'Whatever'), { json: aWireCharge(REFERENCE) })).kind, 'created'));

  it('401 twice → unknown, after one new token', async () => {
    assert.deepEqual(await create({ status: 401, json: {} }, { status: 401, json: {} }), {
      kind: 'unknown',
      reason: 'http_401',
    });
    assert.deepEqual([psp.requests.length, psp.tokens], [2, 2]);
  });
  it('401 once → created with the new token', async () => {
    assert.equal(
      (await create({ status: 401, json: {} }, { status: 201, json: aWireCharge(REFERENCE) })).kind,
      'created',
    );
    assert.equal(psp.requests[1]?.authorization, 'Bearer token-2');
  });

  for (const status of [302, 403, 404, 408, 410, 425, 429, 500, 502, 503, 504]) {
    it(`${status} → unknown`, async () =>
      assert.deepEqual(await create({ ...problem(status, 'Qualquer'), headers: { location: '/elsewhere' } } as Say), {
        kind: 'unknown',
        reason: `http_${status}`,
      }));
  }
  it("400 from something that isn't the provider → unknown", async () =>
    assert.deepEqual(await create(HTML), { kind: 'unknown', reason: 'http_400' }));
  it('200 with a page → unknown', async () =>
    assert.deepEqual(await create({ text: '<html>' }), { kind: 'unknown', reason: 'unreadable_answer' }));
  it('an answer beyond 256 KiB → unknown', async () => {
    assert.deepEqual(await create({ status: 201, json: aWireCharge(REFERENCE, { padding: 'x'.repeat(300_000) }) }), {
      kind: 'unknown',
      reason: 'answer_too_large',
    });
  });
  it('a body that drips → unknown within the budget', async () => {
    const startedAt = Date.now();
    const outcome = await createWithin(300, (response) => {
      response.writeHead(201, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    assert.deepEqual(outcome, { kind: 'unknown', reason: 'timeout' });
    assert.ok(Date.now() - startedAt < 2_000);
  });
  it('a refusal and a slow look-up share one budget', async () => {
    const startedAt = Date.now();
    const late =
      (status: number, json: unknown): Say =>
      (response) =>
        void setTimeout(
          () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json)),
          700,
        );
    assert.deepEqual(
      await createWithin(1_000, late(400, { nome: 'x', mensagem: 'y' }), late(200, aWireCharge(REFERENCE))),
      { kind: 'unknown', reason: 'timeout' },
    );
    assert.ok(Date.now() - startedAt < 1_350, `${Date.now() - startedAt} ms`);
  });

  const oddities: readonly (readonly [title: string, overrides: Record<string, unknown>, outcome: unknown])[] = [
    ['another reference', { txid: 'b'.repeat(32) }, { kind: 'unknown', reason: 'answer_of_another_charge' }],
    [
      "another receiver's key",
      { chave: 'somebody@else.test' },
      { kind: 'unknown', reason: 'answer_of_another_charge' },
    ],
    ['another amount', { valor: { original: '50.01' } }, { kind: 'refused', code: 'charge_conflict' }],
    ['a state nobody knows', { status: 'SUSPENSA' }, { kind: 'unknown', reason: 'unknown_charge_status' }],
    ['a removed charge', { status: 'REMOVIDA_PELO_PSP' }, { kind: 'refused', code: 'charge_removed' }],
    [
      'a PIX with a wrong checksum',
      { pixCopiaECola: String(aWireCharge(REFERENCE)['pixCopiaECola']).replace(/.{4}$/, '0000') },
      { kind: 'unknown', reason: 'br_code_wrong_checksum' },
    ],
    ['an amount with a comma', { valor: { original: '50,00' } }, { kind: 'unknown', reason: 'unreadable_answer' }],
    ['an amount as a number', { valor: { original: 50 } }, { kind: 'unknown', reason: 'unreadable_answer' }],
    ['no PIX', { pixCopiaECola: undefined, location: undefined }, { kind: 'unknown', reason: 'charge_without_a_code' }],
  ];
  for (const [title, overrides, outcome] of oddities) {
    it(`201 with ${title} → ${(outcome as { kind: string }).kind}`, async () =>
      assert.deepEqual(await create({ status: 201, json: aWireCharge(REFERENCE, overrides) }), outcome));
  }

  it('201 with a PIX of another amount → unknown', async () => {
    const code = String(aWireCharge(REFERENCE)['pixCopiaECola']);
    const { buildDynamicBrCode } = await import('../../../domain/br-code.js');
    const other = buildDynamicBrCode({
      location: 'psp.test/v2/1',
      amountMinor: 1n,
      merchantName: 'SANDBOX',
      merchantCity: 'RECIFE',
    });
    assert.notEqual(code, other);
    assert.deepEqual(await create({ status: 201, json: aWireCharge(REFERENCE, { pixCopiaECola: other }) }), {
      kind: 'unknown',
      reason: 'br_code_of_another_amount',
    });
  });
});

describe('lookUpCharge', () => {
  const pix = {
    endToEndId: E2E,
    txid: REFERENCE,
    valor: '50.00',
    horario: '2026-03-05T12:01:00-03:00',
    chave: OUR_KEY,
  };
  const back = { id: 'D1', valor: '50.00', status: 'DEVOLVIDO', horario: { solicitacao: '2026-03-06T12:00:00Z' } };

  it('CONCLUIDA with a PIX → paid, without a payer if none is reported', async () => {
    assert.deepEqual(await lookUp(aWireCharge(REFERENCE, { status: 'CONCLUIDA', pix: [pix] })), {
      kind: 'found',
      status: 'paid',
      createdAt: '2026-03-05T15:00:00.123Z',
      payments: [
        {
          endToEndId: E2E,
          amountMinor: 5_000n,
          paidAt: '2026-03-05T15:01:00.000Z',
          payer: null,
          reversals: [],
          feeMinor: null,
        },
      ],
    });
  });

  it('ATIVA with a PIX → open, and the payment shows all the same', async () => {
    const found = await lookUp(aWireCharge(REFERENCE, { pix: [pix] }));
    assert.ok(found.kind === 'found' && found.status === 'open');
    assert.equal(found.payments.length, 1);
  });

  it('a masked payer is reported unchanged', async () => {
    const found = await lookUp(
      aWireCharge(REFERENCE, { pix: [{ ...pix, pagador: { cpf: '***.982.247-**', nome: 'ANA' } }] }),
    );
    assert.ok(found.kind === 'found');
    assert.deepEqual(found.payments[0]?.payer, { document: { type: 'CPF', number: '***.982.247-**' }, name: 'ANA' });
  });

  it('an alphanumeric CNPJ is a document like any other', async () => {
    const found = await lookUp(
      aWireCharge(REFERENCE, { pix: [{ ...pix, pagador: { cnpj: '12ABC34501DE35', nome: null } }] }),
    );
    assert.ok(found.kind === 'found');
    assert.deepEqual(found.payments[0]?.payer, { document: { type: 'CNPJ', number: '12ABC34501DE35' }, name: null });
  });

  for (const [nature, kind] of [
    [undefined, 'refund'],
    ['ORIGINAL', 'refund'],
    ['MED_FRAUDE', 'chargeback'],
    ['MED_OPERACIONAL', 'chargeback'],
    ['MED_PIX_AUTOMATICO', 'chargeback'],
  ] as const) {
    it(`natureza ${nature ?? '(absent)'} → ${kind}`, async () => {
      const found = await lookUp(
        aWireCharge(REFERENCE, { pix: [{ ...pix, devolucoes: [{ ...back, natureza: nature }] }] }),
      );
      assert.ok(found.kind === 'found');
      assert.equal(found.payments[0]?.reversals[0]?.kind, kind);
    });
  }

  it('the id of a return is read if the provider reports it; a malformed one is ignored', async () => {
    const idOf = async (rtrId: unknown) => {
      const found = await lookUp(aWireCharge(REFERENCE, { pix: [{ ...pix, devolucoes: [{ ...back, rtrId }] }] }));
      assert.ok(found.kind === 'found');
      return found.payments[0]?.reversals[0]?.returnId;
    };
    assert.equal(await idOf('D12345678202603051501abcdefghijk'), 'D12345678202603051501abcdefghijk');
    for (const odd of [undefined, '', 'D1', 7, null]) assert.equal(await idOf(odd), undefined);
  });

  it('each return is reported with its id, amount, state and moment', async () => {
    const devolucoes = [
      {
        ...back,
        id: 'D1',
        valor: '20.00',
        horario: { solicitacao: back.horario.solicitacao, liquidacao: '2026-03-06T12:00:09-03:00' },
      },
      { ...back, id: 'D2', valor: '30.00', status: 'EM_PROCESSAMENTO', natureza: 'MED_FRAUDE' },
      { ...back, id: 'D3', valor: '30.00', status: 'NAO_REALIZADO' },
    ];
    const found = await lookUp(aWireCharge(REFERENCE, { status: 'CONCLUIDA', pix: [{ ...pix, devolucoes }] }));
    assert.ok(found.kind === 'found');
    assert.deepEqual(found.payments[0]?.reversals, [
      { reference: 'D1', amountMinor: 2_000n, kind: 'refund', status: 'done', at: '2026-03-06T15:00:09.000Z' },
      { reference: 'D2', amountMinor: 3_000n, kind: 'chargeback', status: 'pending', at: '2026-03-06T12:00:00.000Z' },
      { reference: 'D3', amountMinor: 3_000n, kind: 'refund', status: 'refused', at: '2026-03-06T12:00:00.000Z' },
    ]);
  });

  const unclear: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['a payment of another charge', { pix: [{ ...pix, txid: 'b'.repeat(32) }] }, 'payment_of_another_charge'],
    ['a payment to another key', { pix: [{ ...pix, chave: 'somebody@else.test' }] }, 'payment_of_another_charge'],
    ['a return listed twice', { pix: [{ ...pix, devolucoes: [back, back] }] }, 'duplicate_return'],
    ['an unknown natureza', { pix: [{ ...pix, devolucoes: [{ ...back, natureza: 'RETIRADA' }] }] }, 'unknown_reversal'],
    [
      'an unknown state of a return',
      { pix: [{ ...pix, devolucoes: [{ ...back, status: 'TALVEZ' }] }] },
      'unknown_reversal',
    ],
    ['an unknown state of the charge', { status: 'EXPIRADA' }, 'unknown_charge_status'],
    ['another reference', { txid: 'b'.repeat(32) }, 'answer_of_another_charge'],
    ["another receiver's key", { chave: 'somebody@else.test' }, 'answer_of_another_charge'],
    ['a malformed end-to-end id', { pix: [{ ...pix, endToEndId: 'E1' }] }, 'unreadable_answer'],
    ['a negative amount', { pix: [{ ...pix, valor: '-50.00' }] }, 'unreadable_answer'],
  ];
  for (const [title, overrides, reason] of unclear) {
    it(`${title} → unknown`, async () =>
      assert.deepEqual(await lookUp(aWireCharge(REFERENCE, overrides)), { kind: 'unknown', reason }));
  }

  it('a 404 of a proxy → unknown, of the provider → not_found', async () => {
    psp.next = [{ status: 404, text: 'nope' }, problem(404, 'NaoEncontrado')];
    const provider = psp.provider('simulator');
    assert.deepEqual(await provider.lookUpCharge(REFERENCE), { kind: 'unknown', reason: 'http_404' });
    assert.deepEqual(await provider.lookUpCharge(REFERENCE), { kind: 'not_found' });
  });
});
