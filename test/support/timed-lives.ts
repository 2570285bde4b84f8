// What time does to a payment, told once and played on two clocks: that of a time-skipping Temporal server, and that of
// an operation of the sandbox. Both must show the same moments.
import assert from 'node:assert/strict';
import { eventually } from '../../lab/harness/eventually.js';

export interface TimedPayment {
  status(): Promise<string>;
  /** When each of its events came about, RFC 3339. */
  events(): Promise<readonly { readonly type: string; readonly at: string }[]>;
}

export interface TimedDeposit extends TimedPayment {
  readonly expiresAt: string;
  /** The player pays, and the gateway looks. */
  pay(): Promise<void>;
  /** A person approves what is under review. */
  approve(): Promise<void>;
  /** The operator accepts no webhook of it any more. */
  refuseWebhooks(): void;
  /** When an event of that type was sent to the operator, RFC 3339. */
  attempts(type: string): Promise<readonly string[]>;
}

export interface TimedWithdrawal extends TimedPayment {
  readonly createdAt: string;
  reasons(): Promise<readonly string[]>;
  /** The provider tells that it has paid. */
  settle(): Promise<void>;
}

/** A gateway whose time a test moves. */
export interface TimedGateway {
  /** How late a moment may be: a server's clock runs on in real time between skips. */
  readonly latenessSeconds: number;
  advanceTo(moment: string): Promise<void>;
  /** One that is pending. */
  deposit(): Promise<TimedDeposit>;
  /** The key directory is silent about its key. */
  withdrawalOfUnknownKey(): Promise<TimedWithdrawal>;
  /** It was sent; nobody knows whether it arrived. */
  withdrawalOfUnknownOutcome(): Promise<TimedWithdrawal>;
}

/** Ten attempts: the specification's pauses before the second and each later one. */
const DELIVERY_PAUSES_SECONDS = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400];
const GRACE_SECONDS = 120;
const DIRECTORY_SECONDS = 300;
const HOUR_SECONDS = 3_600;

const after = (moment: string, seconds: number) => new Date(Date.parse(moment) + seconds * 1_000).toISOString();
const secondsFrom = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000;

/** The same tests for every clock. */
export function timedLives(open: () => TimedGateway): void {
  function assertAt(what: string, seconds: number, expected: number): void {
    const lateness = seconds - expected;
    assert.ok(lateness >= 0 && lateness <= open().latenessSeconds, `${what} after ${seconds} s, not ${expected}`);
  }
  const isSoon = async (payment: TimedPayment, status: string) =>
    eventually(async () => (await payment.status()) === status, status);

  it('nobody pays: pending until two minutes after expires_at, then expired', async () => {
    const deposit = await open().deposit();
    await open().advanceTo(after(deposit.expiresAt, GRACE_SECONDS - 1));
    assert.equal(await deposit.status(), 'pending');
    await open().advanceTo(after(deposit.expiresAt, GRACE_SECONDS + 1));
    await isSoon(deposit, 'expired');
    const expired = (await deposit.events()).find(({ type }) => type === 'deposit.expired');
    assertAt('expired', secondsFrom(deposit.expiresAt, expired?.at ?? ''), GRACE_SECONDS);
  });

  it('paid within the grace: under review, and credited by a person alone', async () => {
    const deposit = await open().deposit();
    await open().advanceTo(after(deposit.expiresAt, GRACE_SECONDS / 2));
    await deposit.pay();
    assert.equal(await deposit.status(), 'under_review');
    await open().advanceTo(after(deposit.expiresAt, HOUR_SECONDS));
    assert.equal(await deposit.status(), 'under_review', 'it does not expire');
    await deposit.approve();
    await isSoon(deposit, 'paid');
  });

  it('webhooks that nobody takes: ten attempts at the fixed pauses over two days, and no more', async () => {
    const deposit = await open().deposit();
    deposit.refuseWebhooks();
    await deposit.pay();
    await eventually(async () => (await deposit.attempts('deposit.paid')).length > 0, 'the first attempt');
    await open().advanceTo(after(deposit.expiresAt, 3 * 24 * HOUR_SECONDS));
    const moments = await deposit.attempts('deposit.paid');
    const pauses = moments.slice(1).map((moment, index) => secondsFrom(moments[index]!, moment));
    assert.equal(pauses.length, DELIVERY_PAUSES_SECONDS.length);
    for (const [index, pause] of pauses.entries())
      assertAt(`attempt ${index + 2}`, Math.round(pause), DELIVERY_PAUSES_SECONDS[index]!);
  });

  it('a silent key directory: requested for five minutes, then under review', async () => {
    const withdrawal = await open().withdrawalOfUnknownKey();
    await open().advanceTo(after(withdrawal.createdAt, DIRECTORY_SECONDS - 3));
    assert.equal(await withdrawal.status(), 'requested');
    await open().advanceTo(after(withdrawal.createdAt, DIRECTORY_SECONDS + 3));
    await isSoon(withdrawal, 'under_review');
    assert.ok((await withdrawal.reasons()).includes('DICT_UNAVAILABLE'));
    const [reviewed] = await withdrawal.events();
    assertAt('under review', secondsFrom(withdrawal.createdAt, reviewed?.at ?? ''), DIRECTORY_SECONDS);
  });

  it('a send whose outcome nobody knows: approved for hours, until the provider tells', async () => {
    const withdrawal = await open().withdrawalOfUnknownOutcome();
    await open().advanceTo(after(withdrawal.createdAt, 6 * HOUR_SECONDS));
    assert.equal(await withdrawal.status(), 'approved');
    await withdrawal.settle();
    await isSoon(withdrawal, 'paid');
  });
}
