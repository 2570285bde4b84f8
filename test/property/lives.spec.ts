// Whole lives of the gateway in virtual time, each from a seed and with its own faults (lab/): the kept ones, the
// first of them twice, because a seed must replay. `npm run explore` searches for more.
import assert from 'node:assert/strict';
import type { LifeEnd } from '../../lab/life.js';
import { KEPT_LIVES, type KeptLife } from '../../lab/kept-lives.js';
import { PlayerProcess } from '../../lab/explore/player-process.js';
import { testPostgresUrl } from '../../lab/harness/database.js';

describe('lives', function () {
  this.timeout(300_000);
  let player: PlayerProcess;
  before(async () => {
    player = await PlayerProcess.start(testPostgresUrl());
  });
  after(() => player.end());

  async function play({ seed, scale }: KeptLife): Promise<LifeEnd> {
    const order = { seed, scale, until: null, without: [], isTold: false, shrinks: false };
    const message = await player.play(order);
    assert.ok(message.kind === 'played' || message.kind === 'failed', JSON.stringify(message));
    return message.end;
  }

  const ends = new Map<KeptLife, LifeEnd>();
  for (const life of KEPT_LIVES)
    it(`end well: seed ${life.seed}, ${life.because}`, async () => {
      const end = await play(life);
      ends.set(life, end);
      assert.deepEqual(end.findings, [], end.story.join('\n'));
    });

  it('replay from their seed, step by step', async () => {
    const [life] = KEPT_LIVES;
    assert.ok(life !== undefined);
    const other = await play(life);
    assert.equal(other.digest, ends.get(life)?.digest);
    assert.equal(other.statements, ends.get(life)?.statements);
  });
});
