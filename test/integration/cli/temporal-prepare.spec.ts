// `gateway temporal prepare` against a real server: a namespace that payments can run in.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { createTestGateway, type TestGateway } from './support.js';

const NAMES = [
  'AmountMinor',
  'ExternalId',
  'OperationId',
  'PaymentKind',
  'PaymentStatus',
  'ReviewReasons',
  'Summary',
  'WaitingFor',
];

describe('gateway temporal prepare', function () {
  this.timeout(60_000);
  const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
  const namespace = `prepared-${randomUUID()}`;
  let gateway: TestGateway;
  let connection: Connection;
  before(async () => {
    gateway = await createTestGateway({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });
    connection = await Connection.connect({ address });
  });
  after(async () => {
    await connection.close();
    await gateway.close();
  });
  const retentionHours = async () =>
    Number(
      (await connection.workflowService.describeNamespace({ namespace })).config?.workflowExecutionRetentionTtl
        ?.seconds,
    ) / 3_600;

  it('makes the namespace with its search attributes and retention, ready to be asked by them', async () => {
    const answer = await gateway.json('temporal', 'prepare');
    assert.deepEqual([answer['namespace'], answer['created'], answer['retention_hours']], [namespace, true, 72]);
    assert.equal(await retentionHours(), 72);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    for (const name of NAMES) assert.ok(customAttributes?.[name] !== undefined, name);
    const query = 'WaitingFor = "review" AND AmountMinor > 1000';
    assert.equal(Number((await connection.workflowService.countWorkflowExecutions({ namespace, query })).count), 0);
  });

  it('again: adds nothing, and takes another retention', async () => {
    const answer = await gateway.json('temporal', 'prepare', '--retention-hours', '168');
    assert.deepEqual([answer['created'], answer['search_attributes_added']], [false, []]);
    assert.equal(await retentionHours(), 168);
  });

  it('no server: waits as long as configured, then one line', async () => {
    const nowhere = await createTestGateway({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
    try {
      const startedAt = Date.now();
      await nowhere.fails(1, /Temporal at 127\.0\.0\.1:9 does not answer/, 'temporal', 'prepare', '--wait', '2');
      assert.ok(Date.now() - startedAt >= 2_000);
    } finally {
      await nowhere.close();
    }
  });
});
