// `npm run --silent sbom`: the bill of materials (CycloneDX) of what production installs, from package-lock.json. npm makes
// it of everything and marks what only development needs; its own `--omit dev` also leaves out what both need.
import { execFileSync } from 'node:child_process';
import { inRoot } from './bootstrap/root.mjs';

const DEVELOPMENT = 'cdx:npm:package:development';

const text = execFileSync(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'],
  { cwd: inRoot(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 },
);
/** @type {{ components: any[], dependencies: { ref: string, dependsOn: string[] }[], metadata: { component: any } }} */
const whole = JSON.parse(text);
const components = whole.components.filter(
  ({ properties }) => !properties?.some((/** @type {{ name: string }} */ { name }) => name === DEVELOPMENT),
);
const kept = new Set([whole.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
const dependencies = whole.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
process.stdout.write(`${JSON.stringify({ ...whole, components, dependencies }, null, 2)}\n`);
