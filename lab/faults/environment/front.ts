// What leads requests and callbacks to the apis of a campaign: a network link alone, or, in the cluster shape,
// production's TLS edge with client certificates behind that link.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../../cli/certificates/authority.js';
import type { TlsFiles } from '../../../sandbox/demo-operator/sandbox-file.js';
import { step } from '../../../tools/bootstrap/progress.mjs';
import type { TestRun } from '../../../tools/servers/test-servers.js';
import { type BehindEdge, CLIENT_ADDRESS_HEADER } from '../../cluster/edge.js';
import { resolveNginx } from '../../cluster/nginx.js';
import { startEdge } from '../../harness/edge.js';
import type { ParsedCommand } from '../../harness/gateway.js';
import { type KillableServer, killable } from '../../harness/servers.js';
import { type Entrance, openAgent, plainly } from './requests.js';

export interface Front {
  /** Where the links `requests` and `callbacks` lead. */
  readonly targets: { readonly requests: readonly number[]; readonly callbacks: readonly number[] };
  /** The variables that the apis need for it. */
  readonly variables: Readonly<Record<string, string>>;
  /** The TLS files for other programs. */
  readonly tls?: TlsFiles;
  /** Null without an edge. */
  readonly edge: CampaignEdge | null;
  /** Opens it for this operation, before the programs that use it start. `port`: of the link `requests`. */
  open(port: number, operationId: string, gateway: ParsedCommand): Promise<Entrance>;
}

export interface CampaignEdge {
  readonly server: KillableServer;
  /** The folder of the clients' authority. */
  readonly authority: string;
  /** Reloads the list of revoked client certificates. */
  reload(): void;
  /** The entrance with the client certificate in that folder. */
  entranceWith(client: string): Entrance;
}

export function linkAlone(apis: readonly BehindEdge[]): Front {
  return {
    targets: { requests: apis.map(({ port }) => port), callbacks: apis.map(({ ingressPort }) => ingressPort) },
    variables: {},
    edge: null,
    open: (port) => Promise.resolve(plainly(port)),
  };
}

/** `folder` keeps its files and the certificates. */
export async function tlsEdge(apis: readonly BehindEdge[], run: TestRun, folder: string): Promise<Front> {
  const nginx = await resolveNginx(process.env);
  const [authority, client] = [join(folder, 'authority'), join(folder, 'client')];
  await createAuthority(authority, 'sandbox', new Date());
  const { edge, edgePort, edgeIngressPort } = await step(`TLS edge (${nginx.origin})`, () =>
    startEdge('edge', apis, { nginx: nginx.path, registry: run.registry, folder, authority }),
  );
  run.onClose(async () => void (await edge.service.stop()));
  const entrance = (port: number, folderOfClient: string): Entrance => {
    const read = (file: string) => readFileSync(file, 'utf8');
    const [cert, key] = [read(join(folderOfClient, 'client.crt.pem')), read(join(folderOfClient, 'client.key.pem'))];
    const dispatcher = openAgent({ ca: read(edge.certificateFile), cert, key });
    return { origin: `https://127.0.0.1:${port}`, dispatcher };
  };
  return {
    targets: { requests: [edgePort], callbacks: [edgeIngressPort] },
    variables: { TRUSTED_PROXIES: '127.0.0.1', TRUSTED_PROXY_HEADER: CLIENT_ADDRESS_HEADER },
    tls: {
      certificate_file: join(client, 'client.crt.pem'),
      key_file: join(client, 'client.key.pem'),
      authorities_file: edge.certificateFile,
    },
    edge: {
      server: { port: edgePort, ...killable(edge.service) },
      authority,
      reload: () => edge.reload(),
      entranceWith: (folderOfClient) => entrance(edgePort, folderOfClient),
    },
    open: async (port, operationId, gateway) => {
      const where = ['--operation', operationId, '--authority', authority, '--out', client];
      await gateway('cert', 'issue', ...where, '--as', 'campaign');
      return entrance(port, client);
    },
  };
}
