// Returned payouts: only completed returns count, and exactly the amounts that the provider states.
import assert from 'node:assert/strict';
import { SLOTS, type SlotName } from '../../../providers/port.js';
import { E2E, openFakePsp, plainly, type FakePsp } from './fake-psp.js';

const REFERENCE = 'c'.repeat(32);
const AMOUNT_MINOR = 7_500n;

interface ReportedReturn {
  readonly id?: string;
  readonly amountMinor: number;
  readonly state: 'pending' | 'done' | 'refused' | 'odd';
  readonly at?: string;
  readonly code?: string;
}
interface Shape {
  readonly states: Record<'processing' | 'paid' | 'failed' | 'returned', string>;
  readonly payout: (state: string, returns: readonly ReportedReturn[] | undefined) => unknown;
}

const valor = (amountMinor: number) => (amountMinor / 100).toFixed(2);
const AT = '2026-03-06T12:00:00.000Z';
const IN_PORTUGUESE = {
  processing: 'EM_PROCESSAMENTO',
  paid: 'REALIZADO',
  failed: 'NAO_REALIZADO',
  returned: 'DEVOLVIDO',
};
const devolucoes = (returns: readonly ReportedReturn[] | undefined) =>
  returns?.map(({ id = 'D1', amountMinor, state, at = AT, code }) => ({
    id,
    valor: valor(amountMinor),
    status: { pending: 'EM_PROCESSAMENTO', done: 'DEVOLVIDO', refused: 'NAO_REALIZADO', odd: 'TALVEZ' }[state],
    horario: { solicitacao: '2026-03-06T11:59:00Z', ...(state === 'done' ? { liquidacao: at } : {}) },
    codigo: code,
  }));
const SHAPES: Record<SlotName, Shape> = {
  simulator: {
    states: IN_PORTUGUESE,
    payout: (status, returns) => ({
      idEnvio: REFERENCE,
      valor: '75.00',
      status,
      endToEndId: E2E,
      motivo: status === 'NAO_REALIZADO' ? { codigo: 'AC03' } : undefined,
      horario: { solicitacao: '2026-03-05T12:00:00Z', liquidacao: '2026-03-05T12:00:05Z' },
      devolucoes: devolucoes(returns),
    }),
  },
  a: {
    states: IN_PORTUGUESE,
    payout: (status, returns) => ({
      idEnvio: REFERENCE,
      valor: '75.00',
      status,
      e2eId: E2E,
      codigoErro: status === 'NAO_REALIZADO' ? 'AC03' : undefined,
      dataLiquidacao: '2026-03-05T12:00:05Z',
      devolucoes: devolucoes(returns),
    }),
  },
  b: {
    states: { processing: 'PROCESSING', paid: 'CONFIRMED', failed: 'FAILED', returned: 'RETURNED' },
    payout: (status, returns) => ({
      payment: {
        correlationID: REFERENCE,
        value: 7500,
        status,
        endToEndId: E2E,
        errorCode: status === 'FAILED' ? 'AC03' : undefined,
        confirmedAt: '2026-03-05T12:00:05Z',
        refunds: returns?.map(({ id = 'D1', amountMinor, state, at = AT, code }) => ({
          refundId: id,
          value: amountMinor,
          status: { pending: 'IN_PROCESSING', done: 'REFUNDED', refused: 'NOT_ACCOMPLISHED', odd: 'MAYBE' }[state],
          time: at,
          errorCode: code,
        })),
      },
    }),
  },
};

let psp: FakePsp;
beforeEach(async () => {
  psp = await openFakePsp();
});
afterEach(() => psp.close());

