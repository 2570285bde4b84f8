// `npm run --silent sbom`: the bill of materials (CycloneDX) of what production installs, from package-lock.json. npm
// writes it for everything. Its own `--omit dev` also leaves out packages that production needs too, so the lock says
// which those are.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot } from './bootstrap/root.mjs';

const DEVELOPMENT = 'cdx:npm:package:development';
const FOLDER = 'node_modules/';

/** @type {Record<string, { version?: string, dev?: boolean, link?: boolean }>} */
const packages = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages;
const installed = new Set(
  Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith(FOLDER) && link !== true && dev !== true)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)}@${version}`),
);
const text = execFileSync(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
  { cwd: inRoot(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 },
);
/** @type {{ components: any[], dependencies: { ref: string, dependsOn: string[] }[], metadata: { component: any } }} */
const whole = JSON.parse(text);
const components = whole.components
  .filter(({ name, version }) => installed.has(`${name}@${version}`))
  .map((component) => ({ ...component, properties: component.properties?.filter(isOfProduction) }));
const kept = new Set([whole.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
const dependencies = whole.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
process.stdout.write(`${JSON.stringify({ ...whole, components, dependencies }, null, 2)}\n`);

/** What is installed twice is marked by its first place. */
function isOfProduction(/** @type {{ name: string }} */ { name }) {
  return name !== DEVELOPMENT;
}
