// What looking costs, and how long it counts: one poll for everybody who looks, none for nobody, and a claim that ends.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../tools/harness/eventually.js';
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
