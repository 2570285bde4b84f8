// Payouts at Woovi: what counts as sent, failed, paid or returned, and what leaves it open.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { aPayout, E2E, type FakeWoovi, openFakeWoovi, REFERENCE } from './fake-woovi.js';

const GET = `GET /payment/${REFERENCE}`;
const TRANSACTION = { value: 7_500, endToEndId: E2E, time: '2026-03-05T12:01:00.000Z' };
const payment = (status: string, more: object = {}, changed: object = {}) => ({
  json: { payment: { type: 'PIX_KEY', value: 7_500, status, correlationID: REFERENCE, ...changed }, ...more },
});

describe('payouts at Woovi', () => {
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

  const brief = (outcome: {
    kind: string;
    reason?: string;
    payout?: { status: string; failureCode: string | null; endToEndId: string | null };
  }) =>
    outcome.payout
      ? [outcome.kind, outcome.payout.status, outcome.payout.failureCode, outcome.payout.endToEndId]
      : [outcome.kind, outcome.reason];
  const send = async (say: FakeWoovi['says'][string], overrides = {}) => {
    woovi.says = { 'POST /payment': say };
    return brief(await woovi.provider().sendPayout(aPayout(overrides)));
  };
  const lookUp = async (say: FakeWoovi['says'][string], returns: unknown[] = []) => {
    woovi.says = { [GET]: say, 'GET /transaction': { json: { transactions: returns } } };
    return woovi.provider().lookUpPayout({ reference: REFERENCE, amountMinor: 7_500n });
  };

  it('creates and approves in one request, with the id of the key check', async () => {
    await send(payment('APPROVED'), { lookupEndToEndId: E2E });
    assert.deepEqual(woovi.requests[0]?.body, {
      type: 'PIX_KEY',
      correlationID: REFERENCE,
      value: 7_500,
      destinationAlias: 'ana@player.test',
      destinationAliasType: 'EMAIL',
      comment: 'Saque',
      autoApprove: true,
      pixKeyEndToEndId: E2E,
    });
  });

  for (const [title, say, expected] of [
    ['approved', payment('APPROVED'), ['reply', 'processing', null, null]],
    ['created, waiting for a person', payment('CREATED'), ['reply', 'processing', null, null]],
    ['confirmed at once', payment('CONFIRMED', { transaction: TRANSACTION }), ['reply', 'paid', null, E2E]],
    ['confirmed, without its id yet', payment('CONFIRMED'), ['unknown', 'paid_without_end_to_end_id']],
    [
      'failed for a reason that proves it',
      payment('FAILED', { transaction: { ...TRANSACTION, providerRejectedReason: 'AC03 - Conta inválida' } }),
      ['reply', 'failed', 'AC03', E2E],
    ],
    [
      'failed for a reason of Woovi’s that proves it',
      payment('FAILED', { error: { code: 'PIX_KEY_INFO_NOT_FOUND', description: 'x' } }),
      ['reply', 'failed', 'PIX_KEY_INFO_NOT_FOUND', null],
    ],
    [
      'failed by a timeout',
      payment('FAILED', { transaction: { ...TRANSACTION, providerRejectedReason: 'AB03 - Timeout' } }),
      ['unknown', 'failure_not_final'],
    ],
    ['failed without a reason', payment('FAILED'), ['unknown', 'failure_not_final']],
    ['denied', payment('DENIED'), ['unknown', 'failure_not_final']],
    ['a state of tomorrow', payment('FROZEN'), ['unknown', 'unknown_payout_state']],
    ['another amount', payment('APPROVED', {}, { value: 7_501 }), ['unknown', 'answer_of_another_payout']],
    ['another reference', payment('APPROVED', {}, { correlationID: 'b' }), ['unknown', 'answer_of_another_payout']],
    [
      'too little money: it stays in the panel, where it may be approved',
      { status: 400, json: { error: 'You do not have enough balance to make this payment' } },
      ['unknown', 'http_400'],
    ],
    [
      'sent before',
      { status: 400, json: { error: 'Já existe um pagamento com o correlationID fornecido' } },
      ['unknown', 'http_400'],
    ],
    ['any other refusal', { status: 400, json: { error: 'Chave inválida' } }, ['unknown', 'http_400']],
    [
      'no credential',
      { status: 401, json: { data: null, errors: [{ message: 'appID inválido' }] } },
      ['unknown', 'http_401'],
    ],
    ['too many', { status: 429, json: { error: 'x', errorCode: 'TOO_MANY_REQUESTS' } }, ['unknown', 'http_429']],
    ['a proxy’s page', { status: 200, text: '<html>' }, ['unknown', 'unreadable_answer']],
    ['cut', (response: ServerResponse) => response.destroy(), ['unknown', 'connection_reset']],
  ] as const)
    it(`send: ${title} → ${expected.slice(0, 2).join(' ')}`, async () => assert.deepEqual(await send(say), expected));

  it('send: nobody listens → not sent, which is proof', async () => {
    const provider = woovi.provider({}, 'http://127.0.0.1:1');
    assert.deepEqual(brief(await provider.sendPayout(aPayout())), ['not_sent', 'connection_refused']);
  });

  it('send: what Woovi cannot carry fails without a call', async () => {
    assert.deepEqual(await send(payment('APPROVED'), { amountMinor: 0n }), [
      'reply',
      'failed',
      'amount_not_supported',
      null,
    ]);
    assert.deepEqual(await send(payment('APPROVED'), { key: { type: 'cpf', value: 'x' } }), [
      'reply',
      'failed',
      'key_malformed',
      null,
    ]);
    assert.equal(woovi.requests.length, 0);
  });

  for (const [title, say, expected] of [
    ['approved', payment('APPROVED', { transaction: TRANSACTION }), ['found', 'processing', null, E2E]],
    ['confirmed', payment('CONFIRMED', { transaction: TRANSACTION }), ['found', 'paid', null, E2E]],
    ['failed, its reason reported elsewhere', payment('FAILED'), ['found', 'failed', 'payment_failed', null]],
    [
      'failed later',
      payment('FAILED', { transaction: { ...TRANSACTION, providerRejectedReason: 'ED05 - Falha' } }),
      ['found', 'failed', 'ED05', E2E],
    ],
    [
      'failed as a duplicate',
      payment('FAILED', { transaction: { ...TRANSACTION, providerRejectedReason: 'DUPL - Duplicado' } }),
      ['unknown', 'failed_as_duplicate'],
    ],
    ['denied by a person', payment('DENIED'), ['found', 'failed', 'payment_denied', null]],
    [
      'denied, yet with a transaction',
      payment('DENIED', { transaction: TRANSACTION }),
      ['unknown', 'denied_with_a_transaction'],
    ],
    ['not found', { status: 400, json: { error: 'Payment not found' } }, ['not_found', undefined]],
    ['not found, says a proxy', { status: 404, text: 'nginx' }, ['unknown', 'http_404']],
    ['other words', { status: 400, json: { error: 'Something else' } }, ['unknown', 'http_400']],
    [
      'another amount in the transaction',
      payment('CONFIRMED', { transaction: { ...TRANSACTION, value: 1 } }),
      ['unknown', 'answer_of_another_payout'],
    ],
  ] as const)
    it(`look-up: ${title} → ${expected.slice(0, 2).join(' ')}`, async () =>
      assert.deepEqual(brief(await lookUp(say)), expected));

  describe('what comes back', () => {
    const confirmed = payment('CONFIRMED', { transaction: TRANSACTION });
    const back = (id: string, value: number, time: string, changed = {}) => ({
      type: 'REFUND',
      status: 'CONFIRMED',
      endToEndId: `D${id}`.padEnd(32, '0'),
      value,
      time,
      ...changed,
    });
    const sent = { type: 'WITHDRAW', status: 'CONFIRMED', endToEndId: E2E, value: 7_500, time: TRANSACTION.time };
    const returned = async (...returns: unknown[]) => {
      const found = await lookUp(confirmed, [sent, ...returns]);
      return found.kind === 'found' ? found.payout.returns : 'reason' in found && found.reason;
    };

    it('nothing, asked by the payout’s end-to-end id', async () => {
      assert.deepEqual(await returned(), []);
      assert.ok(woovi.requests.some(({ path }) => path === `/transaction?withdrawal=${E2E}`));
    });

    it('in parts, each with its id', async () => {
      assert.deepEqual(
        await returned(
          back('2', 500, '2026-03-05T14:00:00.000Z'),
          back('1', 7_000, '2026-03-05T13:00:00.000Z'),
          back('3', 1, '2026-03-05T15:00:00.000Z', { status: 'REJECTED' }),
        ),
        [
          { reference: 'D1'.padEnd(32, '0'), at: '2026-03-05T13:00:00.000Z', code: null, amountMinor: 7_000n },
          { reference: 'D2'.padEnd(32, '0'), at: '2026-03-05T14:00:00.000Z', code: null, amountMinor: 500n },
        ],
      );
    });

    for (const status of ['CONFIRMED', 'REFUNDED'])
      it(`a return that is ${status} is done`, async () => {
        const time = '2026-03-05T14:00:00.000Z';
        const reference = 'D1'.padEnd(32, '0');
        assert.deepEqual(await returned(back('1', 500, time, { status })), [
          { reference, at: time, code: null, amountMinor: 500n },
        ]);
      });

    for (const status of ['CREATED', 'IN_PROCESSING', 'REJECTED', 'NOT_ACCOMPLISHED'])
      it(`a return that is ${status} is not`, async () =>
        assert.deepEqual(await returned(back('1', 500, TRANSACTION.time, { status })), []));

    for (const type of ['BALANCE_BLOCK', 'BALANCE_UNBLOCK', 'INTERNAL_TRANSFER', 'REVERSAL'])
      it(`${type} next to the payout says nothing about returns`, async () => {
        assert.deepEqual(await returned({ type, status: 'CONFIRMED', value: 7_500, time: TRANSACTION.time }), []);
        assert.deepEqual(woovi.drift, type === 'REVERSAL' ? ['unknown_state'] : []);
      });

    for (const status of ['REFUNDED', 'PARTIAL_REFUND'])
      it(`the payout itself is reported as ${status} → unknown without a done return, else what that says`, async () => {
        const look = async (...returns: unknown[]) => {
          const found = await lookUp(confirmed, [{ ...sent, status }, ...returns]);
          return found.kind === 'found' ? found.payout.returns[0]?.amountMinor : 'reason' in found && found.reason;
        };
        assert.equal(await look(), 'return_not_listed');
        assert.equal(await look(back('1', 500, TRANSACTION.time, { status: 'IN_PROCESSING' })), 'return_not_listed');
        assert.equal(await look(back('1', 500, TRANSACTION.time)), 500n);
      });

    for (const [title, returns, reason] of [
      [
        'a part of a return',
        [back('1', 500, TRANSACTION.time, { status: 'PARTIAL_REFUND' })],
        'unknown_transaction_state',
      ],
      ['twice', [back('1', 500, TRANSACTION.time), back('1', 500, TRANSACTION.time)], 'duplicate_return'],
      ['more than was sent', [back('1', 7_501, TRANSACTION.time)], 'returned_more_than_sent'],
      ['no id', [back('1', 500, TRANSACTION.time, { endToEndId: null })], 'return_without_an_id'],
      ['no state', [back('1', 500, TRANSACTION.time, { status: null })], 'return_without_a_state'],
      ['a state of tomorrow', [back('1', 500, TRANSACTION.time, { status: 'FROZEN' })], 'unknown_transaction_state'],
    ] as const)
      it(`${title} → unknown`, async () => assert.equal(await returned(...returns), reason));
  });
});
