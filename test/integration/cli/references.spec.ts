// `gateway reconcile references`: what a provider's statement names and these books do not. About 2 s.
import assert from 'node:assert/strict';
import { chargeReferenceOf, payoutReferenceOf } from '../../../domain/identifiers.js';
import { insertDeposit, insertWithdrawal } from './payments.js';
import { createTestGateway, type TestGateway } from './support.js';

describe('gateway reconcile references', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let charge: string;
  let payout: string;

  before(async () => {
    gateway = await createTestGateway();
    const id = (await gateway.operation())['operation_id'] as string;
    charge = chargeReferenceOf(await insertDeposit(gateway, id, { status: 'paid' }));
    payout = payoutReferenceOf(await insertWithdrawal(gateway, id, { status: 'paid' }));
  });
  after(() => gateway.close());

  const lost = 'f'.repeat(32);

  it('every reference is known → ok', async () => {
    const report = await gateway.json(
      'reconcile',
      'references',
      '--charges',
      gateway.file(`${charge}\r\n\n${charge}\n`),
      '--payouts',
      gateway.file(payout),
    );
    assert.deepEqual(report, { ok: true, charges: { given: 1, unknown: [] }, payouts: { given: 1, unknown: [] } });
  });

  it('unknown ones are named, a payout among charges too → exit code 1', async () => {
    const { exitCode, stdout } = await gateway.run(
      'reconcile',
      'references',
      '--charges',
      gateway.file(`${charge}\n${payout}\n`),
      '--payouts',
      gateway.file(`${lost}\n${payout}\n`),
    );
    assert.equal(exitCode, 1);
    assert.deepEqual(JSON.parse(stdout), {
      ok: false,
      charges: { given: 2, unknown: [payout] },
      payouts: { given: 2, unknown: [lost] },
    });
  });

  it('called wrongly: no file, one that is not there, one that holds something else', async () => {
    await gateway.fails(2, /--charges: or --payouts/, 'reconcile', 'references');
    await gateway.fails(2, /--payouts: .*ENOENT/, 'reconcile', 'references', '--payouts', '/nonexistent');
    await gateway.fails(
      2,
      /--charges: reference 2 is no reference/,
      'reconcile',
      'references',
      '--charges',
      gateway.file(`${charge}\na;b\n`),
    );
  });
});
