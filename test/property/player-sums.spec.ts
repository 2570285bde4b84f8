// The kept sums of a player give a decision the same facts as reading every payment one by one, after any history:
// payments that became void, were paid back or decided again, at the edges of every window.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withAmounts } from '../../domain/money.js';
import { DEPOSIT_STATUSES } from '../../domain/payments/deposit.js';
import type { DepositFacts } from '../../domain/rules/deposit-rules.js';
import type { WithdrawalFacts } from '../../domain/rules/withdrawal-rules.js';
import { DEPOSIT_PHASES } from '../../domain/payments/deposit.js';
import { WITHDRAWAL_PHASES } from '../../domain/payments/withdrawal.js';
import { WITHDRAWAL_STATUSES } from '../../domain/payments/withdrawal.js';
import type { Deposit, Withdrawal } from '../../prisma/generated/client.js';
import { deviceHash, ipHash, pixKeyHash } from '../../store/sealing/sealer.js';
import { AT, CPF, OTHER_CPF, sealer, World } from '../integration/rules/world.js';
import { runs, SEED, timeoutFor } from '../support/properties.js';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const ago = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();
const NAMES = ['one@player.test', 'two@player.test', 'three@player.test'] as const;
const IPS = ['203.0.113.1', '203.0.113.2'] as const;
const DEVICES = ['device-1', 'device-2'] as const;
const PAYERS = [CPF, OTHER_CPF, '12345678909'] as const;

/** Any minute of forty days, and both sides of every edge. */
const times = fc.oneof(
  fc.integer({ min: 0, max: 40 * 1_440 }).map((minutes) => ago(minutes * MINUTE_MS)),
  fc
    .tuple(fc.constantFrom(24 * HOUR_MS, 26 * HOUR_MS, 7 * DAY_MS, 30 * DAY_MS), fc.constantFrom(-1, 0, 1))
    .map(([elapsed, aside]) => ago(elapsed + aside)),
  fc
    .tuple(fc.constantFrom('2026-11-14', '2026-11-15', '2026-10-22', '2026-10-23'), fc.constantFrom(-1, 0, 1))
    .map(([day, aside]) => new Date(Date.parse(day) + aside).toISOString()),
);
const common = {
  createdAt: times,
  amountMinor: fc.integer({ min: 1, max: 9_999 }).map(BigInt),
  currency: fc.constantFrom('BRL', 'BRL', 'BRL', 'USD'),
  ref: fc.constantFrom('player-1', 'player-1', 'player-1', 'player-2'),
};
const payments = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('deposit' as const),
      ...common,
      statuses: fc.array(fc.constantFrom(...DEPOSIT_STATUSES), { minLength: 1, maxLength: 3 }),
      payer: fc.option(fc.constantFrom(...PAYERS), { nil: undefined }),
      paidLater: fc.constantFrom(0, MINUTE_MS, 8 * DAY_MS),
      /** Of a whole, in thousandths. */
      wentBack: fc.constantFrom(0, 0, 250, 999),
    }),
    fc.record({
      kind: fc.constant('withdrawal' as const),
      ...common,
      statuses: fc.array(fc.constantFrom(...WITHDRAWAL_STATUSES), { minLength: 1, maxLength: 3 }),
      key: fc.constantFrom(...NAMES),
      ip: fc.constantFrom(null, ...IPS),
      device: fc.constantFrom(null, ...DEVICES),
    }),
  ),
  { maxLength: 24 },
);
type Payment = (typeof payments extends fc.Arbitrary<infer Many extends readonly unknown[]> ? Many : never)[number];

