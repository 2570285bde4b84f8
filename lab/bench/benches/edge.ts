// What the TLS edge adds to a request: nginx with the configuration of production and client certificates, before the
// whole api.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, signClientCertificate } from '../../../cli/certificates/authority.js';
import { type ClientTls, createGatewayClient, type GatewayClient } from '../../../client/index.js';
import { PAGE_LIMIT_MAX } from '../../../contract/http/schemas/fields.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { findFreePort } from '../../../tools/processes/ports.js';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { resolveNginx } from '../../cluster/nginx.js';
import { startEdge } from '../../harness/edge.js';
import { type BenchApi, startApi } from '../api.js';
import type { Bench, BenchContext } from '../bench.js';
import { createWorld, type World } from '../database/world.js';
import { spentMs, workersOf } from '../load/stack-processor.js';
import {
  type Costs,
  costOf,
  inTurns,
  type Measurement,
  median,
  ownProcessorMs,
  percentile,
  ratio,
} from '../measure.js';
import { shown } from '../report.js';
import type { Figure, Findings } from '../result.js';

const PAYMENTS = 1_000;
const DAYS = 90;
const FULL = 200;
const QUICK = 5;

interface Paths {
  readonly direct: GatewayClient;
  readonly behindEdge: GatewayClient;
  /** One more client, which has no connection yet. */
  another(): GatewayClient;
  edgeProcessorMs(): number;
  close(): Promise<void>;
}

export const edge: Bench = {
  name: 'edge',
  title: 'What the TLS edge adds to a request',
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const world = await createWorld(await servers.newDatabase(), {
      payments: PAYMENTS,
      players: [],
      end: new Date(),
      days: DAYS,
      complete: true,
    });
    const api = await startApi(world);
    try {
      const paths = await step('the edge', () => openPaths(world, api));
      try {
        return {
          figures: await step('requests', () => measure(world, paths, quick ? QUICK : FULL)),
          tables: [],
          remarks: REMARKS,
        };
      } finally {
        await paths.close();
      }
    } finally {
      await api.close();
      await world.close();
    }
  },
};

const REMARKS = [
  'TLS 1.3 with a client certificate, one api behind it, everything on this machine, in turns. Processor time: ' +
    'client, api, Postgres backend and nginx together.',
  'A connection of its own: TCP, the handshake with both certificates, one request; tickets and session caches ' +
    'are off, as in production.',
];

async function openPaths({ operationId, key }: World, api: BenchApi): Promise<Paths> {
  const nginx = await resolveNginx(process.env);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-edge-'));
  const authority = await createAuthority(join(folder, 'authority'), 'sandbox', new Date());
  const { certificatePem, keyPem } = await signClientCertificate(authority, {
    operationId,
    validityDays: 1,
    requestPem: null,
    now: new Date(),
  });
  const registry = new ProcessRegistry(join(folder, 'processes.json'));
  const apiPort = Number(new URL(api.baseUrl).port);
  const { edge: started, edgePort } = await startEdge('edge', [{ port: apiPort, ingressPort: await findFreePort() }], {
    nginx: nginx.path,
    registry,
    folder,
    authority: join(folder, 'authority'),
  });
  const tls: ClientTls = {
    certificate: certificatePem,
    key: keyPem ?? '',
    authorities: readFileSync(started.certificateFile, 'utf8'),
  };
  const another = () =>
    createGatewayClient({ baseUrl: `https://127.0.0.1:${edgePort}/v1`, keyId: key.keyId, secret: key.secret, tls });
  const behindEdge = another();
  return {
    direct: api.client,
    behindEdge,
    another,
    edgeProcessorMs: () => workersOf(started.service.pid).reduce((sum, pid) => sum + spentMs(pid), 0),
    close: async () => {
      await behindEdge.close();
      await started.service.stop();
      registry.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function measure({ client: database, observed }: World, paths: Paths, rounds: number): Promise<Figure[]> {
  const clocks = [ownProcessorMs, observed.processorMs, () => paths.edgeProcessorMs()];
  const measured =
    (call: () => Promise<unknown>): Measurement =>
    async () => {
      // The measurement is not about limits.
      await database.query(`UPDATE rate_bucket SET theoretical_arrival_time = now() - interval '1 hour'`);
      return costOf(call, clocks);
    };
  const { data } = (await paths.direct.listDeposits()).body;
  const id = data[0]?.id ?? '';
  const once = async () => {
    const client = paths.another();
    await client.ping();
    await client.close();
  };
  const reads: readonly (readonly [name: string, call: (client: GatewayClient) => Promise<unknown>])[] = [
    ['GET /ping', (client) => client.ping()],
    ['GET /deposits/{id}, ended', (client) => client.getDeposit(id)],
    [`GET /deposits?limit=${PAGE_LIMIT_MAX}`, (client) => client.listDeposits({ limit: PAGE_LIMIT_MAX })],
  ];
  const figures: Figure[] = [];
  for (const [name, call] of reads) {
    const costs = await inTurns(
      { direct: measured(() => call(paths.direct)), edge: measured(() => call(paths.behindEdge)) },
      { warmUps: 10, rounds },
    );
    figures.push(figureOf(name, costs.edge, costs.direct));
  }
  const { own, kept } = await inTurns(
    { own: measured(once), kept: measured(() => paths.behindEdge.ping()) },
    { warmUps: 5, rounds },
  );
  return [...figures, figureOf('GET /ping on a connection of its own, against a kept one', own, kept)];
}

function figureOf(name: string, costs: Costs, baseline: Costs): Figure {
  const more = (of: keyof Costs) => shown(median(costs[of]) - median(baseline[of]));
  return {
    name,
    value: ratio(costs.processorMs, baseline.processorMs),
    unit: '×',
    note:
      `${more('processorMs')} ms more processor time; waited for: ` +
      `${shown(ratio(costs.waitedMs, baseline.waitedMs))} ×, ${more('waitedMs')} ms more, p99 ` +
      `${shown(percentile(costs.waitedMs, 0.99))} ms`,
  };
}
