// Which process uses how much of the machine's processors: what gives way first under load.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Seconds of processor time since its start, by what the process is. */
export type ProcessorSeconds = ReadonlyMap<string, number>;

/** The kernel's clock ticks in a second, as it shows them to programs. */
const TICKS_PER_SECOND = 100;

const KINDS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  // The processes that face the internet, together: callbacks are few compared with requests.
  { name: 'api', pattern: /dist\/(api|ingress)\/main\.js/ },
  { name: 'worker', pattern: /dist\/worker\/main\.js/ },
  { name: 'simulator', pattern: /dist\/sandbox\/simulator\/main\.js/ },
  { name: 'Temporal', pattern: /server start-dev|\/temporal-server / },
  { name: 'PostgreSQL for Temporal', pattern: /^postgres: \S+ temporal/ },
  { name: 'PostgreSQL', pattern: /postgres/ },
];

/** Of this process and everything that it has started. Postgres’s short-lived parts count while they live. */
export async function processorSeconds(): Promise<ProcessorSeconds> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,cputimes=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  const rows = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, seconds, command = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), seconds: exactSeconds(pid) ?? Number(seconds), command }];
  });
  const ours = new Set([process.pid]);
  for (let before = 0; before !== ours.size;) {
    before = ours.size;
    for (const { pid, parent } of rows) if (ours.has(parent)) ours.add(pid);
  }
  const sums = new Map<string, number>([
    ...KINDS.map(({ name }): [string, number] => [name, 0]),
    ['load generator, proxy and receiver', 0],
  ]);
  for (const { pid, seconds, command } of rows.filter((row) => ours.has(row.pid))) {
    const kind =
      pid === process.pid
        ? 'load generator, proxy and receiver'
        : KINDS.find(({ pattern }) => pattern.test(command))?.name;
    if (kind !== undefined) sums.set(kind, (sums.get(kind) ?? 0) + seconds);
  }
  return sums;
}

/** `ps` counts whole seconds; Linux reports hundredths. */
function exactSeconds(pid: string): number | null {
  try {
    // Behind the name in parentheses, which may hold anything: user and system time are the 12th and 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}
