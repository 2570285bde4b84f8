// Requests of Temporal's roles to their persistence, from their metrics. The dev server serves none.
import type { Counters } from './readings.js';

/** The write of every workflow step. */
const STEP = 'UpdateWorkflowExecution';

/** Requests of all roles, the number of workflow steps among them, and how many seconds those took. */
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
