// `npm run audit [-- --required]`: known vulnerabilities of what production installs, by the registry. Fails for each
// that ops/supply-chain/audit-exceptions.json does not accept today. A registry that does not answer fails it only if
// required.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot } from './bootstrap/root.mjs';
import { judgeAudit } from './audit/judge.mjs';

const TIMEOUT_MS = 120_000;

const isRequired = process.argv.includes('--required');
const { exceptions } = JSON.parse(readFileSync(inRoot('ops', 'supply-chain', 'audit-exceptions.json'), 'utf8'));
const { stdout } = spawnSync('npm', ['audit', '--omit', 'dev', '--package-lock-only', '--json'], {
  cwd: inRoot(),
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  maxBuffer: 64 * 1024 * 1024,
});
const { isAnswered, problems } = judgeAudit(stdout ?? '', exceptions, new Date().toISOString().slice(0, 10));
for (const problem of problems) process.stdout.write(`✗ ${problem}\n`);
if (!isAnswered) process.stdout.write('! not checked: the registry answered no audit\n');
else if (problems.length === 0) process.stdout.write('✓ no advisory that is not accepted\n');
process.exitCode = problems.length > 0 || (isRequired && !isAnswered) ? 1 : 0;
