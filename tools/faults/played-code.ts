// Which code a campaign plays. Results keep it: an old result says nothing about newer code.
import { execFileSync } from 'node:child_process';
import { root } from '../bootstrap/root.mjs';
import { PRODUCT_FOLDERS } from '../layout/folders.mjs';

/**
 * The commit, short; with a "+" where files of the product differ from it. `null` in a copy without Git.
 *
 * @param folder of the working tree
 */
export function playedCode(folder: string = root): string | null {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const commit = git('rev-parse', '--short=8', 'HEAD');
    return git('status', '--porcelain', '--', ...PRODUCT_FOLDERS) === '' ? commit : `${commit}+`;
  } catch {
    return null;
  }
}
