// A session ends when nobody is there: what a page asks by itself checks it and does not extend it.
import assert from 'node:assert/strict';
import { request } from 'undici';
import { AUTOMATIC_HEADER, PANEL_API } from '../../../contract/panel/route.js';
import { exposition } from '../../../platform/telemetry/instruments.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

const AUTOMATIC = { headers: { [AUTOMATIC_HEADER]: '1' } } as const;

describe('panel: a session that nobody uses', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let person: Person;

  before(async () => {
    world = await createPanelWorld();
    person = await world.person('rita', ['reviewer']);
  });
  after(() => world.close());

  const idleFor = (minutes: number) =>
    world.gateway.rows(
      `UPDATE staff_session SET last_seen_at = now() - $1 * interval '1 minute' WHERE staff_handle = 'rita'`,
      minutes,
    );
  const idleMinutes = async () => {
    const [row] = await world.gateway.rows(
      `SELECT round(extract(epoch FROM now() - last_seen_at) / 60)::int AS idle FROM staff_session
       WHERE staff_handle = 'rita'`,
    );
    return row?.['idle'];
  };
  const minutesLeft = (idleUntil: string) => Math.round((Date.parse(idleUntil) - Date.now()) / 60_000);

  it('is extended by what a person asks', async () => {
    await idleFor(20);
    assert.equal(minutesLeft((await person.get('/session')).body['idle_until']), 30);
    assert.equal(await idleMinutes(), 0);
  });

  it('is not extended by what a page asks by itself', async () => {
    await idleFor(20);
    const asked = await person.send('/session', AUTOMATIC);
    assert.deepEqual([asked.status, minutesLeft(asked.body['idle_until'])], [200, 10]);
    assert.equal((await person.send('/queue', AUTOMATIC)).status, 200);
    assert.equal(await idleMinutes(), 20);
  });

  it('is not extended by the stream, which browsers open again by themselves', async () => {
    await idleFor(20);
    const scrape = exposition('panel');
    const { statusCode, body } = await request(`http://127.0.0.1:${world.port}${PANEL_API}/stream`, {
      headers: { cookie: person.cookie, 'sec-fetch-site': 'same-origin' },
    });
    assert.match(await scrape(), /^gateway_panel_streams 1$/m);
    body.on('error', () => undefined).destroy();
    assert.deepEqual([statusCode, await idleMinutes()], [200, 20]);
    await eventually(async () => /^gateway_panel_streams 0$/m.test(await scrape()), 'the stream is no longer counted');
  });

  it('ends after 30 minutes although the page went on asking', async () => {
    await idleFor(31);
    assert.equal((await person.send('/queue', AUTOMATIC)).body['code'], 'not_signed_in');
  });
});
