// The table of what was found, and the share of it.
import { markdownTable } from '../../tools/bootstrap/table.mjs';
import { AREAS } from './faults/index.mjs';

/**
 * @typedef {import('./faults/index.mjs').PlantedFault} PlantedFault
 * @typedef {{ fault: PlantedFault, result: import('./results.mjs').Result | null }} Answer
 */

/**
 * @param {readonly Answer[]} answers
 * @returns {number} per cent of the faults that were found; those without a result count as not found
 */
export function shareFound(answers) {
  return answers.length === 0 ? 100 : (answers.filter(isFound).length / answers.length) * 100;
}

/** @param {readonly Answer[]} answers */
export function report(answers) {
  const rows = answers.map(({ fault, result }) => [
    fault.name,
    fault.kind,
    fault.file,
    result?.outcome ?? 'not run',
    result?.seed ?? '',
    result === null ? '' : String(result.processorSeconds ?? '?'),
  ]);
  const perArea = AREAS.map(({ name, faults }) => ({
    name,
    own: answers.filter(({ fault }) => faults.includes(fault)),
  }))
    .filter(({ own }) => own.length > 0)
    .map(({ name, own }) => figures(name, own));
  return [
    markdownTable(['fault', 'kind', 'file', 'outcome', 'seed', 'processor seconds'], rows),
    markdownTable(['area', 'faults', 'found', 'share', 'median s', 'most s'], [...perArea, figures('all', answers)]),
  ].join('\n\n');
}

/**
 * @param {string} name
 * @param {readonly Answer[]} answers
 */
function figures(name, answers) {
  const found = answers.filter(isFound).length;
  const seconds = answers.flatMap((answer) => (isFound(answer) ? (answer.result?.processorSeconds ?? []) : []));
  seconds.sort((one, other) => one - other);
  const spent = [seconds[Math.floor((seconds.length - 1) / 2)], seconds.at(-1)].map((value) => String(value ?? ''));
  return [name, String(answers.length), String(found), `${shareFound(answers).toFixed(1)} %`, ...spent];
}

/** @param {Answer} answer */
function isFound({ result }) {
  return result?.outcome === 'found';
}
