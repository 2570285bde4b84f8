// Leads requests and callbacks to the apis of a campaign: by network links alone, or, in the cluster shape, through
// production's TLS edge with client certificates. The links to the apis are behind the edge then.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../../cli/certificates/authority.js';
import type { TlsFiles } from '../../../sandbox/demo-operator/sandbox-file.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { type BehindEdge, CLIENT_ADDRESS_HEADER, type Edge } from '../../cluster/edge.js';
import { resolveNginx } from '../../cluster/nginx.js';
import { startEdge } from '../../harness/edge.js';
import type { TestRun } from '../../../tools/servers/test-servers.js';
import type { NetworkLink } from '../../harness/network-link.js';
import { type Entrance, openAgent, plainly } from './requests.js';
import { type KillableServer, killable } from '../../harness/servers.js';

export interface Entrances {
  /** One per api, which leads to that api only. */
  readonly perApi: readonly [Entrance, Entrance];
  /** Over the link `requests`, to any api that takes requests. */
  readonly common: Entrance;
}

export interface LoadBalancer {
  /** Where the links `requests` and `callbacks` lead. */
  readonly targets: { readonly requests: readonly number[]; readonly callbacks: readonly number[] };
  /** The variables that the apis need for it. */
  readonly variables: Readonly<Record<string, string>>;
  /** The TLS files for other programs. */
  readonly tls?: TlsFiles;
  /** Null without an edge; otherwise all requests and callbacks go through it. */
  readonly edge: BalancerEdge | null;
  /** Opens it for this operation, before the programs that use it start. */
  open(
    links: PerApiLinks & Readonly<Record<'requests' | 'callbacks', NetworkLink>>,
    operationId: string,
    gateway: (...args: string[]) => Promise<unknown>,
  ): Promise<Entrances>;
  /** Sends new requests and callbacks over the common links to these apis only (0 and 1). */
  direct(apis: readonly (0 | 1)[]): void;
}

export interface BalancerEdge {
  readonly servers: readonly KillableServer[];
  /** The folder of the clients' authority. */
  readonly authority: string;
  /** Reloads the list of revoked client certificates. */
  reload(): void;
  /** The entrance to both apis with the client certificate in that folder. */
  entranceWith(client: string): Entrance;
}

export type PerApiLinks = Readonly<Record<'requests-1' | 'requests-2', NetworkLink>>;
type Behind = readonly [BehindEdge, BehindEdge];

/** Network links only. */
export function balanceByLinks(apis: Behind): LoadBalancer {
  const portsOf = (chosen: readonly (0 | 1)[]) => ({
    requests: chosen.map((index) => apis[index].port),
    callbacks: chosen.map((index) => apis[index].ingressPort),
  });
  let links: Readonly<Record<'requests' | 'callbacks', NetworkLink>> | undefined;
  return {
    targets: portsOf([0, 1]),
    variables: {},
    edge: null,
    open: (opened) => {
      links = opened;
      const [one, other, common] = [opened['requests-1'], opened['requests-2'], opened.requests].map(({ port }) =>
        plainly(port),
      ) as [Entrance, Entrance, Entrance];
      return Promise.resolve({ perApi: [one, other], common });
    },
    direct: (chosen) => {
      const { requests, callbacks } = portsOf(chosen);
      links?.requests.direct(requests);
      links?.callbacks.direct(callbacks);
    },
  };
}

/** Three nginx: one in front of both apis, and one per api. `folder` keeps their files and the certificates. */
export async function balanceByEdge(apis: Behind, run: TestRun, folder: string): Promise<LoadBalancer> {
  const nginx = await resolveNginx(process.env);
  const [authority, client] = [join(folder, 'authority'), join(folder, 'client')];
  await createAuthority(authority, 'sandbox', new Date());
  const start = async (name: string, behind: readonly BehindEdge[]) => {
    const started = await startEdge(name, behind, { nginx: nginx.path, registry: run.registry, folder, authority });
    run.onClose(() => started.edge.service.stop());
    return started;
  };
  const [both, first, second] = await step(`TLS edge (${nginx.origin})`, () =>
    Promise.all([start('edge', apis), start('edge-1', [apis[0]]), start('edge-2', [apis[1]])]),
  );
  const edges = [both, first, second];
  let directedTo: readonly (0 | 1)[] = [0, 1];
  return {
    targets: { requests: [both.edgePort], callbacks: [both.edgeIngressPort] },
    variables: { TRUSTED_PROXIES: '127.0.0.1', TRUSTED_PROXY_HEADER: CLIENT_ADDRESS_HEADER },
    tls: {
      certificate_file: join(client, 'client.crt.pem'),
      key_file: join(client, 'client.key.pem'),
      authorities_file: both.edge.certificateFile,
    },
    edge: {
      servers: edges.map(({ edge, edgePort }) => ({ port: edgePort, ...killable(edge.service) })),
      authority,
      reload: () => edges.forEach(({ edge }) => edge.reload()),
      entranceWith: (folderOfClient) => entranceOf(both.edgePort, both.edge, folderOfClient),
    },
    open: async (links, operationId, gateway) => {
      await gateway(
        'cert',
        'issue',
        '--operation',
        operationId,
        '--authority',
        authority,
        '--out',
        client,
        '--as',
        'campaign',
      );
      return {
        perApi: [entranceOf(first.edgePort, first.edge, client), entranceOf(second.edgePort, second.edge, client)],
        common: entranceOf(links.requests.port, both.edge, client),
      };
    },
    direct: (chosen) => {
      if (chosen.join() === directedTo.join()) return;
      directedTo = chosen;
      both.edge.direct(chosen.map((index) => apis[index]));
    },
  };
}

/** With the client's certificate in that folder. */
function entranceOf(port: number, { certificateFile }: Pick<Edge, 'certificateFile'>, client: string): Entrance {
  const read = (file: string) => readFileSync(file, 'utf8');
  return {
    origin: `https://127.0.0.1:${port}`,
    dispatcher: openAgent({
      ca: read(certificateFile),
      cert: read(join(client, 'client.crt.pem')),
      key: read(join(client, 'client.key.pem')),
    }),
  };
}
