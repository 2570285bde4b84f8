// The ports of `npm run cluster`: every process has its own, for metrics too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { clusterPorts, metricsTargets, readClusterSettings } from '../../../lab/cluster/settings.js';

describe('cluster settings', () => {
  const settings = readClusterSettings({
    GATEWAY_CLUSTER_PORT_BASE: '7900',
    GATEWAY_CLUSTER_API_NODES: '4',
    GATEWAY_CLUSTER_PAYMENT_WORKERS: '3',
  });

  it('no port is used twice', () => {
    const ports = clusterPorts(settings).map(({ port }) => port);
    assert.equal(new Set(ports).size, ports.length);
  });

  it('every process is a target of its job, on a port that is checked before the start', () => {
    const byJob = new Map(metricsTargets(settings).map(({ labels, targets }) => [labels.job, targets]));
    assert.deepEqual(
      [...byJob].map(([job, targets]) => [job, targets.length]),
      [
        ['gateway-api', 4],
        ['gateway-ingress', 4],
        ['gateway-panel', 1],
        ['gateway-worker', 6],
        ['gateway-temporal-sdk', 6],
        ['gateway-simulator', 1],
      ],
    );
    const known = new Set(clusterPorts(settings).map(({ port }) => `127.0.0.1:${port}`));
    assert.deepEqual(
      [...byJob.values()].flat().filter((target) => !known.has(target)),
      [],
    );
  });

  it('the jobs are those that the alert rules ask for', () => {
    const rules = readFileSync(join(projectRoot(), 'ops', 'alerts.yml'), 'utf8');
    const [, expected = ''] = /Jobs: ([^.]+)\./.exec(rules.replaceAll('\n# ', ' ')) ?? [];
    const jobs = new Set(metricsTargets(settings).map(({ labels }) => labels.job));
    assert.ok(expected.length > 0);
    for (const job of expected.split(', ')) assert.ok(jobs.has(job), `${job} has no target`);
  });
});
