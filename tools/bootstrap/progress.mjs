// Progress as plain lines with elapsed times: readable in a terminal, in a file and in a CI log alike.

const HEARTBEAT_MS = 15_000;

/**
 * @param {number} ms
 * @returns {string} "340 ms", "3.2 s" or "2 min 05 s"
 */
export function formatDuration(ms) {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 100_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Prints a piece of work when it begins, every 15 s while it lasts, and with its duration when it ends.
 * @template T
 * @param {string} title
 * @param {(detail: (text: string) => void) => Promise<T>} work `detail` sets what the next "still at it" line adds
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const startedAt = performance.now();
  const elapsed = () => formatDuration(performance.now() - startedAt);
  let detail = '';
  say(`  · ${title} …`);
  const heartbeat = setInterval(() => say(`    … ${title}: ${elapsed()}${detail && `, ${detail}`}`), HEARTBEAT_MS);
  try {
    const result = await work((text) => (detail = text));
    say(`  ✓ ${title} (${elapsed()})`);
    return result;
  } catch (error) {
    say(`  ✗ ${title} (${elapsed()})`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}
