// Every row of the sentinel table does what it says. The record below has one entry for each row: a row without a
// test, or a test without a row, fails.
import assert from 'node:assert/strict';
import type { ChargeOutcome, PayoutLookup, PayoutOutcome, SlotName, ReceivedPix } from '../../../providers/port.js';
import { SENTINELS, type Sentinel } from '../../../sandbox/simulator/behaviours.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { aCharge, ANA, aPayout, aWhile, BETO, newReference, openBench, type Bench } from './harness.js';

const PROVIDERS: readonly SlotName[] = ['simulator', 'a', 'b'];

let bench: Bench;
before(async () => {
  bench = await openBench();
  // With tokens in hand, what runs out of time is the call itself.
  for (const name of PROVIDERS)
    await eventually(
      async () => (await bench.impatient(name).lookUpCharge(newReference())).kind === 'not_found',
      'a token',
    );
});
after(() => bench.close());

/** Rows whose first answer is too late or never comes. */
const RUNS_OUT_OF_TIME = new Set(['slow', 'very slow', 'timeout but accepted']);

const UNKNOWN_OF = (reason: string) => ({ kind: 'unknown', reason });

interface DepositRun {
  readonly name: SlotName;
  readonly reference: string;
  readonly created: ChargeOutcome;
  again(): Promise<ChargeOutcome>;
  pay(): Promise<void>;
  payments(): Promise<readonly ReceivedPix[]>;
  callbacks(): number;
}
interface PayoutRun {
  readonly name: SlotName;
  readonly reference: string;
  readonly sent: PayoutOutcome;
  found(): Promise<PayoutLookup>;
  settles(status: 'paid' | 'failed'): Promise<Extract<PayoutLookup, { kind: 'found' }>>;
  callbacks(): number;
}
type KeyRun = (name: SlotName, key: { type: 'email' | 'phone' | 'random'; value: string }) => Promise<void>;

const paidInFull = async (run: DepositRun) => {
  await run.pay();
  const [payment] = await run.payments();
  assert.ok(payment);
  return payment;
};
const isProcessing = async (run: PayoutRun) => {
  const found = await run.found();
  assert.ok(found.kind === 'found');
  assert.equal(found.payout.status, 'processing');
};
const accepted = (run: PayoutRun) => {
  assert.ok(run.sent.kind === 'reply');
  assert.equal(run.sent.payout.status, 'processing');
};

const DEPOSITS: Record<string, (run: DepositRun, amountMinor: bigint) => Promise<void>> = {
  slow: async (run) => {
    assert.deepEqual(run.created, UNKNOWN_OF('timeout'));
    assert.equal((await run.again()).kind, 'created');
  },
  'very slow': async (run) => {
    assert.deepEqual(run.created, UNKNOWN_OF('timeout'));
    assert.equal((await run.again()).kind, 'created');
  },
  refused: async (run) => {
    assert.deepEqual(run.created, {
      kind: 'refused',
      code: { simulator: 'cob_operacao_invalida', a: 'cobranca_recusada', b: 'charge_refused' }[run.name],
    });
    assert.deepEqual(await bench.providers(run.name).lookUpCharge(run.reference), { kind: 'not_found' });
  },
  'timeout but accepted': async (run) => {
    assert.deepEqual(run.created, UNKNOWN_OF('timeout'));
    assert.equal((await run.again()).kind, 'created');
  },
  'duplicate callbacks': async (run) => {
    await run.pay();
    await eventually(() => run.callbacks() === 5, 'five callbacks');
    await aWhile();
    assert.equal(run.callbacks(), 5);
  },
  'callback before the answer': async (run) => {
    // The harness records the count when the answer arrives.
    assert.equal(run.created.kind, 'created');
    assert.equal(run.callbacks(), 1);
    assert.equal((await run.payments()).length, 1);
  },
  'callback lost': async (run) => {
    await paidInFull(run);
    await aWhile();
    assert.equal(run.callbacks(), 0);
  },
  'unknown payer': async (run) => assert.equal((await paidInFull(run)).payer, null),
  'another payer': async (run) => {
    const { payer } = await paidInFull(run);
    if (run.name === 'b') assert.equal(payer, null);
    else assert.deepEqual(payer?.document, { type: 'CPF', number: BETO.number });
  },
  'no sandbox marker': async (run) => {
    assert.ok(run.created.kind === 'created');
    assert.equal(run.created.charge.sandboxMarker, false);
  },
  'pays itself': async (run, amountMinor) => {
    assert.equal(run.created.kind, 'created');
    await eventually(() => run.callbacks() === 1, 'the callback');
    const [payment] = await run.payments();
    assert.equal(payment?.amountMinor, amountMinor);
    if (run.name !== 'b') assert.equal(payment?.payer?.document?.number, ANA.number);
  },
  'another amount': async (run, amountMinor) => assert.equal((await paidInFull(run)).amountMinor, amountMinor - 1n),
  'reset after acceptance': async (run) => {
    assert.deepEqual(run.created, UNKNOWN_OF('connection_reset'));
    assert.equal((await run.again()).kind, 'created');
  },
  '500 after acceptance': async (run) => {
    assert.deepEqual(run.created, UNKNOWN_OF('http_500'));
    assert.equal((await run.again()).kind, 'created');
  },
  'return refused': async (run) => {
    const { endToEndId, amountMinor } = await paidInFull(run);
    const request = { endToEndId, reference: newReference(), amountMinor };
    await bench.providers(run.name).requestReversal(request);
    await eventually(async () => {
      const outcome = await bench.providers(run.name).requestReversal(request);
      return outcome.kind === 'accepted' && outcome.reversal.status === 'refused';
    }, 'the return is refused');
  },
};

