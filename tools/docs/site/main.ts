// `npm run docs:site [-- --for operators|staff] [--out FOLDER]`: the documentation as a site. Without a folder it is
// what the api serves at /docs; with one, files for any web server that serves them below /docs/.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../../platform/config/project-root.js';
import { buildSite, sizeOf } from './build.js';

const { values } = parseArgs({ options: { for: { type: 'string', default: 'staff' }, out: { type: 'string' } } });
if (values.for !== 'operators' && values.for !== 'staff') {
  process.stderr.write('--for takes operators or staff\n');
  process.exit(2);
}
const startedAt = performance.now();
const standalone = values.out === undefined ? undefined : resolve(values.out);
const outcome = await buildSite({ audience: values.for, standalone });
const folder = standalone ?? join(projectRoot(), 'dist', 'site');
const { files, bytes } = sizeOf(folder);
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
process.stdout.write(`${folder}: ${outcome} in ${seconds} s, ${files} files, ${(bytes / 1024 ** 2).toFixed(1)} MB\n`);
// What the generator still holds open does not matter any more.
process.exit(0);
