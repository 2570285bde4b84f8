// What banks were publicly seen to answer, in every dialect: a code of another charge, odd payers, keys in capitals,
// times in every form of RFC 3339. What decides nothing hides no payment; what cannot be used is named by its field.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { buildDynamicBrCode, crc16 } from '../../../domain/br-code.js';
import type { TaxDocument } from '../../../domain/documents.js';
import type { DialectName } from '../../../providers/settings.js';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import { DIALECTS } from '../../../providers/index.js';
import type { ReceivedPix } from '../../../providers/port.js';
import { aWireCharge, configFor, E2E, openFakePsp, OUR_KEY, type FakePsp } from './fake-psp.js';
import {
  aTransaction,
  aWireCharge as aWooviCharge,
  codeAt,
  openFakeWoovi,
  type FakeWoovi,
} from './woovi/fake-woovi.js';

const REFERENCE = 'a'.repeat(32);
const ANA: TaxDocument = { type: 'CPF', number: '52998224725', country: 'BR' };
const REQUEST = {
  reference: REFERENCE,
  amountMinor: 5_000n,
  expiresInSeconds: 1_800,
  payer: { document: ANA, name: 'Ana', email: 'ana@player.test' },
  description: 'Deposito',
};
const PIX = { endToEndId: E2E, txid: REFERENCE, valor: '50.00', horario: '2026-03-05T12:01:00-03:00', chave: OUR_KEY };

/** With another part, and a checksum that is right all the same. */
function changed(code: string, from: string, to: string): string {
  const body = code.slice(0, -4).replace(from, to);
  assert.notEqual(body, code.slice(0, -4));
  return body + crc16(body);
}

const codeOf = (location: string, amountMinor = 5_000n) =>
  buildDynamicBrCode({ location, amountMinor, merchantName: 'SANDBOX', merchantCity: 'RECIFE' });
const OURS = codeOf('psp.test/v2/1');

const FOREIGN_CODES: readonly (readonly [title: string, code: string, reason: string])[] = [
  ['of another charge’s location', codeOf('psp.test/v2/2'), 'br_code_of_another_location'],
  ['of another bank’s location', codeOf('psp.example/v2/1'), 'br_code_of_another_location'],
  ['of another amount', codeOf('psp.test/v2/1', 5_001n), 'br_code_of_another_amount'],
  ['of another reference', changed(OURS, '62070503***', '62090505other'), 'br_code_of_another_reference'],
  [
    'of a key, which the charge never sees',
    changed(OURS, '26350014br.gov.bcb.pix2513psp.test/v2/1', '26360014br.gov.bcb.pix0114other@bank.com'),
    'br_code_of_another_key',
  ],
  [
    'of our own key',
    changed(OURS, '26350014br.gov.bcb.pix2513psp.test/v2/1', '26390014br.gov.bcb.pix0117GATEWAY@bank.test'),
    'br_code_without_a_location',
  ],
];