describe(`kept sums of a player (seed ${SEED})`, () => {
  let world: World;
  before(async () => (world = await World.create('America/Sao_Paulo')));
  after(() => world.destroy());

  it('are what a reading of the rows gives, for deposits, new withdrawals and stored ones', async function () {
    this.timeout(timeoutFor(60_000));
    await fc.assert(
      fc.asyncProperty(payments, fc.nat(), async (history, chosen) => {
        await world.anew();
        for (const payment of history) await write(payment);
        const [deposits, withdrawals] = await stored();
        const mine = withdrawals.filter(({ playerRef }) => playerRef === 'player-1');
        const own = mine[chosen % (mine.length + 1)] ?? null;
        const asked = await withdrawalFacts(own);
        assert.deepEqual(asked, readWithdrawal(world.operationId, asked, deposits, mine, own));
        const order = world.depositOrder();
        await world.rules.decideDeposit({ order, at: AT });
        const { history: kept } = (await factsOf(order.id)) as unknown as DepositFacts;
        assert.deepEqual(kept, readDeposits(deposits));
      }),
      runs(100),
    );
  });

  it('know the phase of every status as the domain does', async () => {
    for (const [status, phase] of Object.entries({ ...DEPOSIT_PHASES, ...WITHDRAWAL_PHASES })) {
      const [row] = await world.database.$queryRaw<{ found: string }[]>`SELECT phase_of(${status}) AS found`;
      assert.equal(row?.found, phase, status);
    }
  });

  async function write(payment: Payment): Promise<void> {
    const { kind, statuses } = payment;
    const [first = '', ...next] = statuses as readonly string[];
    if (kind === 'deposit') {
      const { payer, ...rest } = payment;
      const id = await world.deposit({ ...rest, status: first, ...(payer === undefined ? {} : { payer }) });
      const paidAt = new Date(Date.parse(payment.createdAt) + payment.paidLater);
      for (const status of next)
        await world.database.deposit.update({
          where: { id },
          data: { status, ...(status === 'paid' ? { paidAt, paidAmountMinor: payment.amountMinor.toString() } : {}) },
        });
      const returnedMinor = Math.floor((Number(payment.amountMinor) * payment.wentBack) / 1_000);
      await world.database.deposit.update({ where: { id }, data: { returnedMinor } });
      return;
    }
    const key = { type: 'email', value: payment.key } as const;
    const id = await world.withdrawal({ ...payment, key, status: first });
    for (const status of next) await world.database.withdrawal.update({ where: { id }, data: { status } });
  }

  /** In the order in which they were stored. */
  function stored(): Promise<[Deposit[], Withdrawal[]]> {
    const all = { where: { operationId: world.operationId }, orderBy: { sequence: 'asc' } } as const;
    return Promise.all([world.database.deposit.findMany(all), world.database.withdrawal.findMany(all)]);
  }

  async function withdrawalFacts(own: Withdrawal | null): Promise<WithdrawalFacts> {
    const order = world.withdrawalOrder({
      ...(own === null ? {} : { id: own.id }),
      key: { type: 'email', value: NAMES[0] },
      ip: IPS[0],
      device: DEVICES[0],
    });
    const stage = own === null ? 'creation' : 'dict';
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'match', stage });
    return (await factsOf(order.id)) as unknown as WithdrawalFacts;
  }

  async function factsOf(objectId: string): Promise<unknown> {
    const [decision] = await world.database.decision.findMany({ where: { objectId } });
    return withAmounts(decision?.facts);
  }
});

interface Row {
  readonly amountMinor: { toFixed(): string };
  readonly currency: string;
  readonly createdAt: Date;
}
type Time = (row: { createdAt: Date; paidAt: Date | null }) => Date;

const created: Time = ({ createdAt }) => createdAt;
const isSince = (time: Date, ms: number, at = AT) => time.getTime() > Date.parse(at) - ms;
const isReal = ({ currency }: Row) => currency === 'BRL';
const sumOf = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + BigInt(row.amountMinor.toFixed()), 0n);
const windowOf = (rows: readonly Row[], days: number) => {
  const inside = rows.filter(({ createdAt }) => isSince(createdAt, days * DAY_MS));
  return { amountMinor: sumOf(inside), count: inside.length };
};
const newest = (rows: readonly (Row & { paidAt: Date | null })[], time: Time) =>
  rows
    .map((row) => ({ at: time(row).toISOString(), amountMinor: BigInt(row.amountMinor.toFixed()) }))
    .sort((one, two) => two.at.localeCompare(one.at) || Number(one.amountMinor) - Number(two.amountMinor));
const isSame = (one: Uint8Array | null, two: Uint8Array | null) =>
  one !== null && two !== null && Buffer.from(one).equals(Buffer.from(two));
const hex = (hash: Uint8Array | null) => Buffer.from(hash ?? []).toString('hex');

