// The TLS edge of production on free ports, in front of any apis: for tests, benchmarks and the fault campaign.
import { join } from 'node:path';
import { AUTHORITY_FILES } from '../../cli/certificates/authority.js';
import { type BehindEdge, type Edge, type EdgePlaces, prepareEdge } from '../cluster/edge.js';
import { findFreePort } from '../../tools/processes/ports.js';
import type { ProcessRegistry } from '../../tools/processes/registry.js';

export interface EdgeSurroundings {
  /** The program. */
  readonly nginx: string;
  readonly registry: ProcessRegistry;
  /** Its files and logs are kept there, in a folder of its name. */
  readonly folder: string;
  /** The folder of the authority that signs clients' certificates. */
  readonly authority: string;
}

export interface StartedEdge extends Omit<EdgePlaces, 'behind' | 'ingressTls' | 'instead'> {
  readonly edge: Edge;
}

const DOCS_URL = 'https://docs.example';

/** Starts the edge and waits until it is ready. The caller stops `edge.service`. */
export async function startEdge(
  name: string,
  behind: readonly BehindEdge[],
  { nginx, registry, folder, authority }: EdgeSurroundings,
  { ingressTls = false, instead = {} }: Partial<Pick<EdgePlaces, 'ingressTls' | 'instead'>> = {},
): Promise<StartedEdge> {
  const ports = { edgePort: await findFreePort(), edgeIngressPort: await findFreePort() };
  const files = {
    folder: join(folder, name),
    clientAuthority: join(authority, AUTHORITY_FILES.certificate),
    revokedClients: join(authority, AUTHORITY_FILES.revoked),
    logFileOf: (log: string) => join(folder, name, `${log}.log`),
  };
  const edge = await prepareEdge(nginx, { ...ports, behind, ingressTls, instead }, files, DOCS_URL, registry);
  await edge.service.start();
  return { ...ports, edge };
}