for (const name of ['simulator', 'api-pix', 'efi', 'banco-do-brasil'] as const satisfies readonly DialectName[])
  describe(`incidents of ${name}`, () => {
    let psp: FakePsp;
    let bank: OpenProvider;
    beforeEach(async () => {
      psp = await openFakePsp();
      const settings = { ...configFor(psp.url, name), tokenUrl: `${psp.url}/oauth/token` };
      bank = DIALECTS[name].open('a', settings, { callTimeoutMs: 5_000 });
    });
    afterEach(async () => {
      await bank.close();
      await psp.close();
    });

    const create = (overrides: object) => {
      psp.next = [{ status: 201, json: aWireCharge(REFERENCE, overrides as Record<string, unknown>) }];
      return bank.createCharge(REQUEST);
    };
    const lookUp = (pix: object, charge: object = {}) => {
      const json = aWireCharge(REFERENCE, { status: 'CONCLUIDA', pix: [{ ...PIX, ...pix }], ...charge });
      // What asks for the payer elsewhere is refused.
      psp.next = [{ json }, { status: 403, json: {} }];
      return bank.lookUpCharge(REFERENCE, ANA);
    };
    const paymentOf = async (...given: Parameters<typeof lookUp>): Promise<ReceivedPix> => {
      const found = await lookUp(...given);
      assert.ok(found.kind === 'found', inspect(found));
      return found.payments[0]!;
    };

    for (const [title, pixCopiaECola, reason] of FOREIGN_CODES)
      it(`a code ${title} is never delivered`, async () =>
        assert.deepEqual(await create({ pixCopiaECola }), {
          kind: 'unknown',
          reason,
          doubt: { kind: 'foreign_code' },
        }));

    it('a location that is stated twice must be one', async () => {
      const outcome = await create({ loc: { location: 'psp.test/v2/other' } });
      assert.equal('reason' in outcome && outcome.reason, 'br_code_of_another_location');
    });

    it('the same place in other words, and a txid in the code → created', async () => {
      for (const charge of [
        { location: 'https://PSP.test/v2/1' },
        { location: null, loc: { location: 'psp.test:443/v2/1/' } },
        { location: undefined },
        { pixCopiaECola: changed(OURS, '62070503***', `62360532${REFERENCE}`) },
        { pixCopiaECola: changed(OURS, '62070503***', `62290525${REFERENCE.slice(0, 25)}`) },
        { pixCopiaECola: '', imagemQrcode: 7 },
      ])
        assert.equal((await create(charge)).kind, 'created', inspect(charge));
    });

    it('our key in any spelling → created, and its payment is seen', async () => {
      const chave = OUR_KEY.toUpperCase();
      assert.equal((await create({ chave })).kind, 'created');
      assert.equal((await paymentOf({ chave }, { chave })).endToEndId, E2E);
      assert.equal((await create({ chave: `x${OUR_KEY}` })).kind, 'unknown');
    });

    it('empty text is absence', async () => {
      const payment = await paymentOf({ txid: '', chave: ' ', infoPagador: '', gnExtras: { tarifa: '' } });
      assert.deepEqual([payment.endToEndId, payment.payer, payment.feeMinor], [E2E, null, null]);
    });

    it('odd payers hide no payment', async () => {
      const odd = [
        { cpf: ANA.number, nome: 'x'.repeat(250) },
        { cpf: ANA.number, cnpj: '', nome: '' },
        { cpf: '', cnpj: '', nome: '' },
        { cpf: 52998224725 },
        { cpf: ['529'], cnpj: {}, nome: 7 },
        'Ana',
        [],
      ];
      for (const pagador of odd)
        for (const place of [{ pagador }, { gnExtras: { pagador } }, { extras: { pagador } }])
          assert.equal((await paymentOf(place)).amountMinor, 5_000n, inspect(place));
    });

    it('every form of RFC 3339 is read', async () => {
      for (const [horario, paidAt] of [
        ['2026-03-05t15:01:00z', '2026-03-05T15:01:00.000Z'],
        ['2026-03-05T12:01:00.123456789-03:00', '2026-03-05T15:01:00.123Z'],
        ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
      ] as const)
        assert.equal((await paymentOf({ horario })).paidAt, paidAt);
    });

    it('what cannot be used is named by its field, and never by what is in it', async () => {
      for (const [pix, field] of [
        [{ horario: '05/03/2026 12:01' }, 'pix.0.horario'],
        [{ valor: 'R$ 50' }, 'pix.0.valor'],
        [{ endToEndId: 'Ana Souza' }, 'pix.0.endToEndId'],
        [{ devolucoes: [{ id: 'Ana Souza' }] }, 'pix.0.devolucoes.0.id'],
        [{ txid: 'b'.repeat(32) }, 'pix.0.txid'],
        [{ chave: 'ana@player.test' }, 'pix.0.chave'],
      ] as const) {
        const outcome = await lookUp(pix);
        assert.ok(outcome.kind === 'unknown', inspect(outcome));
        assert.deepEqual(outcome.doubt, { kind: 'unreadable', field });
      }
      assert.deepEqual(await lookUp({}, { status: 'NOVO' }), {
        kind: 'unknown',
        reason: 'unknown_charge_status',
        doubt: { kind: 'unreadable', field: 'status' },
      });
    });

    it('no answer is nothing that people must know of', async () => {
      psp.next = [{ status: 503, json: {} }];
      assert.deepEqual(await bank.lookUpCharge(REFERENCE, ANA), { kind: 'unknown', reason: 'http_503' });
    });
  });

describe('payers of the simulator', () => {
  let psp: FakePsp;
  beforeEach(async () => {
    psp = await openFakePsp();
  });
  afterEach(() => psp.close());

  const documentOf = async (pagador: object) => {
    psp.next = [{ json: aWireCharge(REFERENCE, { status: 'CONCLUIDA', pix: [{ ...PIX, pagador }] }) }];
    const found = await psp.provider('simulator').lookUpCharge(REFERENCE);
    assert.ok(found.kind === 'found', inspect(found));
    return found.payments[0]!.payer?.document ?? null;
  };
  const cpf = (number: string) => ({ type: 'CPF', number });
  const cnpj = (number: string) => ({ type: 'CNPJ', number });

  it('lost zeros come back where one reading is valid', async () => {
    assert.deepEqual(await documentOf({ cpf: 1234567891 }), null, 'wrong check digits');
    assert.deepEqual(await documentOf({ cpf: 191 }), cpf('00000000191'));
    assert.deepEqual(await documentOf({ cpf: '1234567-97' }), cpf('00123456797'));
    assert.deepEqual(await documentOf({ cnpj: 191 }), cnpj('00000000000191'));
  });

  it('two documents, or a part of one, are none', async () => {
    assert.equal(await documentOf({ cpf: ANA.number, cnpj: '11222333000181' }), null);
    assert.equal(await documentOf({ cpf: '982247' }), null);
    assert.equal(await documentOf({ cpf: '11222333000181' }), null);
    assert.deepEqual(await documentOf({ cpf: ANA.number, cnpj: '00000000000000' }), cpf(ANA.number));
  });

  it('masks and letters stay', async () => {
    assert.deepEqual(await documentOf({ cpf: '***.982.247-**' }), cpf('***.982.247-**'));
    assert.deepEqual(await documentOf({ cnpj: '12.abc.345/01de-35' }), cnpj('12.ABC.345/01DE-35'));
  });
});

