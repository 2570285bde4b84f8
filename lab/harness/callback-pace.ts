// Banks repeat a callback that was not taken after minutes. Tests make that about a second; the pauses grow alike.
import type { DialectName } from '../../providers/settings.js';
import { SIMULATED_DIALECTS } from '../../sandbox/simulator/dialect-table.js';

const FIRST_REPEAT_MS = 1_000;

/** `SIMULATOR_CALLBACK_PACE` for a simulator that plays this dialect. */
export function callbackPaceOf(dialect: DialectName): string {
  const [, firstPauseMs = FIRST_REPEAT_MS] = SIMULATED_DIALECTS[dialect].callbackPausesMs;
  return String(FIRST_REPEAT_MS / firstPauseMs);
}
