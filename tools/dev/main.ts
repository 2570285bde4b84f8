// `npm run dev`: the stack of `npm start` without its demo. Saving a file restarts the processes that use it.
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { mustRun } from '../bootstrap/run-command.mjs';
import { PRODUCT_FOLDERS } from '../layout/folders.mjs';
import { PATHS } from '../stack/paths.js';
import { PROGRAMS } from '../stack/services.js';
import { inSession, stayWith } from '../stack/session.js';
import { readSettings } from '../stack/settings.js';
import { Stack } from '../stack/stack.js';
import { placesOf } from '../stack/start.js';
import { filesOf } from './imports.js';
import { type Program, reloadOnSave } from './reload.js';

const BUNDLE_ENTRIES = ['index.js', 'traced.js'].map((file) => inRoot('dist', 'workflows', file));
const BUNDLE_TIMEOUT_MS = 3 * 60_000;

/** @returns the exit code; never throws */
export function dev(): Promise<number> {
  return inSession({
    settings: () => readSettings(process.env),
    paths: PATHS,
    stopRunning: false,
    work: async (settings, own) => {
      const startedAt = performance.now();
      const stack = own(new Stack(settings, process.env));
      const running = await stack.start();
      reloadOnSave({
        root: inRoot(),
        folders: [...new Set(PRODUCT_FOLDERS.map((folder) => folder.split('/')[0] ?? ''))],
        programs: programsOf(stack),
        print: say,
      });
      say(`\nThe gateway is up at ${running.sandbox.base_url} (${formatDuration(performance.now() - startedAt)}).`);
      say('Save a source file: the processes that use it are restarted.');
      return stayWith(placesOf(running, settings));
    },
  });
}

function programsOf(stack: Stack): Program[] {
  return PROGRAMS.map(({ name, program }) => {
    const main = inRoot('dist', program, 'main.js');
    const restart = () => stack.restart(name);
    return name === 'worker'
      ? { name, entries: [main, ...BUNDLE_ENTRIES], prepare: bundle, restart }
      : { name, entries: [main], restart };
  });
}

/** A worker loads workflows from a bundle, which is made again when one of its files has changed. */
async function bundle(changed: ReadonlySet<string>): Promise<void> {
  if (![...filesOf(BUNDLE_ENTRIES)].some((file) => changed.has(file))) return;
  await mustRun(process.execPath, [inRoot('dist', 'worker', 'bundle-workflows.js')], {
    what: 'bundling the workflows',
    cwd: inRoot(),
    logFile: inRoot('var', 'logs', 'build-bundle.log'),
    timeoutMs: BUNDLE_TIMEOUT_MS,
  });
}