const PAYOUTS: Record<string, (run: PayoutRun) => Promise<void>> = {
  'settles in the answer': async (run) => {
    assert.ok(run.sent.kind === 'reply');
    assert.equal(run.sent.payout.status, 'paid');
    assert.ok(run.sent.payout.endToEndId && run.sent.payout.paidAt);
    await aWhile();
    assert.equal(run.callbacks(), 0);
  },
  'settles by callback': async (run) => {
    accepted(run);
    await eventually(() => run.callbacks() === 1, 'the callback');
    await run.settles('paid');
  },
  'timeout but accepted': async (run) => {
    assert.deepEqual(run.sent, UNKNOWN_OF('timeout'));
    await isProcessing(run);
  },
  'rejected in the answer': async (run) => {
    assert.ok(run.sent.kind === 'reply');
    assert.deepEqual(
      { ...run.sent.payout, endToEndId: null },
      {
        reference: run.reference,
        status: 'failed',
        endToEndId: null,
        failureCode: 'AC03',
        paidAt: null,
        returns: [],
        feeMinor: null,
      },
    );
    const { payout } = await run.settles('failed');
    assert.equal(payout.failureCode, 'AC03');
    assert.equal(run.callbacks(), 0);
  },
  'fails later': async (run) => {
    accepted(run);
    await eventually(() => run.callbacks() === 1, 'the callback');
    assert.equal((await run.settles('failed')).payout.failureCode, 'AM02');
  },
  'duplicate callbacks': async (run) => {
    accepted(run);
    await eventually(() => run.callbacks() === 5, 'five callbacks');
    await run.settles('paid');
    await aWhile();
    assert.equal(run.callbacks(), 5);
  },
  'callback before the answer': async (run) => {
    accepted(run);
    assert.equal(run.callbacks(), 1);
    await run.settles('paid');
  },
  'reset after acceptance': async (run) => {
    assert.deepEqual(run.sent, UNKNOWN_OF('connection_reset'));
    await isProcessing(run);
  },
  '500 after acceptance': async (run) => {
    assert.deepEqual(run.sent, UNKNOWN_OF('http_500'));
    await isProcessing(run);
  },
  slow: async (run) => {
    assert.deepEqual(run.sent, UNKNOWN_OF('timeout'));
    await isProcessing(run);
  },
  'callback lost': async (run) => {
    accepted(run);
    await run.settles('paid');
    await aWhile();
    assert.equal(run.callbacks(), 0);
  },
  '500 without acceptance': async (run) => {
    assert.deepEqual(run.sent, UNKNOWN_OF('http_500'));
    assert.deepEqual(await run.found(), { kind: 'not_found' });
  },
  'rate limited': async (run) => {
    assert.deepEqual(run.sent, UNKNOWN_OF('http_429'));
    assert.deepEqual(await run.found(), { kind: 'not_found' });
  },
  returned: async (run) => {
    assert.ok(run.sent.kind === 'reply' && run.sent.payout.status === 'paid' && run.sent.payout.returns.length === 0);
    await eventually(async () => {
      const found = await run.found();
      return found.kind === 'found' && found.payout.returns[0]?.code === 'BE01';
    }, 'the return');
    await eventually(() => run.callbacks() === 2, 'callbacks of payment and return');
  },
  'fails by the answer only': async (run) => {
    assert.deepEqual(run.sent, UNKNOWN_OF(run.name === 'a' ? 'http_422' : 'failure_not_final'));
    await eventually(() => run.callbacks() === 1, 'the callback');
    await run.settles('paid');
  },
};

