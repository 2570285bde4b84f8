// Banks that follow the standard: how each wants tokens and calls, who paid where only a filter shows it, and that none
// of them is ever asked to pay.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import type { DialectName, CallSettings } from '../../../providers/settings.js';
import { DIALECTS } from '../../../providers/index.js';
import { aWireCharge, configFor, E2E, openFakePsp, type FakePsp, type Say } from './fake-psp.js';

const REFERENCE = 'a'.repeat(32);
const ANA = { type: 'CPF', number: '52998224725', country: 'BR' } as const;

let psp: FakePsp;
let open: OpenProvider[];
beforeEach(async () => {
  psp = await openFakePsp();
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((bank) => bank.close()));
  await psp.close();
});

function bankOf(dialect: DialectName, settings: Partial<CallSettings> = {}): OpenProvider {
  const config = { ...configFor(`${psp.url}/api`, dialect), ...settings };
  const bank = DIALECTS[dialect].open('a', config, { callTimeoutMs: 5_000 });
  open.push(bank);
  return bank;
}
const says = (...answers: Say[]) => void (psp.next = answers);
const create = (bank: OpenProvider, name: string | null = 'Ana') =>
  bank.createCharge({
    reference: REFERENCE,
    amountMinor: 5_000n,
    expiresInSeconds: 3_600,
    payer: { document: ANA, name, email: 'ana@player.test' },
    description: 'Deposito',
  });

describe('banks: tokens and calls', () => {
  const asked = async (dialect: DialectName, settings: Partial<CallSettings> = {}) => {
    says({ status: 201, json: aWireCharge(REFERENCE) });
    const outcome = await create(bankOf(dialect, settings));
    assert.equal(outcome.kind, 'created', inspect(outcome));
    const [token, call] = [psp.tokenRequests[0]!, psp.requests[0]!];
    return { token: { ...token, form: Object.fromEntries(new URLSearchParams(token.body)) }, call };
  };
  const BASIC = `Basic ${Buffer.from('client:a%20secret%20of%20the%20client').toString('base64')}`;

  it('api-pix: as the standard has it, below the base address', async () => {
    const { token, call } = await asked('api-pix');
    assert.deepEqual([token.path, token.authorization], ['/api/oauth/token', BASIC]);
    assert.deepEqual(token.form, { grant_type: 'client_credentials' });
    assert.equal(call.path, `/api/cob/${REFERENCE}`);
  });

  it('api-pix: adjusted by settings', async () => {
    const { token, call } = await asked('api-pix', {
      tokenUrl: `${psp.url}/realms/pix/auth/token`,
      scopes: 'cob.write cob.read',
      callHeaders: { 'x-app': 'one' },
      callQuery: { key: 'a&b' },
      pathPrefixes: { cob: '/v9' },
    });
    assert.equal(token.path, '/realms/pix/auth/token');
    assert.equal(token.form['scope'], 'cob.write cob.read');
    assert.equal(call.path, `/api/v9/cob/${REFERENCE}?key=a%26b`);
    assert.equal(call.headers['x-app'], 'one');
  });

  it('sicredi: tokens at the root of the host, a version for each resource', async () => {
    const { token, call } = await asked('sicredi');
    assert.deepEqual([token.path, token.authorization], ['/oauth/token', BASIC]);
    assert.match(token.form['scope'] ?? '', /^cob\.write cob\.read /);
    assert.equal(call.path, `/api/v3/cob/${REFERENCE}`);
    says({ status: 201, json: {} });
    await open[0]!.requestReversal({ endToEndId: E2E, reference: REFERENCE, amountMinor: 1n });
    assert.equal(psp.requests[1]?.path, `/api/v2/pix/${E2E}/devolucao/${REFERENCE}`);
  });

  it('banco-do-brasil: the application is named in the query of every call, behind its own', async () => {
    const settings = { tokenUrl: `${psp.url}/other/oauth/token`, callQuery: { 'gw-dev-app-key': 'k1' } };
    const { call } = await asked('banco-do-brasil', settings);
    assert.equal(call.path, `/api/cob/${REFERENCE}?gw-dev-app-key=k1`);
    says(paid(), list([]));
    await open[0]!.lookUpCharge(REFERENCE, ANA);
    assert.match(psp.requests[2]?.path ?? '', /^\/api\/pix\?inicio=.*&gw-dev-app-key=k1$/);
  });

  it('sicoob: no secret; the id stands in the token request and in every call', async () => {
    const { token, call } = await asked('sicoob', { tokenUrl: `${psp.url}/auth/token`, clientSecret: '' });
    assert.equal(token.authorization, undefined);
    assert.equal(token.form['client_id'], 'client');
    assert.ok(!('client_secret' in token.form));
    assert.equal(call.headers['client_id'], 'client');
  });

  it('sicredi: a scope that the credential lacks is answered 400: neither a missing charge nor a refused one', async () => {
    const type = 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado';
    const detail = 'Esta credencial não possui os escopos de cobrança imediata (COB) habilitados';
    const lacking = { status: 400, json: { type, title: 'Acesso negado', status: 400, detail } };
    const sicredi = bankOf('sicredi');
    says(lacking, lacking);
    assert.deepEqual(await create(sicredi), { kind: 'unknown', reason: 'http_400' });
    says(lacking);
    assert.deepEqual(await sicredi.lookUpCharge(REFERENCE, ANA), { kind: 'unknown', reason: 'http_400' });
    says(lacking);
    const span = { from: '2026-03-05T14:00:00.000Z', to: '2026-03-05T16:00:00.000Z', cursor: null };
    assert.deepEqual(await sicredi.listReceived({ part: 'payments', ...span }), {
      kind: 'refused',
      reason: 'list_http_400',
    });
  });

  it('a lifetime written as text is a lifetime', async () => {
    psp.token = { json: { access_token: 't', token_type: 'Bearer', expires_in: '300' } };
    assert.equal((await asked('api-pix')).call.authorization, 'Bearer t');
  });

  it('no debtor is sent, named or not', async () => {
    for (const name of ['Ana', null]) {
      says({ status: 201, json: aWireCharge(REFERENCE) });
      await create(bankOf('api-pix'), name);
    }
    for (const { body } of psp.requests) assert.ok(!('devedor' in (JSON.parse(body) as object)));
  });

  it('a charge that is unknown: 404 and 400 in its own words, nothing else', async () => {
    const words = [
      { status: 404, json: { type: 'https://pix.bcb.gov.br/api/v2/error/NaoEncontrado', title: 'x', status: 404 } },
      { status: 400, json: { nome: 'cobranca_nao_encontrada', mensagem: 'x' } },
    ];
    for (const say of words) {
      says(say);
      assert.deepEqual(await bankOf('api-pix').lookUpCharge(REFERENCE, ANA), { kind: 'not_found' });
    }
    says({ status: 404, json: { message: 'no route' } });
    assert.deepEqual(await bankOf('api-pix').lookUpCharge(REFERENCE, ANA), { kind: 'unknown', reason: 'http_404' });
  });
});

