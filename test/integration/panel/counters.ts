// What the panel's stream shows a person.
import { eventually } from '../../../lab/harness/eventually.js';
import type { PanelWorld, Person } from './world.js';

/** The counters that a person’s stream sends first. */
export async function firstCounters(world: PanelWorld, person: Person): Promise<Record<string, unknown>> {
  const stream = openStream(world, person);
  const text = await stream.until(/event: counters\ndata: (.*)\n/);
  stream.end();
  return JSON.parse(/event: counters\ndata: (.*)\n/.exec(text)?.[1] ?? '{}') as Record<string, unknown>;
}

/** The text of a stream so far. */
export function openStream({ port }: PanelWorld, { cookie }: Person) {
  const aborter = new AbortController();
  let text = '';
  void (async () => {
    const response = await fetch(`http://127.0.0.1:${port}/api/stream`, {
      headers: { cookie },
      signal: aborter.signal,
    });
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString('utf8');
  })().catch(() => undefined);
  return {
    async until(pattern: RegExp): Promise<string> {
      await eventually(() => Promise.resolve(pattern.test(text)), `the stream says ${pattern.source}`);
      return text;
    },
    end: () => aborter.abort(),
  };
}
