// The TLS edge in front of the api and ingress nodes: nginx with the configuration that production has (ops/edge), its
// own server certificate, and the clients' authority. Its list of nodes can change, so that one can be restarted
// unnoticed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EDGE_FILES, makeServerCertificate } from '../../cli/certificates/server.js';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { portProblem } from '../../tools/processes/ports.js';
import { trySignal } from '../../tools/processes/registry.js';
import type { ProcessRegistry } from '../../tools/processes/registry.js';
import { Service } from '../../tools/processes/service.js';
import type { ClusterSettings, FrontNode } from './settings.js';

/** Where it sends requests, and where callbacks. */
export interface BehindEdge {
  readonly port: number;
  readonly ingressPort: number;
}

export const behindEdge = ({ api, ingress }: FrontNode): BehindEdge => ({ port: api.port, ingressPort: ingress.port });

/** Where it listens, and what it begins with. */
export interface EdgePlaces extends Pick<ClusterSettings, 'edgePort' | 'edgeIngressPort'> {
  readonly behind: readonly BehindEdge[];
  /** Whether callbacks come over TLS too; not where a test plays the provider on this machine. */
  readonly ingressTls: boolean;
  /** Texts of the template and their replacements: limits that a test can reach. */
  readonly instead?: Readonly<Record<string, string>>;
}

export interface Edge {
  readonly service: Service;
  /** The authority that clients must trust to talk to the edge (PEM file). */
  readonly certificateFile: string;
  /** Sends new requests to these nodes only; those under way end where they are. */
  direct(behind: readonly BehindEdge[]): void;
  /** Reads the revocation list again. */
  reload(): void;
}

export interface EdgeFiles {
  readonly folder: string;
  readonly clientAuthority: string;
  readonly revokedClients: string;
  readonly logFileOf: (name: string) => string;
}

export const CLIENT_ADDRESS_HEADER = 'Gateway-Client-Address';
export const CLIENT_OPERATION_HEADER = 'Gateway-Client-Operation';

/** The edge's own certificate, for this machine only; made when it is not there. @returns its file */
export async function ensureServerCertificate(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const certificateFile = join(folder, EDGE_FILES.certificate);
  if (!existsSync(certificateFile)) await makeServerCertificate(folder, ['127.0.0.1', 'localhost']);
  return certificateFile;
}

/** Writes the edge's files and describes its service; the caller starts it. */
export async function prepareEdge(
  nginx: string,
  places: EdgePlaces,
  files: EdgeFiles,
  docsUrl: string,
  registry: ProcessRegistry,
): Promise<Edge> {
  const { folder } = files;
  mkdirSync(join(folder, 'temporary'), { recursive: true });
  const certificateFile = await ensureServerCertificate(folder);
  const write = (behind: readonly BehindEdge[]) =>
    writeFileSync(join(folder, 'nginx.conf'), nginxConfig(places, behind, files, docsUrl));
  write(places.behind);
  const service = new Service(
    {
      process: {
        name: 'edge',
        command: nginx,
        args: ['-p', folder, '-e', files.logFileOf('edge'), '-c', join(folder, 'nginx.conf')],
        env: { ...process.env },
        cwd: folder,
        logFile: files.logFileOf('edge'),
        // "Quit": requests under way are answered.
        stopSignal: 'SIGQUIT',
        stopTimeoutMs: 10_000,
      },
      isReady: async () =>
        (await portProblem(places.edgePort)) !== undefined && (await portProblem(places.edgeIngressPort)) !== undefined,
      readyTimeoutMs: 20_000,
    },
    registry,
  );
  const reload = () => {
    if (service.pid !== undefined) trySignal(service.pid, 'SIGHUP');
  };
  return {
    service,
    certificateFile,
    reload,
    direct(behind) {
      write(behind);
      reload();
    },
  };
}

function nginxConfig(
  places: EdgePlaces,
  behind: readonly BehindEdge[],
  { folder, clientAuthority, revokedClients, logFileOf }: EdgeFiles,
  docsUrl: string,
): string {
  const servers = (ports: readonly number[]) =>
    ports.map((port) => `server 127.0.0.1:${port} max_fails=3 fail_timeout=2s;`).join(' ');
  const gateway = fill(templateWith(places.instead ?? {}), {
    EDGE_API_SERVERS: servers(behind.map(({ port }) => port)),
    EDGE_INGRESS_SERVERS: servers(behind.map(({ ingressPort }) => ingressPort)),
    // Only newer versions of nginx have it (ops/edge/follow.sh).
    EDGE_KEEPALIVE_MIN_TIMEOUT: '',
    EDGE_LISTEN: `127.0.0.1:${places.edgePort}`,
    EDGE_INGRESS_LISTEN: `127.0.0.1:${places.edgeIngressPort}${places.ingressTls ? ' ssl' : ''}`,
    EDGE_ACCESS_LOG: logFileOf('edge-access'),
    EDGE_CERTIFICATE: join(folder, EDGE_FILES.certificate),
    EDGE_CERTIFICATE_KEY: join(folder, EDGE_FILES.key),
    EDGE_CLIENT_AUTHORITY: clientAuthority,
    EDGE_REVOKED_CLIENTS: revokedClients,
    EDGE_CLIENT_ADDRESS_HEADER: CLIENT_ADDRESS_HEADER,
    EDGE_CLIENT_OPERATION_HEADER: CLIENT_OPERATION_HEADER,
    EDGE_INGRESS_RULES: join(folder, 'ingress*.conf'),
    EDGE_DOCS_URL: docsUrl,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${join(folder, 'temporary', name)};`)
    .join('\n');
  // nginx's workers give up root's rights, and may then not reach a clone in root's own folders.
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  return (
    `${user}daemon off;\nworker_processes 2;\npid ${join(folder, 'nginx.pid')};\nevents { worker_connections 2048; ` +
    `}\nhttp {\n${temporary}\n${gateway}\n}\n`
  );
}

function templateWith(instead: Readonly<Record<string, string>>): string {
  const template = readFileSync(inRoot('ops', 'edge', 'gateway.conf.template'), 'utf8');
  return Object.entries(instead).reduce((text, [usual, other]) => {
    if (!text.includes(usual)) throw new Error(`the edge's template does not say ${usual}`);
    return text.replace(usual, other);
  }, template);
}

/** Replaces `${NAME}` of our own names, as the container's start does; nginx's variables have no braces. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the edge's template asks for ${name}`);
    return value;
  });
}
