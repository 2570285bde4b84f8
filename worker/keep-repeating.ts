// Repeats a piece of a process's own work until it is stopped: one turn at a time, each after the pause that the last
// one asked for.

/** `turn` answers the pause before the next one, and never throws. `stop` waits for the turn under way. */
export function keepRepeating(turn: () => Promise<number>): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const next = (pauseMs: number) => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = turn().then(next);
    }, pauseMs).unref();
  };
  let running = turn().then(next);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
