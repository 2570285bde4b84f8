// Reads what Stryker found: each mutant with its fate, and the reason where a survivor makes no difference.
import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { EQUIVALENT } from './equivalent.mjs';
import { resultsOf } from './stryker.mjs';

/**
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {'killed' | 'timeout' | 'survived' | 'uncovered'} fate
 * @property {string} from the source text that was replaced, on one line
 * @property {string} to what replaced it
 * @property {string | null} reason why the change makes no difference; null if no reason is recorded
 */

const FATES = /** @type {Readonly<Record<string, Mutant['fate']>>} */ ({
  Killed: 'killed',
  // A test file that cannot be loaded has noticed, too.
  RuntimeError: 'killed',
  Timeout: 'timeout',
  Survived: 'survived',
  NoCoverage: 'uncovered',
});

/**
 * The mutants of an area whose files are still there; ignored ones are left out.
 * @param {string} area
 * @param {readonly string[]} files
 * @returns {Mutant[]}
 */
export function mutantsOf(area, files) {
  if (!existsSync(resultsOf(area))) return [];
  const report = JSON.parse(readFileSync(resultsOf(area), 'utf8'));
  return files.flatMap((file) => {
    const result = report.files[file];
    // Results of an earlier version of the file say nothing about this one.
    if (result === undefined || result.source !== readFileSync(inRoot(file), 'utf8')) return [];
    return result.mutants.flatMap((mutant) => {
      const fate = FATES[mutant.status];
      if (fate === undefined) return [];
      const from = oneLine(spanOf(result.source, mutant.location));
      const to = oneLine(mutant.replacement ?? mutant.mutatorName);
      return [{ file, line: mutant.location.start.line, fate, from, to, reason: reasonOf(file, from, to) }];
    });
  });
}

/**
 * @param {string} file
 * @param {string} from
 * @param {string} to
 */
function reasonOf(file, from, to) {
  const reasons = Object.entries(EQUIVALENT).find(([known]) => file.endsWith(known))?.[1] ?? {};
  const isThis = ([source, replacement]) => source === from && replacement === to;
  return Object.entries(reasons).find(([, changes]) => changes.some(isThis))?.[0] ?? null;
}

function spanOf(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}
