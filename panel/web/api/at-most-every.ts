// Throttles a function.

/**
 * Runs it at once, then at most once in each period. A call within a period runs when the period ends, so
 * that the last request is never dropped.
 */
export function atMostEvery(periodMs: number, act: () => void): () => void {
  let isPausing = false;
  let isAskedAgain = false;
  return function ask(): void {
    isAskedAgain = isPausing;
    if (isPausing) return;
    isPausing = true;
    act();
    setTimeout(() => {
      isPausing = false;
      if (isAskedAgain) ask();
    }, periodMs);
  };
}
