// Finds nginx, the TLS edge of `npm run cluster`: on PATH, or unpacked from the system's package without installing it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { step } from '../../tools/bootstrap/progress.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { runCommand } from '../../tools/bootstrap/run-command.mjs';
import { cachedTool } from '../../tools/bootstrap/tool-cache.mjs';
import { findOnPath, isExecutable, outputOf } from '../../tools/bootstrap/programs.mjs';
import type { Environment, Tool } from '../../tools/bootstrap/programs.mjs';

/** Which of them holds the program and which one only names others differs between releases of Debian and Ubuntu. */
const PACKAGES = ['nginx', 'nginx-light'] as const;
const TIMEOUT_MS = 5 * 60_000;
// Where packages put it, and where few people have their PATH.
const USUAL_PLACES = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];
const HOW_TO_GET_IT = `Install nginx (Debian: apt-get install nginx; macOS: brew install nginx).`;

/** The nginx to use. Throws a {@link Failure} that says how to get one. */
export async function resolveNginx(environment: Environment): Promise<Tool> {
  const found = findOnPath('nginx', environment) ?? USUAL_PLACES.find(isExecutable);
  if (found !== undefined && runs(found)) return { path: found, origin: found };
  const packages = findOnPath('apt-get', environment);
  if (packages === undefined) throw new Failure(`There is no nginx on this machine. ${HOW_TO_GET_IT}`);
  const program = PACKAGES.map(candidate).find((one) => one !== undefined);
  if (program === undefined)
    throw new Failure(
      `There is no nginx on this machine, and apt-get knows no package of it (try "apt-get update"). ${HOW_TO_GET_IT}`,
    );
  const make = (folder: string) => unpack(folder, packages, program.name);
  return cachedTool(
    {
      name: 'nginx',
      version: program.version.replace(/[^\w.+-]/g, '_'),
      executable: join('usr', 'sbin', 'nginx'),
      runs,
      make,
    },
    environment,
  );
}

/**
 * The package as apt-get would install it; undefined when there is none, or only a meta-package (architecture `all`).
 */
function candidate(name: string): { readonly name: string; readonly version: string } | undefined {
  const fields = outputOf('apt-cache', ['show', '--no-all-versions', name]);
  const field = (label: string) => fields?.match(new RegExp(`^${label}: (\\S+)$`, 'm'))?.[1];
  const [version, architecture] = [field('Version'), field('Architecture')];
  return version === undefined || architecture === 'all' ? undefined : { name, version };
}

const runs = (path: string) => outputOf(path, ['-v']) !== undefined;

/** `apt-get download` checks the package's signature, and neither it nor dpkg-deb changes the system. */
async function unpack(folder: string, aptGet: string, name: string): Promise<string> {
  const logFile = inRoot('var', 'logs', 'build-nginx.log');
  const run = async (command: string, args: string[]) => {
    const { code } = await runCommand(command, args, { logFile, timeoutMs: TIMEOUT_MS, cwd: folder, env: {} });
    if (code !== 0)
      throw new Failure(
        `nginx could not be fetched ("${command} ${args.join(' ')}" failed). ${HOW_TO_GET_IT}`,
        logFile,
      );
  };
  await step(`fetching ${name} from the system's packages`, async () => {
    await run(aptGet, ['download', name]);
    const file = readdirSync(folder).find((entry) => entry.endsWith('.deb'));
    if (file === undefined) throw new Failure(`apt-get fetched nothing. ${HOW_TO_GET_IT}`, logFile);
    await run('dpkg-deb', ['-x', file, '.']);
  });
  return `the system's package ${name}, unpacked`;
}
