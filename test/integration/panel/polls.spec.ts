// What looking costs, and how long it counts: one poll for everybody who looks, none for nobody, and a claim that ends.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../lab/harness/eventually.js';
import { insertWithdrawal } from '../cli/payments.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

/** As the world's panel polls. */
const POLL_MS = 50;
const LOOKING_MS = 1_500;
/** What waits, and whose sessions still stand. */
const STATEMENTS_OF_A_POLL = 2;

describe('panel: who looks', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let people: Person[];

  before(async () => {
    world = await createPanelWorld();
    people = [];
    for (const handle of ['rita', 'paulo', 'olga']) people.push(await world.person(handle, ['reviewer']));
  });
  after(() => world.close());

  it('three streams share one poll of two statements; nobody’s costs none', async () => {
    const streams = people.map((person) => open(world, person));
    for (const stream of streams)
      await eventually(() => stream.text().includes('event: counters'), 'the stream reports');
    world.statements.length = 0;
    const beganAt = performance.now();
    await sleep(LOOKING_MS);
    const elapsed = performance.now() - beganAt;
    const asked = [...world.statements];
    const polls = asked.filter((text) => text.includes('operation_counter')).length;
    assert.ok(polls >= 2, `${polls} polls`);
    assert.ok(polls <= elapsed / POLL_MS + 1, `${polls} polls in ${elapsed} ms`);
    // The window may begin or end within a poll.
    const others = asked.length - polls * STATEMENTS_OF_A_POLL;
    assert.ok(Math.abs(others) < STATEMENTS_OF_A_POLL, asked.join('\n'));

    for (const stream of streams) stream.end();
    await eventually(async () => {
      const before = world.statements.length;
      await sleep(POLL_MS * 6);
      return world.statements.length === before;
    }, 'nothing is asked while nobody looks');
  });

  it('a claim ends after five minutes, and the next person may have the case', async () => {
    const { operation_id: operationId } = await world.gateway.operation();
    const payment = { status: 'under_review', reasons: ['FIRST_WITHDRAWAL'] };
    const id = await insertWithdrawal(world.gateway, operationId, payment);
    const [rita, paulo] = people as [Person, Person];
    const claim = async (person: Person) =>
      (await person.post(`/cases/${id}/claim`, { claim: true })).body['claim'] as { person: string; until: string };
    const pass = (seconds: number) =>
      world.gateway.rows(
        `UPDATE review_claim SET expires_at = expires_at - make_interval(secs => $2) WHERE payment_id = $1`,
        id,
        seconds,
      );
    const { until } = await claim(rita);
    assert.ok(Math.abs(Date.parse(until) - Date.now() - 300_000) < 20_000, until);
    await pass(270);
    assert.equal((await claim(paulo)).person, 'rita');
    await pass(30);
    assert.equal((await paulo.get(`/cases/${id}`)).body['claim'], null);
    assert.equal((await claim(paulo)).person, 'paulo');
    assert.equal((await claim(rita)).person, 'paulo');
  });

  describe('the work on a case', () => {
    let operationId: string;
    let id: string;
    let rita: Person;
    let paulo: Person;
    const work = (person: Person, body: object) => person.post(`/cases/${id}/work`, body);
    const queue = async (person: Person, filter: string) => {
      const { body } = await person.get(`/queue?operation=${operationId}${filter}`);
      return (body['items'] as { id: string }[]).map((item) => item.id);
    };

    beforeEach(async () => {
      ({ operation_id: operationId } = await world.gateway.operation());
      id = await insertWithdrawal(world.gateway, operationId, {
        status: 'under_review',
        reasons: ['FIRST_WITHDRAWAL'],
      });
      [rita, paulo] = people as [Person, Person];
    });

    it('let it wait: the queue does not show it until then, or until somebody takes it back', async () => {
      const until = async () => {
        const { body } = await work(rita, { act: 'snooze', hours: 4, text: 'the operator is asked' });
        return (body['work'] as { snoozed_until: string }).snoozed_until;
      };
      assert.ok(Math.abs(Date.parse(await until()) - Date.now() - 4 * 3_600_000) < 20_000);
      assert.deepEqual([await queue(paulo, ''), await queue(paulo, '&work=snoozed')], [[], [id]]);
      await work(paulo, { act: 'wake' });
      assert.deepEqual([await queue(paulo, ''), await queue(paulo, '&work=snoozed')], [[id], []]);
      await until();
      await world.gateway.rows(`UPDATE case_work SET snoozed_until = now() WHERE payment_id = $1`, id);
      assert.deepEqual([await queue(paulo, ''), await queue(paulo, '&work=snoozed')], [[id], []]);
      const { status } = await work(rita, { act: 'snooze', hours: 73, text: 'much too long' });
      assert.equal(status, 400);
      const entries = await world.gateway.rows(
        `SELECT action, detail::json->>'reason' AS reason FROM audit_entry WHERE subject = $1 ORDER BY sequence`,
        id,
      );
      assert.deepEqual(
        entries.map(({ action, reason }) => [action, reason]),
        [
          ['case.snooze', 'the operator is asked'],
          ['case.wake', null],
          ['case.snooze', 'the operator is asked'],
        ],
      );
    });

    it('give it: to a colleague who may, unless somebody else has it by now', async () => {
      const give = async (person: string | null, seen: string | null) =>
        (await work(rita, { act: 'assign', person, seen })).status;
      assert.deepEqual([await give('paulo', null), await give('olga', null)], [200, 409]);
      assert.deepEqual([await queue(paulo, '&work=mine'), await queue(rita, '&work=mine')], [[id], []]);
      await world.person('ada', ['admin']);
      assert.deepEqual([await give('ada', 'paulo'), await give('nobody', 'paulo')], [409, 409]);
      assert.equal(await give(null, 'paulo'), 200);
      assert.deepEqual(await queue(paulo, '&work=mine'), []);
    });

    it('ask the operator: the case is marked until its answer is noted, and an answer needs a question', async () => {
      assert.equal((await work(rita, { act: 'answer', text: 'nobody asked' })).status, 409);
      assert.equal((await work(rita, { act: 'ask', text: 'is the account verified?' })).status, 200);
      assert.deepEqual(await queue(paulo, '&work=asked'), [id]);
      const { body } = await work(paulo, { act: 'answer', text: 'verified on 3 November' });
      assert.equal((body['work'] as { is_asked: boolean }).is_asked, false);
      assert.deepEqual(await queue(paulo, '&work=asked'), []);
      assert.equal((await work(rita, { act: 'ask', text: 'CPF 98224725509?' })).status, 400);
    });

    it('escalate it, and note: who reads the case sees what was done, newest first; nothing changes a note', async () => {
      await work(rita, { act: 'escalate', is_escalated: true, text: 'looks like a ring' });
      await work(paulo, { act: 'note', text: '@rita seen, four players' });
      assert.deepEqual(await queue(paulo, '&work=escalated'), [id]);
      const shown = (await rita.get(`/cases/${id}`)).body['work'] as { notes: Record<string, unknown>[] };
      assert.deepEqual(
        shown.notes.slice(0, 2).map(({ act, person, text }) => [act, person, text]),
        [
          ['note', 'paulo', '@rita seen, four players'],
          ['escalate', 'rita', 'looks like a ring'],
        ],
      );
      assert.equal((await work(rita, { act: 'note', text: 'CPF 98224725509' })).status, 400);
      await assert.rejects(world.gateway.rows(`UPDATE case_note SET text = 'another'`), /append-only/);
    });
  });
});

/** One connection of the stream, and what it received. */
function open({ port }: PanelWorld, { cookie }: Person) {
  const aborter = new AbortController();
  let text = '';
  void (async () => {
    const address = `http://127.0.0.1:${port}/api/stream`;
    const { body } = await fetch(address, { headers: { cookie }, signal: aborter.signal });
    for await (const chunk of body ?? []) text += Buffer.from(chunk as Uint8Array).toString('utf8');
  })().catch(() => undefined);
  return { text: () => text, end: () => aborter.abort() };
}
