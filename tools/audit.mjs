// `npm run audit [-- --required]`: known vulnerabilities of every package in package-lock.json, by the registry. Also
// of those that only build the image, because their code runs where it is made. Fails for each that
// ops/supply-chain/audit-exceptions.json does not accept today, and without an answer. A registry that has no
// advisories, and says so, fails it only if they are required.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot } from './bootstrap/root.mjs';
import { judgeAudit } from './audit/judge.mjs';

const TIMEOUT_MS = 120_000;

const isRequired = process.argv.includes('--required');
const { exceptions } = JSON.parse(readFileSync(inRoot('ops', 'supply-chain', 'audit-exceptions.json'), 'utf8'));
const { stdout } = spawnSync('npm', ['audit', '--package-lock-only', '--json'], {
  cwd: inRoot(),
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  maxBuffer: 64 * 1024 * 1024,
});
const { answer, problems } = judgeAudit(stdout ?? '', exceptions, new Date().toISOString().slice(0, 10));
for (const problem of problems) process.stdout.write(`✗ ${problem}\n`);
if (answer === 'none') process.stdout.write('✗ not checked: the registry did not answer\n');
if (answer === 'no_advisories')
  process.stdout.write(`${isRequired ? '✗' : '!'} not checked: this registry has no advisories\n`);
if (answer === 'given' && problems.length === 0) process.stdout.write('✓ no advisory that is not accepted\n');
process.exitCode = problems.length > 0 || answer === 'none' || (isRequired && answer !== 'given') ? 1 : 0;