const KEYS: Record<string, KeyRun> = {
  'directory down': async (name, key) =>
    assert.deepEqual(await bench.providers(name).lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA }), {
      kind: 'unavailable',
      reason: 'http_503',
      retryAfterSeconds: 5,
    }),
  'directory slow': async (name, key) =>
    assert.deepEqual(await bench.impatient(name).lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA }), {
      kind: 'unavailable',
      reason: 'timeout',
      retryAfterSeconds: null,
    }),
  'directory recovers': async (name, key) => {
    const kinds: string[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1)
      kinds.push((await bench.providers(name).lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA })).kind);
    assert.deepEqual(kinds, ['unavailable', 'unavailable', 'unavailable', 'match']);
  },
  'other holder': async (name, key) => {
    assert.deepEqual(await bench.providers(name).lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA }), {
      kind: 'mismatch',
    });
    assert.deepEqual(await bench.providers(name).lookUpKeyOwner({ operationId: 'op_1', key, expected: BETO }), {
      kind: 'mismatch',
    });
  },
  'no such key': async (name, key) =>
    assert.deepEqual(await bench.providers(name).lookUpKeyOwner({ operationId: 'op_1', key, expected: ANA }), {
      kind: 'no_such_key',
    }),
};

const firstCaller = (name: SlotName, row: string) =>
  (RUNS_OUT_OF_TIME.has(row) ? bench.impatient : bench.providers)(name);

async function runDeposit(
  name: SlotName,
  row: string,
  amountMinor: bigint,
  check: (run: DepositRun, amountMinor: bigint) => Promise<void>,
): Promise<void> {
  const provider = bench.providers(name);
  const request = aCharge({ amountMinor });
  const created = await firstCaller(name, row).createCharge(request);
  await check(
    {
      name,
      reference: request.reference,
      created,
      again: () => provider.createCharge(request),
      async pay() {
        const result = await bench.steering.payCharge(name, request.reference, {
          amountMinor: null,
          payerDocument: null,
        });
        assert.equal(result.kind, 'done');
      },
      async payments() {
        const found = await provider.lookUpCharge(request.reference);
        assert.ok(found.kind === 'found');
        return found.payments;
      },
      callbacks: () => bench.noticesOf(request.reference).filter((notice) => notice.kind === 'charge').length,
    },
    amountMinor,
  );
  const { charges } = await bench.books(request.reference);
  assert.ok(charges.length <= 1, 'a reference never has two charges');
}

async function runPayout(
  name: SlotName,
  row: string,
  amountMinor: bigint,
  check: (run: PayoutRun) => Promise<void>,
): Promise<void> {
  const provider = bench.providers(name);
  const request = aPayout({ amountMinor });
  const sent = await firstCaller(name, row).sendPayout(request);
  const found = () => provider.lookUpPayout(request);
  await check({
    name,
    reference: request.reference,
    sent,
    found,
    settles: (status) =>
      eventually(async () => {
        const lookup = await found();
        return lookup.kind === 'found' && lookup.payout.status === status ? lookup : undefined;
      }, `the payout is ${status}`),
    callbacks: () => bench.noticesOf(request.reference).filter((notice) => notice.kind === 'payout').length,
  });
  const { payouts } = await bench.books(request.reference);
  assert.equal(payouts[0]?.['sends'], 1, 'the adapter sends once, whatever happens');
}

function titleOf(row: Sentinel): string {
  return `${row.subject} ${row.subject === 'key' ? Object.values(row.keys)[0] : row.amountMinor}: ${row.does}`;
}

describe('sentinel table', () => {
  const rowNames = (subject: Sentinel['subject']) =>
    SENTINELS.filter((row) => row.subject === subject)
      .map((row) => row.name)
      .sort();

  it('has one test for each row', () => {
    assert.deepEqual(Object.keys(DEPOSITS).sort(), rowNames('deposit'));
    assert.deepEqual(Object.keys(PAYOUTS).sort(), rowNames('payout'));
    assert.deepEqual(Object.keys(KEYS).sort(), rowNames('key'));
  });

  it('uses each amount and each key once, amounts between 66601 and 66699', () => {
    const triggers = SENTINELS.flatMap((row) =>
      row.subject === 'key' ? Object.values(row.keys) : [row.amountMinor.toString()],
    );
    assert.equal(new Set(triggers).size, triggers.length);
    for (const row of SENTINELS)
      if (row.subject !== 'key') assert.ok(row.amountMinor >= 66601n && row.amountMinor <= 66699n, row.name);
  });

  for (const row of SENTINELS) {
    for (const name of PROVIDERS) {
      it(`${titleOf(row)} (${name})`, async () => {
        switch (row.subject) {
          case 'deposit':
            return runDeposit(name, row.name, row.amountMinor, DEPOSITS[row.name] ?? assert.fail('no test'));
          case 'payout':
            return runPayout(name, row.name, row.amountMinor, PAYOUTS[row.name] ?? assert.fail('no test'));
          case 'key':
            for (const [type, value] of Object.entries(row.keys))
              await (KEYS[row.name] ?? assert.fail('no test'))(name, {
                type: type as 'email' | 'phone' | 'random',
                value,
              });
        }
      });
    }
  }
});
