// The programs themselves refuse an environment of development in production, in one line.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { key, SOUND } from './sound-environments.js';

describe('the programs themselves', () => {
  const refusal = new RegExp(
    '^(api|ingress|worker|gateway): configuration: .*GATEWAY_HASH_KEY: holds a key that "npm start" made' +
      '.*PROVIDER_A_URL: must be an https address',
  );
  for (const [program, args, code] of [
    ['api', [], 1],
    ['ingress', [], 1],
    ['worker', [], 1],
    ['cli', ['operation', 'list'], 2],
  ] as const) {
    it(`${program} ends with one line that names each field`, () => {
      const env = {
        PATH: process.env['PATH'],
        ...SOUND,
        GATEWAY_HASH_KEY: `dev:${key()}`,
        PROVIDER_A_URL: 'http://a.example',
      };
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(projectRoot(), 'dist', program, 'main.js'), ...args],
        { env, encoding: 'utf8', timeout: 15_000 },
      );
      assert.equal(status, code, stderr);
      assert.match(stderr, refusal);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.equal(stdout, '');
    });
  }
});