for (const name of SLOTS) {
  describe(`returned payouts of ${name}`, () => {
    const { states, payout } = SHAPES[name];
    const lookUp = (state: keyof Shape['states'], returns?: readonly ReportedReturn[]) => {
      psp.next = [{ json: payout(states[state], returns) }];
      return plainly(psp.provider(name).lookUpPayout({ reference: REFERENCE, amountMinor: AMOUNT_MINOR }));
    };
    const returnedOf = async (state: keyof Shape['states'], returns?: readonly ReportedReturn[]) => {
      const found = await lookUp(state, returns);
      assert.ok(found.kind === 'found' && found.payout.status === 'paid', JSON.stringify(found, String));
      return found.payout.returns;
    };

    it('paid without returns → nothing came back', async () => {
      assert.deepEqual(await returnedOf('paid'), []);
      assert.deepEqual(await returnedOf('paid', []), []);
    });
    it('the whole', async () =>
      assert.deepEqual(await returnedOf('returned', [{ id: 'D1', amountMinor: 7_500, state: 'done', code: 'BE01' }]), [
        { reference: 'D1', at: AT, code: 'BE01', amountMinor: 7_500n },
      ]));
    it('a part, whatever the provider calls the state of the payout', async () => {
      for (const state of ['paid', 'returned'] as const)
        assert.deepEqual(await returnedOf(state, [{ id: 'D1', amountMinor: 2_001, state: 'done' }]), [
          { reference: 'D1', at: AT, code: null, amountMinor: 2_001n },
        ]);
    });
    it('two parts, each with its id, in the order of their times', async () => {
      const later = '2026-03-07T12:00:00.000Z';
      assert.deepEqual(
        await returnedOf('returned', [
          { id: 'D2', amountMinor: 5_499, state: 'done', at: later, code: 'MD06' },
          { id: 'D1', amountMinor: 2_001, state: 'done', code: 'BE01' },
        ]),
        [
          { reference: 'D1', at: AT, code: 'BE01', amountMinor: 2_001n },
          { reference: 'D2', at: later, code: 'MD06', amountMinor: 5_499n },
        ],
      );
    });
    it('returns that are pending or were not done do not count', async () => {
      assert.deepEqual(await returnedOf('paid', [{ amountMinor: 7_500, state: 'pending' }]), []);
      assert.deepEqual(await returnedOf('paid', [{ amountMinor: 7_500, state: 'refused' }]), []);
      assert.deepEqual(
        await returnedOf('paid', [
          { id: 'D1', amountMinor: 2_000, state: 'done' },
          { id: 'D2', amountMinor: 3_000, state: 'pending' },
          { id: 'D3', amountMinor: 2_500, state: 'refused' },
        ]),
        [{ reference: 'D1', at: AT, code: null, amountMinor: 2_000n }],
      );
    });

    const unclear: readonly (readonly [
      keyof Shape['states'],
      readonly ReportedReturn[] | undefined,
      reason: string,
    ])[] = [
      ['returned', undefined, 'returned_without_a_return'],
      ['returned', [{ amountMinor: 7_500, state: 'pending' }], 'returned_without_a_return'],
      ['returned', [{ amountMinor: 7_500, state: 'odd' }], 'unknown_return_state'],
      ['paid', [{ amountMinor: 7_501, state: 'done' }], 'returned_more_than_sent'],
      [
        'paid',
        [
          { id: 'D1', amountMinor: 3_750, state: 'done' },
          { id: 'D1', amountMinor: 3_750, state: 'done' },
        ],
        'duplicate_return',
      ],
      ['processing', [{ amountMinor: 7_500, state: 'done' }], 'returned_without_a_payment'],
      ['failed', [{ amountMinor: 7_500, state: 'done' }], 'returned_without_a_payment'],
    ];
    for (const [state, returns, reason] of unclear)
      it(`${state} with ${JSON.stringify(returns)} → unknown: ${reason}`, async () =>
        assert.deepEqual(await lookUp(state, returns), { kind: 'unknown', reason }));
    it('a return without an amount makes the answer unreadable', async () =>
      assert.deepEqual(await lookUp('paid', [{ amountMinor: Number.NaN, state: 'done' }]), {
        kind: 'unknown',
        reason: 'unreadable_answer',
      }));
  });
}
