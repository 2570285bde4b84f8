// oasdiff, which names the changes between two OpenAPI documents. Built once from its pinned source; Go checks its sum.
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { cachedTool } from '../../tools/bootstrap/tool-cache.mjs';

const VERSION = '1.37.0';
const BUILD_MS = 10 * 60_000;
const run = promisify(execFile);

function runs(executable: string): boolean {
  try {
    execFileSync(executable, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The changes that break a program, in words; none: `[]`. */
export async function breakingChanges(before: string, after: string): Promise<readonly string[]> {
  const { path } = await cachedTool(
    {
      name: 'oasdiff',
      version: VERSION,
      executable: 'oasdiff',
      runs,
      make: async (folder) => {
        const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '-ldflags=-s' };
        await run('go', ['install', `github.com/oasdiff/oasdiff@v${VERSION}`], { env, cwd: folder, timeout: BUILD_MS });
        return `built from source (oasdiff ${VERSION})`;
      },
    },
    process.env,
  );
  const { stdout } = await run(path, ['breaking', '--format', 'json', before, after], { maxBuffer: 16 * 1024 * 1024 });
  const changes = JSON.parse(stdout) as readonly Change[];
  return changes
    .filter(({ level }) => level === ERROR)
    .map(({ operation, path: route, text }) => `${operation} ${route}: ${text}`);
}

interface Change {
  readonly operation: string;
  readonly path: string;
  readonly text: string;
  readonly level: number;
}

/** oasdiff's levels: 3 breaks programs, 2 may, 1 does not. */
const ERROR = 3;
