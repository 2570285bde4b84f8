// How property tests run: with a fixed seed, so that the same build is asked the same; longer and otherwise on demand.
import type { Parameters } from 'fast-check';

export const SEED = numberOf('PROPERTY_SEED', 20_261_121);
const FACTOR = numberOf('PROPERTY_FACTOR', 1);

/**
 * `numRuns` is the size of the run in CI; PROPERTY_FACTOR multiplies it, PROPERTY_SEED begins elsewhere, PROPERTY_PATH
 * repeats one failure.
 */
export function runs<Values>(numRuns: number): Parameters<Values> {
  const path = process.env['PROPERTY_PATH'];
  return { seed: SEED, numRuns: numRuns * FACTOR, ...(path === undefined ? {} : { path, endOnFailure: true }) };
}

/** Time for so many runs. */
export function timeoutFor(milliseconds: number): number {
  return milliseconds * FACTOR;
}

function numberOf(variable: string, otherwise: number): number {
  const given = Number(process.env[variable] ?? otherwise);
  if (!Number.isSafeInteger(given)) throw new Error(`${variable} must be a whole number`);
  return given;
}
