// Finds Chromium, for the tests of the panel and the pictures of the docs: CHROMIUM_PATH, or a pinned build that npm
// fetches and whose hash is checked, kept in the cache of tools; without npm's registry the system's own. What npm
// fetches brings the libraries and the font of a machine that has never had a browser.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { Failure } from '../bootstrap/failure.mjs';
import { step } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { runCommand } from '../bootstrap/run-command.mjs';
import { cachedTool } from '../bootstrap/tool-cache.mjs';
import { findOnPath, isExecutable, outputOf } from '../bootstrap/programs.mjs';
import type { Environment, Tool } from '../bootstrap/programs.mjs';

/** A headless build for x86-64 Linux. */
const PACKAGE = '@sparticuz/chromium';
const VERSION = '153.0.0';
/** As `npm view` reports it. Other content is not run. */
const SHA512 = 'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';
/** The program, the libraries that it needs in addition to the C library, and a font. */
const PARTS = ['chromium', 'al2023.tar', 'fonts.tar'];
/** The package's own names other places. */
const FONTS_CONF =
  '<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fonts</cachedir></fontconfig>\n';
const TIMEOUT_MS = 5 * 60_000;
const HOW_TO_CHOOSE = 'Install Chromium (Debian: apt-get install chromium), or name one with CHROMIUM_PATH.';

/** Flags under which it asks nothing of the network by itself. */
const FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How Playwright starts the Chromium to use. Throws a {@link Failure} that says how to get one. */
export async function chromiumLaunch(environment: Environment) {
  const { path } = await resolveChromium(environment);
  return { executablePath: path, args: [...FLAGS], env: environmentOf(path, environment) };
}

async function resolveChromium(environment: Environment): Promise<Tool> {
  const chosen = environment['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return { path: chosen, origin: 'CHROMIUM_PATH' };
  const runs = (path: string) => startsWith(path, environmentOf(path, environment));
  const installed = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => findOnPath(name, environment));
  const own = installed.find((path) => path !== undefined && runs(path));
  if (process.platform !== 'linux' || process.arch !== 'x64') return own === undefined ? missing() : found(own);
  const spec = { name: 'chromium', version: VERSION, executable: 'chromium', make: fetchPinned, runs };
  return cachedTool(spec, environment).catch((error: unknown) => {
    if (own === undefined) throw error;
    return found(own);
  });
}

const found = (path: string): Tool => ({ path, origin: path });
const startsWith = (path: string, env: NodeJS.ProcessEnv) =>
  isExecutable(path) && outputOf(path, ['--version'], { env }) !== undefined;

/** The machine's libraries and fonts where it has them, otherwise those that came with Chromium. */
function environmentOf(path: string, environment: Environment): Record<string, string> {
  const own = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const libraries = join(dirname(path), 'lib');
  if (!existsSync(libraries)) return own;
  return {
    ...own,
    ...(startsWith(path, own) ? {} : { LD_LIBRARY_PATH: libraries }),
    ...(existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: dirname(path) }),
  };
}

function missing(): never {
  throw new Failure(`There is no Chromium on this machine. ${HOW_TO_CHOOSE}`);
}

async function fetchPinned(folder: string): Promise<string> {
  const logFile = inRoot('var', 'logs', 'build-chromium.log');
  const run = async (command: string, args: string[]) => {
    const { code } = await runCommand(command, args, { logFile, timeoutMs: TIMEOUT_MS, cwd: folder });
    if (code !== 0)
      throw new Failure(`Chromium could not be fetched ("${command} ${args[0]}" failed). ${HOW_TO_CHOOSE}`, logFile);
  };
  const archive = join(folder, `${PACKAGE.replace('@', '').replace('/', '-')}-${VERSION}.tgz`);
  await step('fetching Chromium (70 MB, once)', async () => {
    await run('npm', ['pack', `${PACKAGE}@${VERSION}`]);
    const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (hash !== SHA512) throw new Failure(`What npm fetched is not the Chromium that is pinned: sha512 ${hash}`);
    await run('tar', ['-xzf', archive, '--strip-components=2', ...PARTS.map((part) => `package/bin/${part}.br`)]);
    for (const part of PARTS) {
      const target = createWriteStream(join(folder, part), { mode: 0o755 });
      await pipeline(createReadStream(join(folder, `${part}.br`)), createBrotliDecompress(), target);
      rmSync(join(folder, `${part}.br`));
    }
    for (const part of PARTS.filter((name) => name.endsWith('.tar'))) {
      await run('tar', ['-xf', part, '--no-same-owner']);
      rmSync(join(folder, part));
    }
    writeFileSync(join(folder, 'fonts.conf'), FONTS_CONF);
    rmSync(archive);
  });
  return `${PACKAGE} ${VERSION} from npm`;
}
