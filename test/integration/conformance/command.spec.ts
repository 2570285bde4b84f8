// The kit as a command, with real processes: the demo operator passes, and nobody changes its report unseen.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CHECKS } from '../../../conformance/checks/index.js';
import { conformance } from '../../../conformance/main.js';
import type { SignedReport } from '../../../conformance/report/signature.js';
import { projectRoot } from '../../../platform/config/project-root.js';

const RUN_TIMEOUT_MS = 150_000;
const DIST = join(projectRoot(), 'dist');

interface Ended {
  readonly code: number;
  readonly stdout: string;
}

/** The command in a process, as `npm run conformance` starts it after the build. */
function inProcess(...args: string[]): Promise<Ended> {
  const main = JSON.stringify(join(DIST, 'conformance', 'main.js'));
  const program = `import(${main}).then((kit) => kit.conformance(process.argv.slice(1))).then((code) => process.exit(code))`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['-e', program, '--', ...args], { timeout: RUN_TIMEOUT_MS }, (error, stdout) => {
      const failed = typeof error?.code === 'number' ? error.code : -1;
      resolve({ code: error === null ? 0 : failed, stdout });
    });
  });
}

/** The command in this process: what it prints, and its exit code. */
async function here(...args: string[]): Promise<Ended> {
  const lines: string[] = [];
  const code = await conformance(args, (line) => lines.push(line));
  return { code, stdout: lines.join('\n') };
}

/** The demo operator and its adapter: a process that prints its two addresses. */
async function startDemoOperator(): Promise<{ child: ChildProcess; adapter: string; webhooks: string }> {
  const program = join(DIST, 'sandbox', 'demo-operator', 'conformance', 'main.js');
  const child = spawn(process.execPath, [program, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const found: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = '', url = ''] = line.split(': ');
    found[name] = url;
    if (found['adapter'] !== undefined && found['webhooks'] !== undefined) break;
  }
  return { child, adapter: found['adapter'] ?? '', webhooks: found['webhooks'] ?? '' };
}

describe('conformance: the command', function () {
  this.timeout(RUN_TIMEOUT_MS);
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const key = join(folder, 'report-key.pem');
  const publicKey = join(folder, 'report-key.public.pem');
  let demo: Awaited<ReturnType<typeof startDemoOperator>>;
  let run: Ended;

  const reportFile = (ending: string): string => {
    const name = readdirSync(folder).find(
      (file) => file.startsWith('conformance-demo-operator-') && file.endsWith(ending),
    );
    assert.ok(name);
    return join(folder, name);
  };
  const changed = (ending: string, change: (content: string) => string): string => {
    const file = join(folder, `changed${ending}`);
    writeFileSync(file, change(readFileSync(reportFile(ending), 'utf8')));
    return file;
  };

  before('run it against the demo operator', async () => {
    assert.equal((await inProcess('keygen', '--out', folder)).code, 0);
    demo = await startDemoOperator();
    run = await inProcess(
      ...['run', '--operator', 'Demo operator', '--adapter', demo.adapter, '--webhooks', demo.webhooks],
      ...['--port', '0', '--settle-seconds', '0.5', '--recovery-seconds', '5', '--at-once', '12'],
      ...['--key', key, '--out', folder],
    );
  });
  after(() => {
    demo.child.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('passes the demo operator in every check', () => {
    assert.deepEqual(
      run.stdout.split('\n').filter((line) => /^(FAIL|–| )/.test(line)),
      [],
    );
    assert.equal(run.code, 0);
    const { report } = JSON.parse(readFileSync(reportFile('.json'), 'utf8')) as SignedReport;
    assert.equal(report.outcome, 'passed');
    assert.equal(report.operator, 'Demo operator');
    assert.equal(report.checks.length, CHECKS.length);
  });

  it('verifies both forms of the report with the public key; neither holds secrets or what players are', async () => {
    for (const ending of ['.json', '.html']) {
      const content = readFileSync(reportFile(ending), 'utf8');
      for (const secret of [/whsec_/, /key_test_/, /\b\d{11}\b/, /@player\.test/, /Kit Player/])
        assert.doesNotMatch(content, secret);
      const { code, stdout } = await here('verify', reportFile(ending), '--public-key', publicKey);
      assert.match(stdout, /^genuine: Demo operator, passed, run [0-9a-f]{8} of /);
      assert.equal(code, 0);
    }
  });

  it('sees any change: of the data, of the page alone, and under another key', async () => {
    const verify = (file: string, by = publicKey) => here('verify', file, '--public-key', by);
    const other = join(folder, 'other');
    await here('keygen', '--out', other);
    const tries = [
      await verify(changed('.json', (json) => json.replace('Demo operator', 'Casa Azul'))),
      await verify(changed('.json', (json) => json.replace('"passed"', '"passed", "more": 1'))),
      await verify(changed('.html', (page) => page.replaceAll('Demo operator', 'Casa Azul'))),
      await verify(changed('.html', (page) => page.replace('<h1>Demo operator</h1>', '<h1>Casa Azul</h1>'))),
      await verify(changed('.html', (page) => page.replace('</style>', '.failed { display: none }</style>'))),
      await verify(reportFile('.json'), join(other, 'report-key.public.pem')),
    ];
    assert.deepEqual(
      tries.map(({ code, stdout }) => [code, stdout.split(':')[0]]),
      tries.map(() => [1, 'not genuine']),
    );
  });
});
