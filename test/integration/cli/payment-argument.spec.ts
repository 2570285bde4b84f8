// Commands on one payment take the operator's external id in its operation.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { insertDeposit, insertWithdrawal } from './payments.js';
import { createTestGateway, type TestGateway } from './support.js';

describe('gateway: a payment by its external id', () => {
  let gateway: TestGateway;
  let [operation, other] = ['', ''];
  let [deposit, withdrawal, elsewhere] = ['', '', ''];
  before(async () => {
    gateway = await createTestGateway();
    [operation, other] = [(await gateway.operation())['operation_id'], (await gateway.operation())['operation_id']];
    deposit = await insertDeposit(gateway, operation, { status: 'paid' });
    withdrawal = await insertWithdrawal(gateway, operation, { status: 'paid' });
    elsewhere = await insertDeposit(gateway, other, { status: 'expired' });
    for (const [table, id, externalId] of [
      ['deposit', deposit, 'order-1'],
      ['withdrawal', withdrawal, 'order-1'],
      ['deposit', elsewhere, 'order-1'],
    ] as const) {
      await gateway.rows(`UPDATE ${table} SET external_id = $2 WHERE id = $1`, id, externalId);
    }
    await gateway.rows(`UPDATE withdrawal SET external_id = 'both-no-more' WHERE id = $1`, withdrawal);
  });
  after(() => gateway.close());

  it('deposit show and withdrawal show, in the operation that was named', async () => {
    assert.equal((await gateway.json('deposit', 'show', 'order-1', '--operation', operation))['deposit'].id, deposit);
    assert.equal((await gateway.json('deposit', 'show', 'order-1', '--operation', other))['deposit'].id, elsewhere);
    assert.equal(
      (await gateway.json('withdrawal', 'show', 'both-no-more', '--operation', operation))['withdrawal'].id,
      withdrawal,
    );
    await gateway.fails(1, /no withdrawal has this external id/, `withdrawal show order-1 --operation ${operation}`);
    await gateway.fails(1, /there is no such operation/, 'deposit show order-1 --operation', newId('operation'));
    await gateway.fails(2, /--operation: must be the id of an operation/, 'deposit show order-1 --operation Acme');
  });

  it('an id with --operation → refused if it belongs to another operation', async () => {
    assert.equal((await gateway.json('deposit', 'show', deposit, '--operation', operation))['deposit'].id, deposit);
    await gateway.fails(1, /is of another operation/, 'deposit', 'show', deposit, '--operation', other);
  });

  it('an external id that reads like an id is found in its operation', async () => {
    const odd = newId('deposit');
    const named = await insertDeposit(gateway, other, { status: 'expired' });
    await gateway.rows('UPDATE deposit SET external_id = $2 WHERE id = $1', named, odd);
    assert.equal((await gateway.json('deposit', 'show', odd, '--operation', other))['deposit'].id, named);
  });

  it('review, decision and audit take it too; what two payments have is not guessed', async () => {
    const [payIn, payOut] = [
      await insertDeposit(gateway, operation, { status: 'under_review' }),
      await insertWithdrawal(gateway, operation, { status: 'under_review' }),
    ];
    for (const [table, id] of [
      ['deposit', payIn],
      ['withdrawal', payOut],
    ] as const)
      await gateway.rows(`UPDATE ${table} SET external_id = 'twice' WHERE id = $1`, id);
    const both = new RegExp(`deposit ${payIn} and withdrawal ${payOut} have this external id; give the id`);
    await gateway.fails(1, both, 'review', 'show', 'twice', '--operation', operation);
    await gateway.fails(1, both, 'review', 'approve', 'twice', '--operation', operation, '--as', 'ana');
    await gateway.fails(1, both, 'decision', 'show', 'twice', '--operation', operation);
    // What a command can only do to one kind is meant for that kind.
    await gateway.fails(2, /TEMPORAL_ADDRESS/, `review return twice --operation ${operation} --as ana`);
    assert.equal((await gateway.json('review', 'show', 'order-1', '--operation', operation))['deposit'].id, deposit);
    const undecided = new RegExp(`deposit ${deposit}: the rules decided nothing`);
    await gateway.fails(1, undecided, `decision show order-1 --operation ${operation}`);
    const replayed = await gateway.json(`decision replay --id order-1 --operation ${operation}`);
    assert.equal(replayed['decisions'], 0);
    await gateway.rows(
      `SELECT append_audit(NULL, clock_timestamp(), 'ana', 'deposit.return', $1, $2, '{}')`,
      operation,
      deposit,
    );
    const { entries } = await gateway.json(`audit list --subject order-1 --operation ${operation}`);
    assert.deepEqual(
      entries.map(({ subject }: { subject: string }) => subject),
      [deposit],
    );
  });
});