/** The facts of the request as they are, and those of history as a reading of the rows has them. */
function readWithdrawal(
  operationId: string,
  facts: WithdrawalFacts,
  deposits: readonly Deposit[],
  withdrawals: readonly Withdrawal[],
  own: Withdrawal | null,
): WithdrawalFacts {
  const mine = withdrawals.filter(({ sequence }) => own === null || sequence < own.sequence);
  const counted = mine.filter(({ status }) => phaseOf(WITHDRAWAL_PHASES, status) !== 'void');
  const real = counted.filter(isReal);
  const key: Uint8Array = pixKeyHash(sealer, operationId, NAMES[0], 'email');
  const withKey = counted.filter(({ destinationHash }) => isSame(destinationHash, key));
  const firstUse = Math.min(...withKey.map(({ createdAt }) => createdAt.getTime()));
  const settled = deposits.filter(({ status }) => phaseOf(DEPOSIT_PHASES, status) === 'settled');
  const paidIn = settled.filter((row) => row.playerRef === 'player-1' && isReal(row));
  const lately = paidIn.filter(({ paidAt }) => isSince(paidAt ?? assert.fail(), 30 * DAY_MS));
  const payers = new Set(paidIn.map((row) => hex(row.payerDocumentHash)).filter((hash) => hash !== ''));
  const others = settled.filter((row) => row.playerRef !== 'player-1' && payers.has(hex(row.payerDocumentHash)));
  const createdAt = own?.createdAt.toISOString() ?? AT;
  return {
    ...facts,
    createdAt,
    settledDepositCount: paidIn.length,
    settledDepositsMinor: paidIn.reduce(
      (sum, row) => sum + BigInt(row.amountMinor.toFixed()) - BigInt(row.returnedMinor.toFixed()),
      0n,
    ),
    paidWithdrawalCount: mine.filter(({ status }) => phaseOf(WITHDRAWAL_PHASES, status) === 'settled').length,
    countedWithdrawalsMinor: sumOf(real),
    recentWithdrawals: newest(
      real.filter((row) => isSince(row.createdAt, 26 * HOUR_MS, createdAt)),
      created,
    ).sort((one, two) => one.at.localeCompare(two.at) || Number(one.amountMinor) - Number(two.amountMinor)),
    keyFirstUsedAt: withKey.length === 0 ? null : new Date(firstUse).toISOString(),
    keyPaidBefore: withKey.some(({ status }) => phaseOf(WITHDRAWAL_PHASES, status) === 'settled'),
    hadOtherKeyBefore: mine.some((row) => !isSame(row.destinationHash, key) && row.createdAt.getTime() < firstUse),
    ipSeenBefore: mine.some((row) => isSame(row.ipHash, ipHash(sealer, operationId, IPS[0]))),
    deviceSeenBefore: mine.some((row) => isSame(row.deviceHash, deviceHash(sealer, operationId, DEVICES[0]))),
    risk: {
      ...facts.risk,
      windows: { d7: windowOf(real, 7), d30: windowOf(real, 30) },
      withdrawals: newest(
        real.filter((row) => isSince(row.createdAt, 30 * DAY_MS)),
        created,
      ),
      requestedAt: newest(
        mine.filter((row) => isSince(row.createdAt, DAY_MS)),
        created,
      ).map(({ at }) => at),
      destinations30d: new Set([
        hex(key),
        ...mine.filter((row) => isSince(row.createdAt, 30 * DAY_MS)).map((row) => hex(row.destinationHash)),
      ]).size,
      deposits: newest(lately, ({ paidAt }) => paidAt ?? assert.fail()),
      payers30d: new Set(lately.map((row) => hex(row.payerDocumentHash)).filter((hash) => hash !== '')).size,
      playersOfPayers: new Set(others.map(({ playerRef }) => playerRef)).size + 1,
    },
  };
}

function readDeposits(deposits: readonly Deposit[]): DepositFacts['history'] {
  const real = deposits.filter((row) => row.playerRef === 'player-1' && isReal(row));
  const counted = real.filter(({ status }) => phaseOf(DEPOSIT_PHASES, status) !== 'void');
  return {
    recent: newest(
      counted.filter((row) => isSince(row.createdAt, 26 * HOUR_MS)),
      created,
    ),
    windows: { d7: windowOf(counted, 7), d30: windowOf(counted, 30) },
    unpaidAt: newest(
      real.filter((row) => row.paidAt === null && isSince(row.createdAt, DAY_MS)),
      created,
    ).map(({ at }) => at),
  };
}

function phaseOf(table: Readonly<Record<string, string>>, status: string): string {
  return table[status] ?? assert.fail(`${status} has no phase`);
}
