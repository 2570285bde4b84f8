// Writes what a deployment in containers needs before its first start: `.env` next to docker-compose.yml, and a folder
// with passwords, keys and, for a sandbox, the certificates of its edge.
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { createAuthority, publishAuthority } from '../../certificates/authority.js';
import { makeServerCertificate } from '../../certificates/server.js';
import { makeTemporalAccess } from '../../certificates/temporal-access.js';
import { KEY_FILE, linesOf, writeKeyFiles } from '../../key-files.js';
import { refused } from '../../problem.js';

export interface DeploymentOptions {
  readonly environment: 'sandbox' | 'production';
  /** The folder of docker-compose.yml. */
  readonly folder: string;
  /** The first build (WORKER_BUILD_ID), which is the image's tag. */
  readonly build: string;
  /** Names and addresses of a sandbox's edge, besides `localhost`. */
  readonly hosts: readonly string[];
}

export interface MadeDeployment {
  readonly envFile: string;
  readonly folder: string;
  /** Variables that people still have to set. */
  readonly toFillIn: readonly string[];
}

/** Next to docker-compose.yml; GATEWAY_DEPLOYMENT can name another folder. */
const FOLDER = 'deployment';
/** The image's user `node`. Containers run as this user if root made the folder. */
const IMAGE_USER = { uid: 1000, gid: 1000 } as const;
/** Names of this machine, and of the edge in the containers' network. */
const SANDBOX_HOSTS = ['localhost', '127.0.0.1', 'edge'] as const;
/** The superuser's, the owner's for migrations, one for each role that a container has, and Temporal's. */
const DATABASE_PASSWORDS = [
  'postgres-password',
  'gateway-database-password',
  'gateway-api-password',
  'gateway-ingress-password',
  'gateway-panel-password',
  'gateway-payments-password',
  'gateway-rules-password',
  'gateway-webhooks-password',
  'gateway-command-password',
  'gateway-setup-password',
  'gateway-certificates-password',
  'temporal-database-password',
] as const;
const PRODUCTION_TO_FILL_IN = [
  'GATEWAY_DOCS_URL',
  'PROVIDER_A_DIALECT',
  'PROVIDER_A_URL',
  'PROVIDER_A_CLIENT_ID',
  'PROVIDER_A_CLIENT_SECRET_FILE',
  'PROVIDER_A_PIX_KEY',
  'PROVIDER_A_CALLBACK_SECRET_FILE',
  'ALERT_WEBHOOK_URL',
  'ALERT_WEBHOOK_SECRET_FILE',
];

/** Writes everything, or nothing if something exists already: passwords in use must not be replaced. */
export async function makeDeployment({
  environment,
  folder,
  build,
  hosts,
}: DeploymentOptions): Promise<MadeDeployment> {
  const [envFile, deployment] = [join(folder, '.env'), join(folder, FOLDER)];
  const existing = [envFile, deployment].find((path) => existsSync(path));
  if (existing !== undefined)
    throw refused(`${existing} is there already; its passwords may be in use, so nothing was changed`);

  mkdirSync(folder, { recursive: true });
  makePasswords(join(deployment, 'secrets'));
  for (const name of [
    'files',
    'keys',
    'audit',
    'audit-seals',
    'providers',
    'callbacks',
    'edge',
    'panel-edge',
    'identity',
    'alerts',
    'clients',
  ])
    makeFolder(join(deployment, name));
  makeKeys(join(deployment, 'keys'));
  writePrivate(join(deployment, 'audit', 'seal.key'), key());
  await makeTemporalAccess(temporalFolders(deployment));
  const ofEnvironment = environment === 'sandbox' ? await makeSandbox(deployment, hosts) : {};

  const owner = ownerOfDeployment();
  const values = {
    GATEWAY_ENVIRONMENT: environment,
    WORKER_BUILD_ID: build,
    GATEWAY_AUDIT_KEY_FILE: '/audit/seal.key',
    GATEWAY_AUDIT_SEALS_DIR: '/audit-seals',
    GATEWAY_USER: `${owner.uid}:${owner.gid}`,
    ...ofEnvironment,
  };
  writePrivate(envFile, fillIn(readFileSync(join(projectRoot(), '.env.example'), 'utf8'), values));
  giveTo(owner, deployment);
  return { envFile, folder: deployment, toFillIn: environment === 'production' ? PRODUCTION_TO_FILL_IN : [] };
}