describe('incidents of Woovi', () => {
  let woovi: FakeWoovi;
  before(async () => {
    woovi = await openFakeWoovi();
  });
  after(() => woovi.close());

  const create = (overrides: Record<string, unknown> = {}, beside = {}) => {
    woovi.says = { 'POST /charge': { json: { charge: aWooviCharge(woovi.host, overrides), ...beside } } };
    return woovi.provider().createCharge(REQUEST);
  };
  const paymentOf = async (transaction: Record<string, unknown>, charge: Record<string, unknown> = {}) => {
    woovi.says = {
      [`GET /charge/${REFERENCE}`]: { json: { charge: aWooviCharge(woovi.host, { status: 'COMPLETED', ...charge }) } },
      'GET /transaction': { json: { pageInfo: {}, transactions: [aTransaction(transaction)] } },
      [`GET /charge/${REFERENCE}/refund`]: { json: { refunds: [] } },
    };
    return woovi.provider().lookUpCharge(REFERENCE);
  };

  it('a code of another key, reference or amount, or two codes, are never delivered', async () => {
    const code = codeAt(woovi.host);
    const named = changed(code, '62070503***', '62090505other');
    for (const [charge, beside, reason] of [
      [{ brCode: named, transactionID: 'ours' }, {}, 'br_code_of_another_reference'],
      [{ brCode: codeAt(woovi.host, 5_001n) }, {}, 'br_code_of_another_amount'],
      [{}, { brCode: named }, 'two_codes_of_one_charge'],
    ] as const)
      assert.deepEqual(await create(charge, beside), { kind: 'unknown', reason, doubt: { kind: 'foreign_code' } });
    assert.equal((await create({ brCode: named, identifier: 'other' })).kind, 'created');
    assert.equal((await create({}, { brCode: code })).kind, 'created');
  });

  it('our key in capitals → created, and its payment is seen', async () => {
    const pixKey = OUR_KEY.toUpperCase();
    assert.equal((await create({ pixKey })).kind, 'created');
    assert.equal((await paymentOf({}, { pixKey })).kind, 'found');
  });

  it('odd payers hide no payment; one that cannot be read makes the payer unknown', async () => {
    const holderOf = (taxID: unknown, name: unknown = 'Ana') => ({
      debitParty: { holder: { name, taxID } },
      payer: null,
    });
    const payerOf = async (transaction: Record<string, unknown>) => {
      const found = await paymentOf(transaction);
      assert.ok(found.kind === 'found', inspect(found));
      return found.payments[0]!.payer;
    };
    assert.equal(await payerOf({ payer: 'Ana', debitParty: [], customer: 7 }), null);
    assert.equal((await payerOf({ payer: { name: 'x'.repeat(250), taxID: { taxID: ANA.number } } }))?.name, null);
    assert.equal((await payerOf(holderOf({ taxID: 191, type: 'BR:CPF' })))?.document?.number, '00000000191');
    assert.equal(await payerOf(holderOf({ taxID: 191 })), null, 'a CPF or a CNPJ');
    assert.equal(
      await payerOf({ ...holderOf({ taxID: 'part 1' }), payer: { name: 'Ana', taxID: { taxID: ANA.number } } }),
      null,
    );
  });

  it('what cannot be used is named by its field', async () => {
    for (const [transaction, charge, field] of [
      [{ time: 'today' }, {}, 'transactions.0.time'],
      [{ status: 'SUNG' }, {}, 'transactions.0.status'],
      [{}, { value: 0.5 }, 'charge.value'],
      [{}, { status: 'SUNG' }, 'charge.status'],
      [{}, { pixKey: 'other@bank.test' }, 'charge.pixKey'],
    ] as const) {
      const outcome = await paymentOf(transaction, charge);
      assert.ok(outcome.kind === 'unknown', inspect(outcome));
      assert.deepEqual(outcome.doubt, { kind: 'unreadable', field });
    }
  });
});
