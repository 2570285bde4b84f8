// A note that names a colleague reaches them, until they do something about the case; a note that would reach nobody is
// refused.
import assert from 'node:assert/strict';
import { insertWithdrawal } from '../cli/payments.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: notes that name people', () => {
  let world: PanelWorld;
  let operationId: string;
  let id: string;
  let rita: Person;
  let paulo: Person;
  let far: Person;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    const other = (await world.gateway.operation())['operation_id'];
    rita = await world.person('rita', ['reviewer']);
    paulo = await world.person('paulo', ['reviewer']);
    far = await world.person('far', [{ role: 'reviewer', operationId: other }]);
    await world.member('ada', ['admin']);
  });
  after(() => world.close());
  beforeEach(async () => {
    const waiting = { status: 'under_review', amount: '123400', reasons: ['FIRST_WITHDRAWAL'] };
    id = await insertWithdrawal(world.gateway, operationId, waiting);
  });

  const work = (person: Person, body: object) => person.post(`/cases/${id}/work`, body);
  const mentions = async (person: Person) =>
    ((await person.get('/mentions')).body['items'] as Record<string, unknown>[]).filter(
      (one) => one['payment_id'] === id,
    );

  for (const [act, body] of [
    ['note', { act: 'note' }],
    ['escalation', { act: 'escalate', is_escalated: true }],
    ['reason to wait', { act: 'snooze', hours: 1 }],
  ] as const)
    it(`a ${act} reaches the person whom it names, and nobody else`, async () => {
      assert.equal((await work(rita, { ...body, text: 'is this his account, @paulo?' })).status, 200);
      const [found, ...more] = await mentions(paulo);
      assert.deepEqual(more, []);
      assert.deepEqual(
        { ...found, at: null },
        {
          ...{ payment_id: id, kind: 'withdrawal', status: 'under_review', at: null },
          ...{ operation: { id: operationId, name: 'Acme' }, amount: { amount: '123400', currency: 'BRL' } },
          ...{ person: 'rita', text: 'is this his account, @paulo?' },
        },
      );
      for (const person of [rita, far]) assert.deepEqual(await mentions(person), []);
    });

  it('it is over once the person notes something, and there again when they are named again', async () => {
    await work(rita, { act: 'note', text: '@paulo look' });
    await work(rita, { act: 'note', text: 'no hurry' });
    assert.equal((await mentions(paulo)).length, 1);
    await work(paulo, { act: 'note', text: 'it is' });
    assert.deepEqual(await mentions(paulo), []);
    await work(rita, { act: 'note', text: '@paulo and this one?' });
    await work(rita, { act: 'note', text: '@paulo hello?' });
    assert.deepEqual(
      (await mentions(paulo)).map(({ text }) => text),
      ['@paulo hello?'],
    );
  });

  it('it is over once the person decides, and it survives that the case ends otherwise', async () => {
    await work(rita, { act: 'note', text: '@paulo look' });
    await world.gateway.rows(`UPDATE withdrawal SET status = 'cancelled' WHERE id = $1`, id);
    assert.deepEqual(
      (await mentions(paulo)).map(({ status }) => status),
      ['cancelled'],
    );
    await world.gateway.rows(
      `INSERT INTO staff_act (id, staff_handle, kind, means, operation_id, subject_id, subject_version, reason,
         expires_at)
       VALUES ('act_' || md5($1), 'paulo', 'withdrawal.refuse', 'claim', $2, $1, 1, '', now() + interval '1 minute')`,
      ...[id, operationId],
    );
    assert.deepEqual(await mentions(paulo), []);
  });

  for (const [whom, text] of [
    ['nobody has the handle', '@pualo look'],
    ['the person does not work on cases', '@ada look'],
    ['the person works on those of another operation', '@paulo and @far look'],
  ] as const)
    it(`→ not_a_person, and nothing is stored: ${whom}`, async () => {
      const { status, body } = await work(rita, { act: 'note', text });
      assert.deepEqual([status, body['code']], [409, 'not_a_person']);
      assert.deepEqual((await rita.get(`/cases/${id}`)).body['work'].notes, []);
      assert.deepEqual(await mentions(paulo), []);
    });

  it('a question to the operator names nobody of staff', async () => {
    assert.equal((await work(rita, { act: 'ask', text: 'does @paulo play there?' })).status, 200);
    assert.deepEqual(await mentions(paulo), []);
  });
});
