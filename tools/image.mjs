// `node tools/image.mjs FOLDER`: copies what the gateway's processes need at run time, and nothing else, into a folder.
// The Dockerfile's build calls it after `npm run build`: everything is found by following the programs' own imports.
import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inRoot, root } from './bootstrap/root.mjs';
import { listFiles } from './bootstrap/stamp.mjs';

const { nodeFileTrace } = await import('@vercel/nft');

const PROGRAMS = [
  ...[
    'api',
    'ingress',
    'panel',
    'command',
    'worker',
    'sandbox/simulator',
    'sandbox/demo-operator',
    'cli',
    'prisma',
  ].map((name) => `dist/${name}/main.js`),
  'dist/worker/adapted-sdk.js',
  'dist/sandbox/prepare/main.js',
  'dist/sandbox/play/main.js',
];
/** Read by path and not imported. */
const DATA = [
  'package.json',
  'prisma/schema.prisma',
  'prisma/migrations',
  'prisma/functions',
  'prisma/administrator.sql',
  'dist/workflow-bundle.js',
  'dist/workflow-bundle-traced.js',
  'dist/api-reference',
  '.env.example',
  ...listFiles(inRoot('dist', 'store'), (name) => name.endsWith('.sql')).map((file) => relative(root, file)),
];
/** The panel's page and the documentation site, where they are built. */
const PAGES = ['dist/panel/web', 'dist/site'].filter((path) => existsSync(inRoot(path)));
/** Only building the workflow bundle takes these, which is done by then. */
const BUILD_ONLY = [
  'node_modules/@esbuild/**',
  'node_modules/esbuild/**',
  'node_modules/@swc/**',
  'node_modules/terser/**',
];

/** Temporal's package has its native library for every platform. */
const otherPlatforms = (/** @type {string} */ file) => {
  const [, target] = /core-bridge\/releases\/([^/]+)\//.exec(file) ?? [];
  return target !== undefined && target !== targetOfThisPlatform();
};

function targetOfThisPlatform() {
  const machine = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];
  if (process.platform !== 'linux' || machine === undefined)
    throw new Error(`no image is made for ${process.platform} ${process.arch}`);
  return `${machine}-unknown-linux-gnu`;
}

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('usage: node tools/image.mjs FOLDER\n');
  process.exit(2);
}
const { fileList } = await nodeFileTrace(
  PROGRAMS.map((program) => inRoot(program)),
  { base: root, processCwd: root, ignore: BUILD_ONLY },
);
const files = [...fileList].filter((file) => !otherPlatforms(file) && statSync(join(root, file)).isFile());
rmSync(folder, { recursive: true, force: true });
// Stack traces name the lines of the sources by these.
const maps = files.map((file) => `${file}.map`).filter((map) => map.startsWith('dist/') && existsSync(join(root, map)));
for (const file of [...files, ...maps, ...DATA, ...PAGES]) {
  cpSync(join(root, file), join(folder, file), { recursive: true, dereference: true });
}
process.stdout.write(`${files.length} files in ${folder}\n`);