const pix = { endToEndId: E2E, txid: REFERENCE, valor: '50.00', horario: '2026-03-05T15:00:00.000Z' };
const paid = () => ({ json: aWireCharge(REFERENCE, { status: 'CONCLUIDA', pix: [pix], pixCopiaECola: undefined }) });
const list = (payments: object[]) => ({
  json: { parametros: { paginacao: { paginaAtual: 0, itensPorPagina: 1_000, quantidadeDePaginas: 1 } }, pix: payments },
});

describe('banks: the payer of a paid charge', () => {
  const lookUp = (expected = ANA) => bankOf('api-pix').lookUpCharge(REFERENCE, expected);
  const payer = async () => {
    const found = await lookUp();
    assert.ok(found.kind === 'found' && found.status === 'paid', inspect(found));
    return found.payments[0]?.payer ?? null;
  };
  const asked = (at: number) => new URL(psp.requests[at]?.path ?? '', 'http://bank').searchParams;

  it('named in the list of received PIX → that one, and no further question', async () => {
    says(paid(), list([{ ...pix, pagador: { cpf: '11144477735', nome: 'Beto' } }]));
    assert.deepEqual(await payer(), { document: { type: 'CPF', number: '11144477735' }, name: 'Beto' });
    assert.equal(psp.requests.length, 2);
    assert.deepEqual(
      [asked(1).get('txid'), asked(1).get('inicio'), asked(1).get('fim')],
      [REFERENCE, '2026-03-05T14:59:00.000Z', '2026-03-05T15:01:00.000Z'],
    );
  });

  it("found by the expected document, and not by a stranger's → the expected one", async () => {
    says(paid(), list([pix]), list([pix]), list([]));
    assert.deepEqual(await payer(), { document: { type: 'CPF', number: ANA.number }, name: null });
    assert.equal(asked(2).get('cpf'), ANA.number);
    assert.notEqual(asked(3).get('cpf'), ANA.number);
  });

  for (const [title, ...answers] of [
    ['found by anybody: the bank does not filter', list([pix]), list([pix]), list([pix])],
    ['not found by the expected document', list([pix]), list([])],
    ['not in the list at all', list([])],
    ['the account may not list', { status: 403, json: {} }],
    ['the bank does not know the filter', list([pix]), { status: 400, json: {} }],
    ['another payment of the same charge is', list([pix]), list([{ ...pix, endToEndId: E2E.replace('E1', 'E2') }])],
  ] as const)
    it(`${title} → nobody is named`, async () => {
      says(paid(), ...answers);
      assert.equal(await payer(), null);
      assert.equal(psp.next.length, 0);
    });

  for (const [title, ...answers] of [
    ['the list is not answered', { status: 503, json: {} }],
    ['the filtered list is not answered', list([pix]), { status: 500, json: {} }],
    ['the control is not answered', list([pix]), list([pix]), { status: 500, json: {} }],
    ['the list cannot be read', { json: { pix: [] } }],
  ] as const)
    it(`${title} → the look-up stays open`, async () => {
      says(paid(), ...answers);
      assert.equal((await lookUp()).kind, 'unknown');
    });

  it('one that cannot be read hides no other', async () => {
    says(paid(), list([{ valor: 'x' }, { ...pix, pagador: { cnpj: '11222333000181' } }]));
    assert.deepEqual((await payer())?.document, { type: 'CNPJ', number: '11222333000181' });
  });
});

describe('banks: payouts', () => {
  for (const dialect of ['api-pix', 'sicredi', 'banco-do-brasil', 'sicoob'] as const)
    it(`${dialect} is never asked to pay, and says nothing of earlier payouts`, async () => {
      const bank = bankOf(dialect, { tokenUrl: `${psp.url}/oauth/token` });
      const request = {
        reference: REFERENCE,
        amountMinor: 100n,
        key: { type: 'cpf', value: ANA.number },
        beneficiaryDocument: ANA,
        lookupEndToEndId: null,
        description: 'Saque',
        mayLeave: () => true,
      } as const;
      assert.equal(bank.traits.sendsPayouts, false);
      assert.deepEqual(await bank.sendPayout(request), { kind: 'not_sent', reason: 'sends_no_payouts' });
      assert.deepEqual(await bank.lookUpPayout(request), { kind: 'unknown', reason: 'sends_no_payouts' });
      assert.equal(psp.requests.length + psp.tokens, 0);
    });
});
