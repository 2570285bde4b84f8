// The files whose functions were called, by V8's count of calls.
import { Session } from 'node:inspector';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WORKFLOW_BUNDLE } from '../../worker/bundle-path.js';

const BUILT = fileURLToPath(new URL('../../', import.meta.url));
/** What a payment is made of; the rest is the world that asks for it. */
const OURS = /^(activities|api|contract|domain|ingress|platform|providers|store|worker|workflows)\//;
/** Where a module begins in the bundle of the workflows. */
const MODULE = /^\/\*\*\*\/ "\.\/(?:dist\/)?([^"]+)\.js"/gm;

export class CalledFiles {
  readonly #session = new Session();
  readonly #modules: readonly { readonly at: number; readonly file: string }[];
  readonly #bundles = new Set<string>();

  /** After workflows have run: their bundle, whose script has no name, is found by its length. */
  constructor() {
    const bundle = readFileSync(WORKFLOW_BUNDLE, 'utf8');
    this.#modules = [...bundle.matchAll(MODULE)].map((found) => ({ at: found.index, file: `${found[1]}.ts` }));
    this.#session.connect();
    this.#session.on('Debugger.scriptParsed', ({ params: { scriptId, length = 0 } }) => {
      if (Math.abs(length - bundle.length) < bundle.length / 100) this.#bundles.add(scriptId);
    });
    this.#session.post('Debugger.enable');
    this.#session.post('Debugger.disable');
    if (this.#bundles.size === 0) throw new Error('no workflow has run');
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    this.since();
  }

  /** Ours of which a function was called since the last look, in order. Loading a file calls none. */
  since(): string[] {
    const files = new Set<string>();
    this.#session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error !== null) throw error;
      for (const { scriptId, url, functions } of answer.result)
        for (const { ranges } of functions) {
          const [{ startOffset, count } = { startOffset: 0, count: 0 }] = ranges;
          if (count > 0 && startOffset > 0) files.add(this.#fileAt(scriptId, url, startOffset));
        }
    });
    return [...files].filter((file) => OURS.test(file)).sort();
  }

  #fileAt(scriptId: string, url: string, offset: number): string {
    if (this.#bundles.has(scriptId)) return this.#modules.findLast(({ at }) => at < offset)?.file ?? '';
    return url.startsWith('file:') ? relative(BUILT, fileURLToPath(url)).replace(/\.js$/, '.ts') : '';
  }

  close(): void {
    this.#session.disconnect();
  }
}