/**
 * Passwords are mounted as single files into containers that run as different users, so everyone may read the files. On
 * this machine no one else can, because no one else can enter the folder.
 */
function makePasswords(folder: string): void {
  makeFolder(folder);
  for (const name of DATABASE_PASSWORDS) writeFileSync(join(folder, name), password(), { mode: 0o444 });
}

/** Whole keys for the `gateway` command; for each kind of process those that it needs. */
function makeKeys(folder: string): void {
  const [sealing, hash] = [randomBytes(32), randomBytes(32)];
  const whole = { GATEWAY_SEALING_KEYS: `k1:${sealing.toString('base64')}`, GATEWAY_HASH_KEY: hash.toString('base64') };
  makeFolder(join(folder, 'command'));
  writePrivate(join(folder, 'command', KEY_FILE), linesOf(whole));
  writeKeyFiles(folder, [{ id: 'k1', key: sealing }], hash);
}

async function makeSandbox(deployment: string, hosts: readonly string[]): Promise<Record<string, string>> {
  writePrivate(join(deployment, 'providers', 'simulator-client-secret'), password());
  writePrivate(join(deployment, 'callbacks', 'simulator-callback-secret'), password());
  const [authority, edge] = [join(deployment, 'authority'), join(deployment, 'edge')];
  await createAuthority(authority, 'sandbox', new Date());
  publishAuthority(authority, edge);
  await makeServerCertificate(edge, [...SANDBOX_HOSTS, ...hosts]);
  await makeServerCertificate(join(deployment, 'panel-edge'), [...SANDBOX_HOSTS, ...hosts]);
  return {
    GATEWAY_DOCS_URL: 'https://localhost/docs',
    SIMULATOR_CONTROL_URL: 'http://simulator:7802',
    WEBHOOK_SANDBOX_NETWORKS: '172.30.9.0/24',
    PROVIDER_SIMULATOR_URL: 'http://simulator:7802/simulator',
    PROVIDER_SIMULATOR_CLIENT_ID: 'gateway',
    PROVIDER_SIMULATOR_CLIENT_SECRET_FILE: '/providers/simulator-client-secret',
    PROVIDER_SIMULATOR_PIX_KEY: randomUUID(),
    PROVIDER_SIMULATOR_CALLBACK_SECRET_FILE: '/callbacks/simulator-callback-secret',
  };
}

/** Replaces the example's line of each variable, commented out or not. */
function fillIn(example: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [name, value]) => {
    const line = new RegExp(`^#? ?${name}=.*$`, 'm');
    if (!line.test(text)) throw new Error(`.env.example has no line for ${name}`);
    return text.replace(line, () => `${name}=${value}`);
  }, example);
}

function ownerOfDeployment(): { uid: number; gid: number } {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return uid === 0 ? IMAGE_USER : { uid, gid };
}

const temporalFolders = (deployment: string) => ({
  secrets: join(deployment, 'secrets'),
  files: join(deployment, 'files'),
});

/**
 * Renews the certificates and tokens of Temporal's server and its callers in the folder of a deployment. Containers
 * that start afterwards do not accept the old ones.
 */
export async function renewTemporalAccess(deployment: string): Promise<void> {
  const { secrets, files } = temporalFolders(deployment);
  if (![secrets, files].every((folder) => existsSync(folder)))
    throw refused(`${deployment} is not the folder of a deployment: it has no secrets and files ("gateway setup")`);
  await makeTemporalAccess({ secrets, files });
  for (const folder of [secrets, files]) giveTo(statSync(deployment), folder);
}

/** The containers do not run as root, so they must own what they read. Only root can give it to them. */
function giveTo(owner: { readonly uid: number; readonly gid: number }, path: string): void {
  if (process.getuid?.() !== 0) return;
  chownSync(path, owner.uid, owner.gid);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveTo(owner, join(path, name));
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
}

const writePrivate = (path: string, content: string) => writeFileSync(path, content, { mode: 0o600 });
const key = () => randomBytes(32).toString('base64');
const password = () => randomBytes(24).toString('base64');
