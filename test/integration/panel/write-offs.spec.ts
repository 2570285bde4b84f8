// Lost payouts whose write-off waits for a second person: in the inbox and in the counters, while the request is in
// force.
import assert from 'node:assert/strict';
import { reachOf } from '../../../domain/staff.js';
import { readCounters } from '../../../store/staff/counters.js';
import { pendingWriteOffs } from '../../../store/support/write-offs.js';
import { insertWithdrawal } from '../cli/payments.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

const DECIDE_WITHIN_SECONDS = 1_800;

describe('panel: lost payouts that wait for a second person', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let paulo: Person;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    paulo = await world.person('paulo', ['approver']);
  });
  after(() => world.close());

  /** A payout whose send was lost, and what people have decided about it. */
  const lost = async (decisions: readonly string[], hoursAgo = 1, status = 'approved') => {
    const id = await insertWithdrawal(world.gateway, operationId, { status, amount: '70000' });
    const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
    const acts = decisions.map((decision) => ({
      ...{ person: 'rita', decision, at, status },
      ...{ reason: 'the provider knows nothing of it', evidence: 'ticket 4711' },
    }));
    await world.gateway.rows(`UPDATE withdrawal SET write_offs = $2::jsonb WHERE id = $1`, id, JSON.stringify(acts));
    return { id, at };
  };
  /** The provider knew it after all: the request is of an earlier state. */
  const accepted = ({ id }: { id: string }) =>
    world.gateway.rows(`UPDATE withdrawal SET status = 'processing' WHERE id = $1`, id);
  const listed = async (person: Person) => (await person.get('/write-offs')).body['items'] as Record<string, unknown>[];
  const counted = async () =>
    (await readCounters(world.database, DECIDE_WITHIN_SECONDS)).find((row) => row.operationId === operationId)
      ?.approvals['write_off'];

  it('is shown and counted until it lapses or the second person has decided', async () => {
    const { id, at } = await lost(['request_conclusion']);
    await world.gateway.rows(
      `INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at, attempt, claimed_at, traceless_look_ups,
         traceless_since, traceless_last_at)
       VALUES ($1, $2, 'claimed', '2026-11-01T10:00Z', 'attempt', '2026-11-01T10:00Z', 12, '2026-11-01T11:00Z',
         '2026-11-02T11:00Z')`,
      ...[id, `P${id.slice(-30)}`],
    );
    const { body } = await paulo.get(`/payments/${id}`);
    assert.equal(body['traceless'].look_ups, 12);
    await lost(['request_conclusion'], 25);
    await lost(['request_conclusion', 'confirm_conclusion'], 1, 'failed');
    await lost([]);
    await accepted(await lost(['request_conclusion']));
    assert.deepEqual(await listed(paulo), [
      {
        id,
        operation: { id: operationId, name: 'Acme' },
        amount: { amount: '70000', currency: 'BRL' },
        player_ref: 'player-1',
        sent_at: '2026-11-01T10:00:00.000Z',
        traceless: { look_ups: 12, since: '2026-11-01T11:00:00.000Z', last_at: '2026-11-02T11:00:00.000Z' },
        requested_by: 'rita',
        reason: 'the provider knows nothing of it',
        evidence: 'ticket 4711',
        requested_at: at,
        lapses_at: new Date(Date.parse(at) + 24 * 3_600_000).toISOString(),
        is_own: false,
      },
    ]);
    assert.equal(await counted(), 1);
  });

  it('is marked as one’s own, and hidden from people who do not reach its operation', async () => {
    const rita = await world.person('rita', ['risk_manager']);
    assert.deepEqual(
      (await listed(rita)).map((item) => item['is_own']),
      [true],
    );
    const other = (await world.gateway.operation())['operation_id'];
    assert.deepEqual(await listed(await world.person('far', [{ role: 'approver', operationId: other }])), []);
    const reach = reachOf([{ role: 'approver', operationId: other }], ['approver']);
    assert.deepEqual(await pendingWriteOffs(world.database, reach, 10), []);
  });
});
