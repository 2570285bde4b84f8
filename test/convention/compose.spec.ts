// docker-compose.yml against the code: it parses, starts programs that exist, registers every search attribute, and passes on what
// config/ reads.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../config/project-root.js';
import { TRACING_VARIABLES } from '../../config/tracing.js';
import { CLIENT_ADDRESS_HEADER } from '../../dev/cluster/edge.js';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';
import { TASK_QUEUES } from '../../contract/temporal/task-queues.js';

interface Service {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
}

const file = parse(readFileSync(join(projectRoot(), 'docker-compose.yml'), 'utf8'), { merge: true }) as { services: Record<string, Service> };

describe('docker-compose.yml', () => {
  it('starts programs that the build makes', () => {
    const programs = Object.values(file.services).flatMap(({ command }) => command?.filter((part) => part.startsWith('dist/')) ?? []);
    assert.ok(programs.length >= 6);
    for (const program of programs) assert.ok(existsSync(join(projectRoot(), program)), `${program} does not exist`);
  });

  for (const [build, variable] of [['the build', '${WORKER_BUILD_ID:?'], ['the build before', '${PREVIOUS_WORKER_BUILD_ID:-none}']] as const) {
    it(`serves every task queue by workers of ${build}, each by a service of its own`, () => {
      const workers = Object.values(file.services).filter(({ environment }) => environment?.['WORKER_TASK_QUEUES'] !== undefined && environment['WORKER_BUILD_ID']?.startsWith(variable));
      assert.deepEqual(workers.map(({ environment }) => environment?.['WORKER_TASK_QUEUES']).sort(), Object.values(TASK_QUEUES).sort());
      assert.equal(new Set(workers.map(({ environment }) => environment?.['WORKER_DEPLOYMENT_NAME'])).size, 1, 'one deployment');
      for (const { image, command, profiles } of workers) {
        assert.ok(image?.includes(variable), `${image} is tagged with its build`);
        assert.ok(command?.includes('dist/worker/main.js'));
        assert.deepEqual(profiles, build === 'the build' ? undefined : ['previous']);
      }
    });
  }

  it('registers the search attributes that payments carry', () => {
    const [script = ''] = file.services['temporal-setup']?.command ?? [];
    const registered = [...script.matchAll(/(\w+):(Keyword|KeywordList|Int)\b/g)].map(([, name]) => name);
    assert.deepEqual(registered.sort(), Object.keys(SEARCH_ATTRIBUTES).sort());
  });

  it('gives the edge every setting that its template asks for', () => {
    const template = readFileSync(join(projectRoot(), 'ops', 'edge', 'gateway.conf.template'), 'utf8');
    const asked = [...new Set([...template.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))].sort();
    const given = Object.keys(file.services['edge']?.environment ?? {}).filter((name) => name.startsWith('EDGE_')).sort();
    assert.deepEqual(given, asked);
    assert.equal(file.services['api']?.environment?.['TRUSTED_PROXY_HEADER'], CLIENT_ADDRESS_HEADER);
    assert.equal(file.services['edge']?.environment?.['EDGE_CLIENT_ADDRESS_HEADER'], CLIENT_ADDRESS_HEADER);
  });

  it('passes on what config/ knows of tracing, and gives every process its metrics', () => {
    const traced = Object.entries(file.services).filter(([, { command }]) => command?.some((part) => /^dist\/(api|worker|simulator)\/main\.js$/.test(part)));
    assert.ok(traced.length >= 5);
    for (const [name, { environment = {} }] of traced) {
      const passedOn = Object.entries(environment).filter(([variable]) => variable.startsWith('OTEL_'));
      assert.deepEqual(passedOn.map(([variable]) => variable).sort(), Object.keys(TRACING_VARIABLES).sort(), name);
      for (const [variable, value] of passedOn) assert.equal(value, `\${${variable}:-}`, name);
      for (const port of ['API_METRICS_PORT', 'WORKER_SDK_METRICS_PORT']) assert.match(environment[port] ?? '', /^\d+$/, `${name}: ${port}`);
    }
  });

  it('has no default for a secret, and no simulator in production', () => {
    const text = readFileSync(join(projectRoot(), 'docker-compose.yml'), 'utf8');
    assert.doesNotMatch(text, /(PASSWORD|SEALING_KEYS|HASH_KEY)(:-|\}:-)/);
    assert.deepEqual(file.services['simulator']?.profiles, ['sandbox']);
  });
});
