// The clients in Go and Java, against the whole gateway: each signs, repeats, pays and is refused. Java's vectors run
// here too, because Maven fetches its libraries. Python's client runs the recipes of the guide.
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../platform/config/project-root.js';
import { type Stack, startStack } from '../../lab/harness/stack.js';

const run = promisify(execFile);
const TIMEOUT_MS = 5 * 60_000;

describe('the clients in other languages, against the whole gateway', function () {
  this.timeout(TIMEOUT_MS);
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack?.close());

  for (const [language, program, version, args] of [
    ['go', 'go', 'version', ['test', '-count=1', './...']],
    ['java', 'mvn', '-v', ['-q', '-B', 'test']],
  ] as const) {
    it(language, async function () {
      if (spawnSync(program, [version]).status !== 0) {
        process.stderr.write(`skipped: there is no ${program} on this machine\n`);
        this.skip();
      }
      const { key_id: keyId, secret } = (await stack.withNewOperation()).operation;
      await run(program, args, {
        cwd: join(projectRoot(), 'client', language),
        timeout: TIMEOUT_MS,
        env: { ...process.env, BASE_URL: stack.baseUrl, KEY_ID: keyId, SECRET: secret },
      });
    });
  }
});
