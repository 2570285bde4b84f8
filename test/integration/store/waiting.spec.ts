// Which withdrawals a change wakes: those that wait for what has ended, and those that may.
import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { newId } from '../../../domain/identifiers.js';
import type { DispatchWait } from '../../../domain/rules/verdicts.js';
import { wakeWaiting } from '../../../staff/acts/wake.js';
import { insertDecision } from '../../../store/rules/decisions.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import {
  claimPayoutSend,
  clearPayoutSend,
  waitingWithdrawals,
} from '../../../store/payments/withdrawal/payout-sends.js';
import { useStore } from './fixtures.js';
import { decisionOn, fund, inserted, read, store, withdrawalOrder } from './withdrawal-fixtures.js';

describe('store: withdrawals that wait', () => {
  const fixture = useStore();
  beforeEach(async () => {
    await fund(fixture, 1_000_000);
  });

  const idOf = ({ record }: WithdrawalRow) => record.snapshot.id;

  /** As the check before the send stores it. */
  async function checked(held: WithdrawalRow, wait: DispatchWait | null): Promise<void> {
    const outcome = wait === null ? { kind: 'send' } : { kind: 'wait', for: wait, until: null };
    const decision = decisionOn({ ...withdrawalOrder(fixture), id: idOf(held) }, 'automatic');
    const facts = { check: newId('event') };
    await insertDecision(fixture.database, { ...decision, stage: 'dispatch', facts, outcome });
  }

  async function waiting(...waits: DispatchWait[]): Promise<string> {
    const held = await inserted(fixture);
    for (const wait of waits) await checked(held, wait);
    return idOf(held);
  }

  const listed = (wait: DispatchWait, operationId: string | null = fixture.operationId, limit = 10) =>
    waitingWithdrawals(fixture.database, { operationId, wait, limit });

  it('the last check says what a withdrawal waits for', async () => {
    const short = await waiting('cash_box');
    const paused = await waiting('provider_paused');
    const shortAgain = await waiting('cash_box', 'operation_suspended', 'cash_box');
    assert.deepEqual(await listed('cash_box'), [short, shortAgain]);
    assert.deepEqual(await listed('provider_paused'), [paused]);
    assert.deepEqual(await listed('operation_suspended'), []);
  });

  it('lists unchecked and clear ones after those that wait', async () => {
    const unchecked = await waiting();
    const clear = await inserted(fixture);
    await checked(clear, null);
    const short = await waiting('cash_box');
    assert.deepEqual(await listed('cash_box'), [short, unchecked, idOf(clear)]);
    assert.deepEqual(await listed('cash_box', fixture.operationId, 1), [short]);
  });

  it('left, or not approved: not listed', async () => {
    const sent = await inserted(fixture);
    assert.ok(await clearPayoutSend(fixture.database, sent, null));
    const cleared = await read(fixture, sent);
    assert.deepEqual(await listed('cash_box'), [idOf(sent)]);
    const attempt = { attempt: 'one', environment: 'sandbox' } as const;
    assert.equal(await claimPayoutSend(fixture.database, fixture.sealer, cleared, attempt), 'given');
    const cancelled = await inserted(fixture);
    await checked(cancelled, 'cash_box');
    await store(fixture, cancelled, { trigger: 'cancel' });
    await inserted(fixture, 'under_review');
    assert.deepEqual(await listed('cash_box'), []);
  });

  it('lists those of one operation, or of all', async () => {
    const mine = await waiting('provider_paused');
    const operationId = newId('operation');
    const { database } = fixture;
    const settings = { environment: 'sandbox', provider: 'simulator' };
    await database.operation.create({ data: { id: operationId, name: 'other', ...settings } });
    await database.operationCounter.create({ data: { operationId } });
    const other = { ...fixture, operationId };
    await fund(other, 1_000_000);
    const theirs = idOf(await inserted(other));
    assert.deepEqual(await listed('provider_paused'), [mine]);
    assert.deepEqual(await listed('provider_paused', null), [mine, theirs]);
  });

  it('a workflow that is missing holds up no other; with nothing to wake, Temporal is not asked', async () => {
    const ids = [await waiting('cash_box'), await waiting('cash_box'), await waiting('cash_box')];
    const signalled: string[] = [];
    const signal = (id: string) => {
      if (id === ids[0]) return Promise.reject(new Error('workflow not found'));
      signalled.push(id);
      return Promise.resolve();
    };
    const client = {
      withDeadline: (_: number, work: () => Promise<void>) => work(),
      workflow: { getHandle: (id: string) => ({ signal: () => signal(id) }) },
    } as unknown as Client;
    let asked = 0;
    const withTemporal = <Result>(work: (client: Client) => Promise<Result>) => {
      asked += 1;
      return work(client);
    };
    const services = { database: fixture.database, withTemporal };
    await wakeWaiting(services, fixture.operationId, 'cash_box');
    assert.deepEqual(signalled.sort(), ids.slice(1).sort());
    await wakeWaiting(services, fixture.operationId, 'provider_paused');
    assert.equal(asked, 1);
  });
});
