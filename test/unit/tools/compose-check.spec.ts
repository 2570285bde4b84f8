// The page that `npm run compose-check` follows: its commands are found, and none of them is left out by accident.
import assert from 'node:assert/strict';
import { pageBlocks } from '../../../lab/compose-check/page.js';

describe('compose-check: the page', () => {
  it('has the way to a paid deposit, and a deploy', () => {
    const { start, deploy } = pageBlocks();
    const commands = start.join('');
    const places = [
      'docker build ',
      'gateway setup ',
      'docker compose --profile sandbox up -d --wait',
      'run --rm demo',
      'operation create',
      'certificates issue',
    ].map((command) => commands.indexOf(command));
    assert.ok(
      places.every((place) => place >= 0),
      String(places),
    );
    assert.deepEqual(
      [...places].sort((a, b) => a - b),
      places,
      'in this order',
    );
    assert.match(deploy.join(''), /deploy promote 2/);
  });
});
