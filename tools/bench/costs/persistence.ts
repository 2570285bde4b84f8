// What Temporal's roles ask of their persistence, by their own metrics. The dev server serves none.
import type { Counters } from './readings.js';

/** The write that a workflow's every step is. */
const STEP = 'UpdateWorkflowExecution';

/** Requests of all roles; how many of them were a workflow's step, and the seconds that those took. */
export async function readPersistence(urls: readonly string[]): Promise<Counters> {
  if (urls.length === 0) return {};
  const samples = (await Promise.all(urls.map(readSamples))).flat();
  const sum = (name: RegExp, labels: (text: string) => boolean = () => true) =>
    samples
      .filter((sample) => name.test(sample.name) && labels(sample.labels))
      .reduce((total, { value }) => total + value, 0);
  const isStep = (labels: string) => labels.includes(`operation="${STEP}"`);
  return {
    persistenceRequests: sum(/^persistence_requests(_total)?$/),
    persistenceSteps: sum(/^persistence_latency(_seconds)?_count$/, isStep),
    persistenceStepSeconds: sum(/^persistence_latency(_seconds)?_sum$/, isStep),
  };
}

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

async function readSamples(url: string): Promise<Sample[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return [...(await response.text()).matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels,
    value: Number(value),
  }));
}
