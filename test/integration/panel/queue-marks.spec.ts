// What a row of the queue says besides the payment: that a return came to nothing, and what stands on the block list.
import assert from 'node:assert/strict';
import { insertDeposit, insertPlayer, insertWithdrawal, PERSONAL } from '../cli/payments.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: the marks of the queue', () => {
  let world: PanelWorld;
  let rita: Person;
  let operationId: string;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    await insertPlayer(world.gateway, operationId);
    rita = await world.person('rita', ['reviewer']);
  });
  after(() => world.close());

  const row = async (id: string) => {
    const { body } = await rita.get('/queue');
    const found = body['items'].find((item: { id: string }) => item.id === id);
    return { blocked: found.blocked as string[], return_undone: found.return_undone as boolean };
  };
  const waiting = { status: 'under_review', reasons: ['FIRST_WITHDRAWAL'] } as const;
  const block = (kind: string, value: string) =>
    world.gateway.json(
      ...['list', 'add', '--operation', operationId, '--list', 'block', '--kind', kind],
      ...['--reason', 'fraud ring', '--as', 'marta', value],
    );
  const undo = (id: string, action: string) =>
    world.gateway.rows(
      `SELECT append_audit($3, now(), 'provider', $4, $1, $2, '{"reason":"fraud","version":3}')::text`,
      ...[operationId, id, `key-${id}`, action],
    );

  it('a case like any other has none', async () => {
    const id = await insertWithdrawal(world.gateway, operationId, waiting);
    assert.deepEqual(await row(id), { blocked: [], return_undone: false });
  });

  for (const action of ['deposit.return_refused', 'deposit.return_withdrawn'])
    it(`${action}: the deposit has the mark, another one of the player has not`, async () => {
      const [id, other] = [
        await insertDeposit(world.gateway, operationId, { ...waiting, reasons: ['PAYER_MISMATCH'] }),
        await insertDeposit(world.gateway, operationId, { ...waiting, reasons: ['PAYER_MISMATCH'] }),
      ];
      await undo(id, action);
      assert.deepEqual(await row(id), { blocked: [], return_undone: true });
      assert.deepEqual(await row(other), { blocked: [], return_undone: false });
    });

  it('the block list marks by player and document, as the case does; the review list does not', async () => {
    const id = await insertWithdrawal(world.gateway, operationId, waiting);
    await world.gateway.json(
      ...['list', 'add', '--operation', operationId, '--list', 'review', '--kind', 'player'],
      ...['--reason', 'look again', '--as', 'marta', 'player-1'],
    );
    assert.deepEqual((await row(id)).blocked, []);
    await block('player', 'player-1');
    await block('document', PERSONAL.document);
    const { blocked } = await row(id);
    assert.deepEqual(blocked, ['document', 'player']);
    const { body } = await rita.get(`/cases/${id}`);
    const onCase = body['player'].lists.filter(({ list }: { list: string }) => list === 'block');
    assert.deepEqual(
      onCase.map(({ kind }: { kind: string }) => kind),
      blocked,
    );
  });

  it('another player of the page is not marked', async () => {
    const id = await insertWithdrawal(world.gateway, operationId, waiting);
    await world.gateway.rows(`UPDATE withdrawal SET player_ref = 'player-2' WHERE id = $1`, id);
    assert.deepEqual((await row(id)).blocked, []);
  });
});
