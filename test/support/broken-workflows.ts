// Workflow code that is broken on purpose, added to the gateway's own: each kind of code that never yields, and code
// that fails. In the text of the bundle, because the product has no such workflows.
import { readFile } from 'node:fs/promises';
import { WORKFLOW_BUNDLE } from '../../worker/bundle-path.js';

/** The ways not to yield, as workflow types. Each one ends by itself if its argument is `false`. */
export const ENDLESS_TYPES = ['endlessLoop', 'endlessPromises', 'endlessConditions'] as const;

const BROKEN = `
const activator = () => globalThis.__TEMPORAL_ACTIVATOR__;
const condition = (isMet) => new Promise((resolve) => {
  const { blockedConditions, nextSeqs } = activator();
  blockedConditions.set(nextSeqs.condition++, { fn: isMet, resolve });
});
const timer = (ms) => new Promise((resolve, reject) => {
  const seq = activator().nextSeqs.timer++;
  activator().completions.timer.set(seq, { resolve, reject });
  activator().pushCommand({ startTimer: { seq, startToFireTimeout: { seconds: 0, nanos: ms * 1e6 } } });
});
const endless = (once) => async (isBroken) => {
  await Promise.resolve();
  // Continuations that are queued when the loop begins, and would run as part of whatever runs next.
  const leak = async () => { await Promise.resolve(); await Promise.resolve(); void timer(7); };
  while (isBroken) { void leak(); await once(); }
  return 'ended';
};
const BROKEN = {
  endlessLoop: endless(() => { for (;;); }),
  endlessPromises: endless(() => Promise.resolve()),
  endlessConditions: endless(() => condition(() => true)),
  waiting: () => new Promise(() => undefined),
  failing: async () => { throw new TypeError('broken on purpose'); },
  // Does something else when its history is replayed.
  changing: async () => { if (!activator().info.unsafe.isReplaying) await timer(10); return 'ended'; },
  // The gateway's own deposit, unless it was started with a memo of how it shall be broken.
  deposit: async (input) => {
    const { memo, unsafe } = activator().info;
    if (memo?.broken === 'endless') await endless(() => { for (;;); })(true);
    // As a native crash does. A function that the SDK gave to the workflow's context knows the process.
    if (memo?.broken === 'deadly') console.log.constructor('process.kill(process.pid, "SIGKILL")')();
    if (input.order?.externalId.startsWith('deadly-')) console.log.constructor('process.kill(process.pid, "SIGKILL")')();
    // Does something else when its history is replayed, as after a reset.
    if (memo?.broken === 'changing' && !unsafe.isReplaying) await timer(10);
    return GATEWAY.deposit(input);
  },
  // Answers with the name of the workflow it runs as, again and again.
  honest: async (rounds) => {
    for (let round = 0; round < rounds; round += 1) await timer(10);
    return activator().info.workflowId;
  },
};`;

/** The released bundle with the broken workflows. */
export async function brokenBundle(): Promise<{ readonly code: string }> {
  return { code: withBroken(await readFile(WORKFLOW_BUNDLE, 'utf8')) };
}

/** Adds the broken workflows to the text of a bundle. */
export function withBroken(bundle: string): string {
  const parts = bundle.split(/(?<=exports\.importWorkflows = function importWorkflows\(\) \{\n\s*return )([^;]+)(?=;)/);
  const [before, workflows, after] = parts;
  if (parts.length !== 3) throw new Error('the bundle does not import its workflows where it did');
  return `${before}((GATEWAY) => {${BROKEN} return { ...GATEWAY, ...BROKEN }; })(${workflows})${after}`;
}
