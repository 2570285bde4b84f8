// What a fault campaign records and reports: which code was played, how far, and where a scenario does not apply.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTrafficJudge, recordTraffic } from '../../../tools/faults/environment/traffic.js';
import { readFaultOptions } from '../../../tools/faults/options.js';
import { playedCode } from '../../../tools/faults/played-code.js';
import { type Kept, type Results, staleIn } from '../../../tools/faults/results.js';
import { isPlayedAt } from '../../../tools/faults/scenario.js';
import { SCENARIOS } from '../../../tools/faults/scenarios/index.js';
import { SETTING_NAMES } from '../../../tools/faults/settings.js';
import { resultText, summaryTable } from '../../../tools/faults/summary.js';

const HELD: Kept = { runs: 1, failedSeeds: [], ranAt: '2026-11-25', commit: '0123abcd' };
const OLD: Kept = { ...HELD, ranAt: '2026-11-21', commit: null };

describe('fault campaign: the code that was played', () => {
  let folder: string;
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.test', ...args], { cwd: folder, encoding: 'utf8' });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-faults-'));
    mkdirSync(join(folder, 'domain'));
    writeFileSync(join(folder, 'domain', 'money.ts'), '1');
    writeFileSync(join(folder, 'README.md'), '1');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is the commit; with a + where files of the product differ from it, and only those', () => {
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
    const commit = git('rev-parse', '--short=8', 'HEAD').trim();
    writeFileSync(join(folder, 'README.md'), '2');
    assert.equal(playedCode(folder), commit);
    writeFileSync(join(folder, 'domain', 'money.ts'), '2');
    assert.equal(playedCode(folder), `${commit}+`);
  });

  it('is unknown in a copy without Git', () => {
    assert.equal(playedCode(folder), null);
  });
});

describe('fault campaign: its page', () => {
  it('a cell shows the day and the commit, where there is one, and the seeds that did not hold', () => {
    assert.equal(resultText(HELD), 'held (2026-11-25, 0123abcd)');
    assert.equal(resultText(OLD), 'held (2026-11-21)');
    assert.equal(resultText({ ...HELD, runs: 3 }), 'held 3 times (2026-11-25, 0123abcd)');
    assert.equal(
      resultText({ ...HELD, failedSeeds: [7, 9] }),
      '**did not hold** with seed 7, 9 (2026-11-25, 0123abcd)',
    );
    assert.equal(resultText(undefined), '');
  });

  it('the table counts the results of each environment, and lists the newest code first', () => {
    const scenarios = [{ name: 'one' }, { name: 'two' }, { name: 'three' }, { name: 'elsewhere', at: [] }];
    const none = Object.fromEntries(SETTING_NAMES.map((name) => [name, {}])) as Results;
    const results: Results = {
      ...none,
      dev: { one: OLD, two: { ...HELD, failedSeeds: [7] }, three: { ...OLD, ranAt: '2026-11-22' }, elsewhere: HELD },
    };
    const [, , dev, cluster] = summaryTable(scenarios, results);
    assert.equal(
      dev,
      '| dev server | 3 | 2 | 1 | 0 | 1 at 0123abcd (2026-11-25); 2 at an older commit (2026-11-21 to 2026-11-22) |',
    );
    assert.equal(cluster, '| cluster | 3 | 0 | 0 | 3 |  |');
  });
});

describe('fault campaign: what is to be played again', () => {
  it('is what no result with a commit is kept of, and first what was never played', () => {
    assert.deepEqual(staleIn({ one: OLD, two: HELD }, ['one', 'two', 'three']), ['three', 'one']);
    assert.equal(readFaultOptions(['--stale']).stale, true);
  });
});

describe('fault campaign: at a bank that receives only', () => {
  it('what is about withdrawals is not played, everything else is', () => {
    assert.equal(readFaultOptions(['--at', 'api-pix']).setting, 'api-pix');
    const isPlayed = (name: string) => {
      const scenario = SCENARIOS.find((one) => one.name === name);
      assert.ok(scenario !== undefined, name);
      return isPlayedAt(scenario, 'api-pix');
    };
    for (const name of ['worker killed before sendPayout of a withdrawal', 'PostgreSQL killed before a payout is sent'])
      assert.equal(isPlayed(name), false, name);
    for (const name of ['PostgreSQL killed while a deposit is paid', 'provider: cut'])
      assert.equal(isPlayed(name), true, name);
  });
});

describe('fault campaign: the traffic with the bank', () => {
  it('is not judged where no document could be right, and says which variable names it', () => {
    assert.throws(() => openTrafficJudge('simulator', {}), /--record needs a bank with a published document/);
    assert.throws(() => openTrafficJudge('efi', {}), /--record needs API_PIX_DOCUMENT/);
    assert.throws(() => openTrafficJudge('woovi', { WOOVI_DOCUMENT: '' }), /--record needs WOOVI_DOCUMENT/);
  });

  it('is recorded between the two, judged once, and other slots are left out; both hear each other as ever', async () => {
    const bank = createServer((request, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'retry-after': '7' });
      request.resume().on('end', () => response.end(JSON.stringify({ of: request.url })));
    });
    await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
    const traffic = await recordTraffic((bank.address() as AddressInfo).port, (exchanges) => ({
      judged: exchanges.length,
      faults: exchanges.map(({ method, path, body, status }) => `${method} ${path} ${JSON.stringify(body)} ${status}`),
    }));
    const put = (path: string) =>
      fetch(`http://127.0.0.1:${traffic.port}${path}`, { method: 'PUT', body: JSON.stringify({ valor: '1.00' }) });
    try {
      const [answer] = [await put('/simulator/v2/cob/1'), await put('/simulator/v2/cob/1'), await put('/a/v2/cob/2')];
      assert.deepEqual(
        [answer.status, answer.headers.get('retry-after'), await answer.json()],
        [201, '7', { of: '/simulator/v2/cob/1' }],
      );
      assert.deepEqual(traffic.newFaults(), ['PUT /v2/cob/1 {"valor":"1.00"} 201']);
      assert.deepEqual([traffic.newFaults(), traffic.judged()], [[], 2]);
    } finally {
      await traffic.close();
      bank.closeAllConnections();
      await new Promise<void>((resolve) => bank.close(() => resolve()));
    }
  });
});
