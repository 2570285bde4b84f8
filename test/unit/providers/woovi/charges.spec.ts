// Charges at Woovi: what its answers, documented, unusual or broken, are taken for.
import assert from 'node:assert/strict';
import {
  aCharge,
  ANA,
  APP_ID,
  aTransaction,
  aWireCharge,
  codeAt,
  E2E,
  type FakeWoovi,
  openFakeWoovi,
  REFERENCE,
} from './fake-woovi.js';
import { plainly } from '../fake-psp.js';

const PAID = { status: 'COMPLETED' };
const CREATED_AT = '2026-03-05T12:00:00.123Z';
const NOBODY = { document: ANA, name: null, email: null };

describe('charges at Woovi', () => {
  let woovi: FakeWoovi;
  before(async () => {
    woovi = await openFakeWoovi();
  });
  after(() => woovi.close());
  beforeEach(() => {
    woovi.says = {};
    woovi.requests.length = 0;
    woovi.drift.length = 0;
  });

  const create = (overrides = {}, request = {}) => {
    woovi.says = { 'POST /charge': { json: { charge: aWireCharge(woovi.host, overrides) } } };
    return plainly(woovi.provider().createCharge(aCharge(request)));
  };
  /** A look-up of a charge with these transactions and returns. */
  const lookUp = (charge = {}, transactions: unknown[] = [], refunds: unknown[] = [], more = {}) => {
    woovi.says = {
      [`GET /charge/${REFERENCE}`]: { json: { charge: aWireCharge(woovi.host, charge) } },
      'GET /transaction': { json: { pageInfo: { hasNextPage: false }, transactions } },
      [`GET /charge/${REFERENCE}/refund`]: { json: { refunds } },
      ...more,
    };
    return plainly(woovi.provider().lookUpCharge(REFERENCE));
  };
  const reasonOf = (outcome: { kind: string; reason?: string }) =>
    outcome.kind === 'unknown' ? outcome.reason : outcome.kind;

  it('asks with the AppID as it is, idempotently, in centavos', async () => {
    await create();
    const [asked] = woovi.requests;
    assert.equal(asked?.path, '/charge?return_existing=true');
    assert.equal(asked?.headers.authorization, APP_ID);
    assert.deepEqual(asked?.body, {
      correlationID: REFERENCE,
      value: 5_000,
      type: 'DYNAMIC',
      comment: 'Deposito',
      expiresIn: 1_800,
      customer: { name: 'Ana Souza', taxID: ANA.number },
    });
    woovi.requests.length = 0;
    await create({}, { payer: NOBODY });
    assert.equal('customer' in (woovi.requests[0]?.body as object), false, 'a customer needs a name');
  });

  it('documented answer → created', async () => {
    const outcome = await create();
    assert.ok(outcome.kind === 'created');
    assert.deepEqual(outcome.charge, {
      reference: REFERENCE,
      copyPaste: codeAt(woovi.host),
      qrCodePngBase64: null,
      createdAt: CREATED_AT,
      expiresAt: '2026-03-05T12:30:00.123Z',
      sandboxMarker: true,
      isOfTestHost: false,
      amountMinor: 5_000n,
    });
    assert.deepEqual(woovi.drift, []);
  });

  it('tolerant: numbers as text, the code next to the charge, no expiry date, no key, new fields → created', async () => {
    woovi.says = {
      'POST /charge': {
        json: {
          brCode: codeAt(woovi.host),
          charge: aWireCharge(woovi.host, {
            value: '5000',
            expiresIn: '1800',
            expiresDate: null,
            brCode: null,
            pixKey: null,
            somethingNew: { deep: 1 },
          }),
        },
      },
    };
    const outcome = await woovi.provider().createCharge(aCharge());
    assert.ok(outcome.kind === 'created');
    assert.equal(outcome.charge.expiresAt, '2026-03-05T12:30:00.123Z');
    assert.deepEqual(woovi.drift, ['unknown_field']);
  });

  it('the marker of a test environment is the host of the code and of the API, never a name', async () => {
    const markerAt = async (host: string, url = woovi.url) => {
      woovi.says = { 'POST /charge': { json: { charge: aWireCharge(host) } } };
      const outcome = await woovi.provider({}, url).createCharge(aCharge());
      return outcome.kind === 'created' ? outcome.charge.sandboxMarker : outcome.kind;
    };
    assert.equal(await markerAt('api.woovi-sandbox.com'), true);
    assert.equal(await markerAt(woovi.host), true);
    assert.equal(await markerAt('api.woovi.com'), false);
    assert.equal(await markerAt('evil-woovi-sandbox.com'), false);
    assert.equal(await markerAt('api.woovi.com/woovi-sandbox.com'), false);
  });

  for (const [host, expected] of [
    ['api.woovi-sandbox.com', true],
    ['woovi-sandbox.com', true],
    ['api.woovi.com', false],
    ['evil-woovi-sandbox.com', false],
  ] as const)
    it(`a code at ${host} ${expected ? 'is' : 'is not'} one that nobody can pay in production`, async () => {
      woovi.says = { 'POST /charge': { json: { charge: aWireCharge(host) } } };
      const outcome = await woovi.provider().createCharge(aCharge());
      assert.equal(outcome.kind === 'created' && outcome.charge.isOfTestHost, expected);
    });

  for (const [title, overrides, expected] of [
    ['another amount', { value: 5_001 }, { kind: 'refused', code: 'charge_conflict' }],
    ['another reference', { correlationID: 'b'.repeat(32) }, { kind: 'unknown', reason: 'answer_of_another_charge' }],
    ['another account’s key', { pixKey: 'other@bank.test' }, { kind: 'unknown', reason: 'answer_of_another_charge' }],
    ['a state of tomorrow', { status: 'FROZEN' }, { kind: 'unknown', reason: 'unknown_charge_status' }],
    ['no code', { brCode: null }, { kind: 'unknown', reason: 'charge_without_a_code' }],
    ['no expiry', { expiresDate: null, expiresIn: null }, { kind: 'unknown', reason: 'charge_without_an_expiry' }],
    ['a broken code', { brCode: 'x' }, { kind: 'unknown', reason: 'br_code_malformed_field' }],
    ['a fraction of a centavo', { value: 50.5 }, { kind: 'unknown', reason: 'unreadable_answer' }],
  ] as const)
    it(`${title} → ${expected.kind}`, async () => assert.deepEqual(await create(overrides), expected));

  it('a refusal is final only if the charge does not exist, in words of the list', async () => {
    const refused = async (text: string, lookup: FakeWoovi['says'][string]) => {
      woovi.says = {
        'POST /charge': { status: 400, json: { error: text } },
        [`GET /charge/${REFERENCE}`]: lookup,
      };
      return reasonOf(await woovi.provider().createCharge(aCharge()));
    };
    const absent = { status: 400, json: { error: 'Charge not found' } };
    assert.equal(await refused('Valor inválido', absent), 'refused');
    assert.equal(
      await refused('Valor inválido', { status: 400, json: { error: 'Cobrança não encontrada.' } }),
      'refused',
    );
    assert.equal(await refused('Valor inválido', { status: 400, json: { error: 'Try later' } }), 'http_400');
    assert.equal(await refused('Valor inválido', { status: 404, text: '<html>' }), 'http_404');
    assert.equal(await refused('Já existe uma cobrança com este Correlação ID', absent), 'duplicate_not_found');
    const there = { json: { charge: aWireCharge(woovi.host) } };
    assert.equal(await refused('Já existe uma cobrança com este Correlação ID', there), 'created');
    assert.ok(woovi.drift.includes('unknown_error'));
  });

  for (const status of [401, 403, 429, 500, 503])
    it(`${status} decides nothing`, async () => {
      woovi.says = { 'POST /charge': { status, json: { error: 'Charge not found' } } };
      assert.equal(reasonOf(await woovi.provider().createCharge(aCharge())), `http_${status}`);
    });

  describe('look-up', () => {
    it('active, or expired without a payment → open: our own clock ends the deposit', async () => {
      const open = { kind: 'found', status: 'open', createdAt: CREATED_AT, payments: [] };
      assert.deepEqual(await lookUp(), open);
      assert.deepEqual(await lookUp({ status: 'EXPIRED' }), open);
    });

    it('paid → its payment, from the list of transactions', async () => {
      assert.deepEqual(await lookUp(PAID, [aTransaction()]), {
        kind: 'found',
        status: 'paid',
        createdAt: CREATED_AT,
        payments: [
          {
            endToEndId: E2E,
            amountMinor: 5_000n,
            paidAt: '2026-03-05T12:01:00.000Z',
            payer: { document: { type: 'CPF', number: ANA.number }, name: 'Ana Souza' },
            reversals: [],
            feeMinor: 85n,
          },
        ],
      });
      assert.ok(woovi.requests.some(({ path }) => path === `/transaction?charge=${REFERENCE}`));
      assert.deepEqual(woovi.drift, []);
    });

    it('the fee: with the transaction, else of the charge that has one payment; unreadable is none', async () => {
      const feesOf = async (charge: object, ...transactions: Record<string, unknown>[]) => {
        const found = await lookUp(
          { ...PAID, ...charge },
          transactions.map((one) => aTransaction(one)),
        );
        assert.ok(found.kind === 'found', reasonOf(found));
        return found.payments.map(({ feeMinor }) => feeMinor);
      };
      assert.deepEqual(await feesOf({ fee: 85 }, {}), [85n]);
      assert.deepEqual(await feesOf({ fee: 85 }, { fee: '50' }), [50n]);
      assert.deepEqual(await feesOf({ fee: 'free' }, {}), [null]);
      assert.deepEqual(await feesOf({ fee: null }, {}), [null]);
      const another = E2E.replace(/^E./, 'E9');
      assert.deepEqual(await feesOf({ fee: 85 }, {}, { endToEndId: another }), [null, null]);
    });

    it('the payment is listed before the charge is reported as paid → found', async () => {
      const found = await lookUp({}, [aTransaction()]);
      assert.deepEqual(found.kind === 'found' && [found.status, found.payments.length], ['open', 1]);
    });

    it('`type` and `status` interchanged, as in the document, and 33 characters of the sandbox → found', async () => {
      const found = await lookUp(PAID, [
        aTransaction({ type: 'CONFIRMED', status: 'PAYMENT', endToEndId: null, endToEndID: `${E2E}x` }),
      ]);
      assert.ok(found.kind === 'found' && found.payments[0]?.endToEndId === `${E2E}x`);
    });

    it('no state of the payment, as in the older examples: believed only of a paid charge', async () => {
      assert.equal(reasonOf(await lookUp(PAID, [aTransaction({ status: null })])), 'found');
      assert.equal(reasonOf(await lookUp({}, [aTransaction({ status: null })])), 'payment_without_a_state');
    });

    it('pending and rejected payments have not arrived; fees and withdrawals are none', async () => {
      const others = [
        aTransaction({ status: 'IN_PROCESSING' }),
        aTransaction({ status: 'REJECTED' }),
        aTransaction({ type: 'FEE' }),
        aTransaction({ type: 'WITHDRAW' }),
      ];
      assert.deepEqual(await lookUp({}, others), {
        kind: 'found',
        status: 'open',
        createdAt: CREATED_AT,
        payments: [],
      });
    });

    for (const type of ['BALANCE_BLOCK', 'BALANCE_UNBLOCK', 'INTERNAL_TRANSFER', 'REVERSAL'])
      it(`${type} next to the payment, as in a disputed case → the payment is found`, async () => {
        const found = await lookUp(PAID, [aTransaction(), aTransaction({ type, endToEndId: null })]);
        assert.ok(found.kind === 'found', reasonOf(found));
        assert.deepEqual(
          found.payments.map(({ endToEndId }) => endToEndId),
          [E2E],
        );
        assert.deepEqual(woovi.drift, type === 'REVERSAL' ? ['unknown_state'] : []);
      });

    for (const [title, charge, transactions, reason] of [
      ['paid, and no payment listed yet', PAID, [], 'paid_without_a_payment'],
      ['a state of tomorrow', PAID, [aTransaction({ status: 'FROZEN' })], 'unknown_transaction_state'],
      ['a kind of tomorrow', PAID, [aTransaction({ type: 'GIFT' })], 'unknown_transaction_state'],
      ['the same payment twice', PAID, [aTransaction(), aTransaction()], 'duplicate_payment'],
      ['no end-to-end id', PAID, [aTransaction({ endToEndId: null })], 'payment_without_end_to_end_id'],
      ['another charge’s', PAID, [aTransaction({ charge: { correlationID: 'b' } })], 'payment_of_another_charge'],
      ['a payment without a time', PAID, [aTransaction({ time: null })], 'unreadable_answer'],
    ] as const)
      it(`${title} → unknown`, async () => assert.equal(reasonOf(await lookUp(charge, [...transactions])), reason));

    it('more than a page → unknown', async () => {
      const page = { json: { pageInfo: { hasNextPage: true }, transactions: [aTransaction()] } };
      assert.equal(reasonOf(await lookUp(PAID, [], [], { 'GET /transaction': page })), 'more_transactions_than_a_page');
    });

    it('not found: only in Woovi’s words', async () => {
      const words = (say: FakeWoovi['says'][string]) => lookUp({}, [], [], { [`GET /charge/${REFERENCE}`]: say });
      assert.equal((await words({ status: 400, json: { error: 'Charge not found' } })).kind, 'not_found');
      assert.equal(reasonOf(await words({ status: 404, text: 'nginx' })), 'http_404');
    });

    it('the payer: all places must agree, and the customer of the register alone is no contradiction', async () => {
      const beto = { name: 'Beto', taxID: { taxID: '111.444.777-35', type: 'BR:CPF' } };
      const payerOf = async (charge: object, transaction: Record<string, unknown>) => {
        const found = await lookUp({ ...PAID, ...charge }, [aTransaction(transaction)]);
        return found.kind === 'found' ? found.payments[0]?.payer : found;
      };
      assert.equal(await payerOf({ payer: beto }, {}), null, 'they differ');
      assert.equal(await payerOf({}, { debitParty: { holder: beto } }), null, 'they differ');
      assert.equal(await payerOf({}, { payer: null }), null);
      assert.deepEqual(await payerOf({ payer: beto }, { payer: null, debitParty: { holder: beto } }), {
        document: { type: 'CPF', number: '11144477735' },
        name: 'Beto',
      });
    });
  });

  describe('returns', () => {
    const ours = {
      value: 5_000,
      status: 'CONFIRMED',
      correlationID: REFERENCE,
      endToEndId: `D${E2E.slice(1)}`,
      time: '2026-03-05T13:00:00.000Z',
    };
    const foreign = { ...ours, correlationID: 'panel-1' };
    const DISPUTE = `GET /dispute/${E2E}`;
    const reversals = async (refunds: unknown[], more = {}, status = 'REFUNDED') => {
      const found = await lookUp(PAID, [aTransaction({ status })], refunds, more);
      return found.kind === 'found' ? found.payments[0]?.reversals : reasonOf(found);
    };

    it('ours, done → a refund with its D id', async () => {
      assert.deepEqual(await reversals([ours]), [
        {
          reference: REFERENCE,
          amountMinor: 5_000n,
          kind: 'refund',
          status: 'done',
          at: '2026-03-05T13:00:00.000Z',
          returnId: ours.endToEndId,
        },
      ]);
    });

    it('of one of two payments → of the one that was sent back, also in the same amount; else unknown', async () => {
      const SECOND = E2E.replace('E1', 'E2');
      const partsOf = async (statuses: readonly [string, string], value = 5_000, refunded = 5_000) => {
        const rows = [
          aTransaction({ status: statuses[0] }),
          aTransaction({ status: statuses[1], endToEndId: SECOND, value }),
        ];
        const notFound = { status: 400, json: { error: 'Dispute not found' } };
        const none = { [DISPUTE]: notFound, [`GET /dispute/${SECOND}`]: notFound };
        const found = await lookUp(PAID, rows, [{ ...foreign, value: refunded }], none);
        if (found.kind !== 'found') return reasonOf(found);
        return found.payments.map(({ reversals: parts }) => parts.map(({ reference }) => reference));
      };
      assert.deepEqual(await partsOf(['CONFIRMED', 'REFUNDED']), [[], ['panel-1']]);
      assert.deepEqual(await partsOf(['CONFIRMED', 'CONFIRMED'], 700, 700), [[], ['panel-1']]);
      assert.deepEqual(await partsOf(['CONFIRMED', 'PARTIAL_REFUND'], 5_000, 4_999), [[], ['panel-1']]);
      assert.equal(await partsOf(['CONFIRMED', 'PARTIAL_REFUND']), 'return_of_one_of_several_payments');
      for (const statuses of [
        ['CONFIRMED', 'CONFIRMED'],
        ['REFUNDED', 'REFUNDED'],
      ] as const)
        assert.equal(await partsOf(statuses), 'return_of_one_of_several_payments');
      assert.equal(await partsOf(['CONFIRMED', 'REFUNDED'], 5_000, 4_999), 'return_of_one_of_several_payments');
    });

    it('not ours: a chargeback if the dispute was lost, a refund if there is none, else unknown', async () => {
      const kind = async (say: FakeWoovi['says'][string]) => {
        const found = await reversals([foreign], { [DISPUTE]: say });
        return typeof found === 'string' || found === undefined ? found : found[0]?.kind;
      };
      const dispute = (status: string, endToEndId = E2E) => ({
        json: { dispute: { status, endToEndId, type: 'MED' } },
      });
      assert.equal(await kind(dispute('ACCEPTED')), 'chargeback');
      assert.equal(await kind(dispute('CANCELED')), 'refund');
      assert.equal(await kind({ status: 400, json: { error: 'Dispute not found' } }), 'refund');
      // A return of long ago is not that of a dispute which is still open; a new one may be.
      assert.equal(await kind(dispute('OPENED')), 'refund');
      const justNow = { ...foreign, time: new Date().toISOString() };
      assert.equal(await reversals([justNow], { [DISPUTE]: dispute('OPENED') }), 'dispute_open');
      assert.equal(await kind(dispute('FROZEN')), 'unknown_dispute_state');
      assert.equal(await kind(dispute('ACCEPTED', `${E2E}x`)), 'answer_of_another_dispute');
      assert.equal(await kind({ status: 500, json: {} }), 'http_500');
    });

    it('reported as sent back, and no return explains it → ours by its reference, or unknown', async () => {
      const alone = { json: { pixTransactionRefund: { ...ours, status: 'REFUNDED' } } };
      assert.equal((await reversals([], { [`GET /refund/${REFERENCE}`]: alone }))?.length, 1);
      assert.equal(
        await reversals([], { [`GET /refund/${REFERENCE}`]: { status: 400, json: { error: 'Refund not found' } } }),
        'return_not_listed',
      );
    });

    it('twice, or in a state of tomorrow → unknown', async () => {
      assert.equal(await reversals([ours, ours]), 'duplicate_return');
      assert.equal(await reversals([{ ...ours, status: 'FROZEN' }]), 'unknown_return_state');
    });

    const GET = `GET /refund/${REFERENCE}`;
    const NONE = { status: 400, json: { error: 'Refund not found' } };
    /** Before it is asked for there is none. */
    const ask = (says: Record<string, object>) => {
      woovi.says = { [GET]: NONE, ...says } as FakeWoovi['says'];
      return woovi.provider().requestReversal({ endToEndId: E2E, reference: REFERENCE, amountMinor: 5_000n });
    };
    const asked = () => woovi.requests.filter(({ method }) => method === 'POST');
    const pending = { ...ours, status: 'IN_PROCESSING' };

    it('asked for by end-to-end id, under our reference → accepted', async () => {
      const outcome = await ask({ 'POST /refund': { json: { refund: pending } } });
      assert.deepEqual(asked()[0]?.body, { transactionEndToEndId: E2E, correlationID: REFERENCE, value: 5_000 });
      assert.ok(outcome.kind === 'accepted' && outcome.reversal.status === 'pending');
    });

    it('requested before → the first one is reported, and no second is requested', async () => {
      const outcome = await ask({ [GET]: { json: { pixTransactionRefund: { ...ours, status: 'REFUNDED' } } } });
      assert.ok(outcome.kind === 'accepted' && outcome.reversal.status === 'done');
      assert.deepEqual(asked(), []);
    });

    it('whether it was asked for before is not reported → unknown, and none is asked for', async () => {
      for (const [say, reason] of [
        [{ status: 500, json: {} }, 'http_500'],
        [{ status: 400, json: { error: 'Something else' } }, 'http_400'],
      ] as const)
        assert.equal(reasonOf(await ask({ [GET]: say })), reason);
      assert.deepEqual(asked(), []);
    });

    it('the documented example, which has neither state nor time → asked for, and no more', async () => {
      const { value, endToEndId: returnIdentification } = ours;
      const example = { value, correlationID: REFERENCE, refundId: 'r1', returnIdentification, comment: 'x' };
      const outcome = await ask({ [GET]: { json: { pixTransactionRefund: example } } });
      assert.ok(outcome.kind === 'accepted', reasonOf(outcome));
      const { status, returnId, at } = outcome.reversal;
      assert.deepEqual([status, returnId], ['pending', returnIdentification]);
      assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
      // A payment that is reported as sent back is not explained by it.
      assert.equal(await reversals([], { [GET]: { json: { pixTransactionRefund: example } } }), 'return_not_listed');
    });

    it('refused → never final by its words: only the return’s own state is', async () => {
      const no = { status: 400, json: { error: 'Transação já reembolsada' } };
      const found = (status: string) => ({ json: { pixTransactionRefund: { ...ours, status } } });
      assert.equal(reasonOf(await ask({ 'POST /refund': no, [GET]: { status: 500, json: {} } })), 'http_500');
      assert.equal(reasonOf(await ask({ 'POST /refund': no })), 'http_400');
      const refused = await ask({ 'POST /refund': no, [GET]: found('NOT_ACCOMPLISHED') });
      assert.ok(refused.kind === 'accepted' && refused.reversal.status === 'refused');
      assert.equal(reasonOf(await ask({ 'POST /refund': { json: { refund: foreign } } })), 'answer_of_another_return');
    });
  });
});
