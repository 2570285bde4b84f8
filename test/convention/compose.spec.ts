// docker-compose.yml against the code: it parses, starts programs that exist, passes on everything that
// platform/config/ reads, and gives no process more rights than it needs. What it does when it runs is seen by
// `npm run compose-check`.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { TEMPORAL_FILES } from '../../cli/certificates/temporal-access.js';
import { TEMPORAL_GRANTS, type TemporalCaller, type TemporalGrants } from '../../cli/certificates/temporal-grants.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { PROCESS_VARIABLES, fileVariable } from '../../platform/config/variables.js';
import { PROVIDERS } from '../../platform/config/worker-slots.js';
import { ALL_PROVIDER_QUEUES, TASK_QUEUES } from '../../contract/temporal/workers.js';
import { CLIENT_ADDRESS_HEADER } from '../../lab/cluster/edge.js';
import { composeNetworks, composeServices, composeText } from '../support/compose.js';

interface Service {
  readonly image?: string;
  readonly build?: { readonly context?: string };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly deploy?: { readonly replicas?: number };
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly init?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly user?: string;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly logging?: unknown;
  readonly healthcheck?: unknown;
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
}

const inProject = (...path: string[]) => join(projectRoot(), ...path);
const text = composeText();
const file = { services: composeServices<Service>() };
const services = Object.entries(file.services);
const example = readFileSync(inProject('.env.example'), 'utf8');

/** What a variable is when nobody sets it: `${NAME:-default}` → `default`. */
const byDefault = (value: string) => value.replace(/\$\{\w+:?-([^}]*)\}/g, '$1');
const programOf = ({ command }: Service) =>
  /^dist\/(.+?)(\/main)?\.js$/.exec(command?.find((part) => part.startsWith('dist/')) ?? '')?.[1];
/** The fixed address of a service on a network; empty if it has none. */
function addressOn(network: string, service?: Service): string {
  const { networks } = service ?? {};
  if (networks === undefined || Array.isArray(networks)) return '';
  const member = (networks as Readonly<Record<string, { readonly ipv4_address?: string } | null>>)[network];
  return byDefault(member?.ipv4_address ?? '');
}

function isWithin(address: string, network: string): boolean {
  const [base = '', length = ''] = network.split('/');
  const list = new BlockList();
  list.addSubnet(base, Number(length));
  return list.check(address);
}

/** A worker that serves neither payments nor the calls of providers. */
const callsNobody = (program: string, { environment }: Service) =>
  program === 'worker' && !/payments|providers/.test(environment?.['WORKER_TASK_QUEUES'] ?? '');
/** A worker of the payments queue, which seals the audit trail. */
const seals = ({ environment }: Service) =>
  environment?.['WORKER_TASK_QUEUES']?.split(',').includes(TASK_QUEUES.payments) === true;
/** A worker of the webhooks queue, which sends alerts on. */
const sendsAlerts = ({ environment }: Service) =>
  environment?.['WORKER_TASK_QUEUES']?.split(',').includes(TASK_QUEUES.webhooks) === true;
const isGateway = ({ image }: Service) => image?.startsWith('operator-payments-gateway:') === true;

interface Network {
  readonly ipam?: { readonly config: readonly { readonly subnet?: string; readonly ip_range?: string }[] };
}

interface TemporalServer {
  readonly global: {
    /** Temporal's own authorizer. */
    readonly authorization?: unknown;
    readonly tls: {
      readonly internode: { readonly server: { readonly requireClientAuth?: boolean } };
      readonly frontend: { readonly server: { readonly certFile: string } };
    };
  };
  readonly services: Readonly<
    Record<string, { readonly rpc: { readonly bindOnIP?: string; readonly bindOnLocalHost?: boolean } }>
  >;
}

// Which ports a process listens on inside its own container is nobody else's business; a fault campaign has no
// containers.
const NOT_PASSED_ON = new Set([
  'API_PORT',
  'INGRESS_PORT',
  'PANEL_PORT',
  'COMMAND_PORT',
  'PANEL_FILES_DIR',
  'SIMULATOR_PORT',
  'DEMO_OPERATOR_PORT',
  'DEMO_OPERATOR_RECOVERY_SECONDS',
  'WORKER_TASK_QUEUES',
]);

describe('docker-compose.yml', () => {
  it('starts programs that the build makes', () => {
    const programs = services.flatMap(([, { command }]) => command?.filter((part) => part.startsWith('dist/')) ?? []);
    assert.ok(programs.length >= 6);
    for (const program of programs) assert.ok(existsSync(inProject(program)), `${program} does not exist`);
  });

  it('mounts scripts that can be run, and files that exist', () => {
    const mounted = services
      .flatMap(([, { volumes }]) => volumes ?? [])
      .map((volume) => volume.split(':')[0] as string)
      .filter((path) => path.startsWith('./ops'));
    assert.ok(mounted.length >= 3);
    for (const path of mounted) assert.ok(existsSync(inProject(path)), path);
    for (const script of [
      'ops/edge/follow.sh',
      'ops/postgres/create-databases.sh',
      'ops/image/gateway',
      'ops/image/healthy',
    ]) {
      assert.notEqual(
        statSync(inProject(script)).mode & 0o111,
        0,
        `${script} is not executable: the image would leave it out`,
      );
    }
  });

  for (const [build, tag] of [
    ['the build', '1'],
    ['the build before', 'none'],
  ] as const) {
    it(`serves every task queue by workers of ${build}, each by its own service`, () => {
      const workers = services
        .map(([, service]) => service)
        .filter(
          ({ environment }) =>
            environment?.['WORKER_TASK_QUEUES'] !== undefined &&
            byDefault(environment['WORKER_BUILD_ID'] ?? '') === tag,
        );
      const { payments, rules, webhooks } = TASK_QUEUES;
      // Steps that need the rules are made in the process that has them.
      assert.deepEqual(
        workers.map(({ environment }) => environment?.['WORKER_TASK_QUEUES']).sort(),
        [`${payments},${rules}`, `${PROVIDERS},${rules}`, rules, webhooks].sort(),
      );
      assert.equal(
        new Set(workers.map(({ environment }) => environment?.['WORKER_DEPLOYMENT_NAME'])).size,
        1,
        'one deployment',
      );
      for (const worker of workers) {
        assert.equal(byDefault(worker.image ?? ''), `operator-payments-gateway:${tag}`);
        assert.equal(programOf(worker), 'worker');
        assert.deepEqual(worker.profiles, build === 'the build' ? undefined : ['previous']);
      }
    });
  }

  for (const [name, service] of services.filter(([, one]) => programOf(one) !== undefined)) {
    const program = programOf(service) as string;
    const read = PROCESS_VARIABLES[program as keyof typeof PROCESS_VARIABLES] as readonly string[] | undefined;
    if (read === undefined) continue;
    const variables = read
      .filter((variable) => !/^PROVIDER_/.test(variable) || !callsNobody(program, service))
      .filter((variable) => !/^GATEWAY_AUDIT_/.test(variable) || seals(service))
      .filter((variable) => !/^ALERT_/.test(variable) || sendsAlerts(service));
    it(`${name}: passes on every variable that platform/config/ reads for ${program}`, () => {
      const given = Object.keys(service.environment ?? {});
      const missing = variables.filter((variable) => !NOT_PASSED_ON.has(variable) && !given.includes(variable));
      assert.deepEqual(missing, []);
      const withoutFile = variables.filter(
        (variable) => given.includes(variable) && !given.includes(fileVariable(variable)),
      );
      // Keys have their own file (GATEWAY_KEYS_FILE).
      assert.deepEqual(
        withoutFile.filter((variable) => !/^GATEWAY_(SEALING_KEYS|HASH_KEY)$/.test(variable)),
        [],
      );
    });
  }

  it('hands what pays to the workers that call providers, and every other secret to those who need it', () => {
    const holders = (name: string) =>
      services.filter(([, { environment }]) => name in (environment ?? {})).map(([service]) => service);
    const mounting = (folder: string) =>
      services
        .filter(([, { volumes }]) =>
          volumes?.some((volume) => new RegExp(`/${folder}(:|$)`).test(volume.split(':/')[0] ?? '')),
        )
        .map(([service]) => service);
    const paying = services.filter(([, service]) => programOf(service) === 'worker' && !callsNobody('worker', service));
    const payers = [...paying.map(([name]) => name), 'simulator'].sort();
    const takers = ['ingress', 'ingress-2', 'simulator'];
    for (const name of ['PROVIDER_A_CLIENT_SECRET', 'PROVIDER_A_CLIENT_SECRET_FILE', 'PROVIDER_A_TLS_KEY_FILE'])
      assert.deepEqual(holders(name).sort(), payers, name);
    assert.deepEqual(mounting('providers').sort(), payers);
    assert.deepEqual(holders('PROVIDER_A_CALLBACK_SECRET_FILE').sort(), takers);
    assert.deepEqual(mounting('callbacks').sort(), takers);
    assert.deepEqual(holders('PANEL_OIDC_CLIENT_SECRET_FILE'), ['panel', 'sandbox-panel']);
    assert.deepEqual(mounting('identity'), ['panel', 'sandbox-panel']);
    const sealers = services.filter(([, service]) => seals(service)).map(([name]) => name);
    assert.deepEqual(sealers, ['worker-payments', 'previous-worker-payments']);
    assert.deepEqual(holders('GATEWAY_AUDIT_KEY_FILE'), sealers);
    assert.deepEqual(mounting('audit'), sealers);
    const senders = services.filter(([, service]) => sendsAlerts(service)).map(([name]) => name);
    assert.deepEqual(holders('ALERT_PAGER_KEY_FILE'), senders);
    assert.deepEqual(mounting('alerts'), senders);
    const keyless = [
      'migrate',
      'temporal-setup',
      'simulator',
      'setup',
      'certificates',
      'revocation-list',
      'edge',
      'postgres',
      'temporal',
    ];
    for (const name of keyless) {
      assert.ok(!holders('GATEWAY_KEYS_FILE').includes(name), `${name} has the keys' variables`);
      assert.ok(!file.services[name]?.volumes?.some((volume) => volume.includes('/keys')), `${name} mounts the keys`);
    }
    const withKeys = services.flatMap(([name, { volumes = [] }]) =>
      volumes
        .flatMap((volume) => /\/keys\/([a-z-]+):\/keys:ro$/.exec(volume)?.slice(1) ?? [])
        .map((own) => [name, own]),
    );
    assert.deepEqual(withKeys.map(([name]) => name).sort(), holders('GATEWAY_KEYS_FILE').sort());
    const command = ['command', 'key-files', 'demo', 'demo-operator', 'sandbox-setup'];
    for (const [name = '', own = ''] of withKeys) {
      const kind = name.replace(/^(previous|sandbox)-(?!setup)/, '').replace(/-2$/, '');
      assert.equal(own, command.includes(name) ? 'command' : kind, `${name} has the keys of its kind`);
    }
    // It writes the key files of all, and is on no network.
    assert.deepEqual(mounting('keys'), ['key-files']);
  });

  it('.env.example has every variable of the file, and none besides', () => {
    const used = new Set([...text.matchAll(/\$\{([A-Z][A-Z0-9_]*):?-/g)].map(([, name]) => name));
    const explained = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name);
    assert.deepEqual([...explained].sort(), [...used].sort());
  });

  it('.env.example says the defaults that the file has', () => {
    const defaults = new Map(
      [...text.matchAll(/\$\{([A-Z][A-Z0-9_]*):?-([^}]*)\}/g)].map(([, name, value]) => [name, value]),
    );
    const others = new RegExp(
      '^(PROVIDER_SIMULATOR_URL|SIMULATOR_CONTROL_URL|WEBHOOK_SANDBOX_NETWORKS' +
        String.raw`|WORKER_(CACHED_WORKFLOWS|PROVIDER_CALLS_PER_SECOND|\w+_SLOTS))$`,
    );
    const said = [...example.matchAll(/^# ([A-Z][A-Z0-9_]*)=(.+)$/gm)].filter(([, name = '']) => !others.test(name));
    assert.ok(said.length > 10);
    for (const [, name, value] of said) assert.equal(value, defaults.get(name), name);
  });

  it('starts without any variable set: what is missing is said by the processes, all of it at once', () => {
    assert.doesNotMatch(text, /\$\{\w+:\?/);
  });

  it('gives the edge every setting that its template asks for, but the nodes, which it finds by itself', () => {
    const template = readFileSync(inProject('ops', 'edge', 'gateway.conf.template'), 'utf8');
    const script = readFileSync(inProject('ops', 'edge', 'follow.sh'), 'utf8');
    const asked = [...new Set([...template.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name as string))];
    const given = Object.keys(file.services['edge']?.environment ?? {});
    const found = [
      ...script.matchAll(/^ *(?:export )?(EDGE_\w+)=/gm),
      ...script.matchAll(/ (EDGE_\w+)=\$\(servers/g),
    ].map(([, name]) => name as string);
    assert.deepEqual(
      asked.filter((name) => !given.includes(name) && !found.includes(name)),
      [],
    );
    assert.deepEqual(
      given.filter((name) => !asked.includes(name) && !script.includes(name)),
      [],
    );
    assert.equal(file.services['api']?.environment?.['TRUSTED_PROXY_HEADER'], CLIENT_ADDRESS_HEADER);
    assert.equal(file.services['edge']?.environment?.['EDGE_CLIENT_ADDRESS_HEADER'], CLIENT_ADDRESS_HEADER);
    assert.match(
      file.services['edge']?.environment?.['EDGE_INGRESS_LISTEN'] ?? '',
      / ssl$/,
      'callbacks cross a network',
    );
  });

  it('lets nobody but the edge and what is behind it onto the edge’s network; apis and ingresses trust the edge alone', () => {
    const members = services
      .filter(
        ([, { networks }]) =>
          networks !== undefined && (Array.isArray(networks) ? networks.includes('edge') : 'edge' in networks),
      )
      .map(([name]) => name);
    assert.deepEqual(members.sort(), ['api', 'api-2', 'edge', 'ingress', 'ingress-2']);
    const networks = composeNetworks<Network>();
    for (const [edge, nodes, network] of [
      ['edge', ['api', 'api-2', 'ingress', 'ingress-2'], 'edge'],
      ['panel-edge', ['panel', 'command'], 'panel'],
    ] as const) {
      const address = addressOn(network, file.services[edge]);
      // A network would also trust the nodes beside: one that is taken over could name any client and certificate.
      assert.equal(isIP(address), 4);
      for (const node of nodes)
        assert.equal(byDefault(file.services[node]?.environment?.['TRUSTED_PROXIES'] ?? ''), address, node);
      const [{ subnet = '', ip_range: others = '' } = {}] = networks[network]?.ipam?.config ?? [];
      assert.ok(isWithin(address, byDefault(subnet)), `${edge} is on the network`);
      assert.ok(isWithin(byDefault(others).split('/')[0] ?? '', byDefault(subnet)), 'the others are on the network');
      assert.ok(!isWithin(address, byDefault(others)), `nobody else gets the address of ${edge}`);
      const fixed = services.filter(([, service]) => addressOn(network, service) !== '').map(([name]) => name);
      assert.deepEqual(fixed, [edge]);
    }
  });

  it('publishes outside the sandbox only ports with TLS, and the UI of Temporal on this machine', () => {
    const published = services
      .filter(([, { ports, profiles }]) => ports !== undefined && String(profiles) !== 'sandbox')
      .map(([name]) => name);
    assert.deepEqual(published.sort(), ['edge', 'panel-edge', 'temporal-ui']);
    assert.deepEqual(file.services['temporal-ui']?.ports?.map(byDefault), ['127.0.0.1:8233:8080']);
    const listens = file.services['edge']?.environment?.['EDGE_INGRESS_LISTEN'] ?? '';
    for (const configuration of ['edge/gateway.conf.template', 'panel-edge/nginx.conf'])
      for (const [, given] of readFileSync(inProject('ops', configuration), 'utf8').matchAll(/^ *listen (.*);$/gm))
        assert.match(given?.startsWith('${EDGE_INGRESS') ? listens : (given ?? ''), / ssl\b/);
  });

  describe('Temporal', () => {
    const secretsOf = ({ secrets = [] }: Service) =>
      secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source));
    const on = (network: string) =>
      services
        .filter(([, { networks = [] }]) => (Array.isArray(networks) ? networks.includes(network) : network in networks))
        .map(([name]) => name);
    const CALLERS: Readonly<Record<string, TemporalCaller>> = {
      api: 'api',
      ingress: 'ingress',
      panel: 'panel',
      cli: 'command',
      command: 'command',
    };
    const callerOf = (name: string, service: Service) =>
      programOf(service) === 'worker' ? name.replace(/^previous-/, '') : CALLERS[programOf(service) ?? ''];

    it('is shown by each process the token of its kind, and no other', () => {
      const callers = services
        .map(([name, service]) => [name, service, callerOf(name, service)] as const)
        .filter(([name, , caller]) => caller !== undefined && name !== 'temporal-setup');
      assert.ok(callers.length >= 13);
      for (const [name, service, caller] of callers)
        assert.deepEqual(
          secretsOf(service).filter((secret) => secret.startsWith('temporal-')),
          [`temporal-token-${caller}`],
          name,
        );
      for (const [name, service] of services)
        if (secretsOf(service).includes('temporal-token-setup')) assert.equal(name, 'temporal-setup');
    });

    it('lets each kind of worker take the tasks of its own queues, and nobody else any', () => {
      const polling: Readonly<Record<string, TemporalGrants>> = TEMPORAL_GRANTS;
      const workers = services.filter(([, service]) => programOf(service) === 'worker');
      const served = new Set(workers.map(([name, service]) => callerOf(name, service)));
      for (const [name, service] of workers) {
        const queues = (service.environment?.['WORKER_TASK_QUEUES'] ?? '')
          .split(',')
          .flatMap((queue): readonly string[] => (queue === PROVIDERS ? ALL_PROVIDER_QUEUES : [queue]));
        assert.deepEqual([...(polling[callerOf(name, service) ?? '']?.polls ?? [])].sort(), queues.sort(), name);
      }
      for (const [caller, { polls = [], methods }] of Object.entries(polling))
        if (!served.has(caller)) {
          assert.deepEqual(polls, [], caller);
          assert.deepEqual(
            methods.filter((method) => /^(Poll.*TaskQueue|Respond|Record)/.test(method)),
            [],
            caller,
          );
        }
    });

    it('has keys and certificates that no other container has', () => {
      const { serverKey, nodeKey, nodeCertificate, tokenAudience, tokenKeys, taskKey } = TEMPORAL_FILES;
      const own = [serverKey, nodeKey, nodeCertificate, tokenAudience, tokenKeys, taskKey];
      for (const secret of own)
        assert.deepEqual(
          services.filter(([, service]) => secretsOf(service).includes(secret)).map(([name]) => name),
          ['temporal'],
        );
    });

    it('is read by the UI through nginx, on a network of the two; the UI reaches nginx alone', () => {
      assert.deepEqual(on('temporal-access').sort(), ['temporal', 'temporal-access']);
      assert.deepEqual(on('temporal-ui').sort(), ['temporal-access', 'temporal-ui']);
      assert.deepEqual(file.services['temporal-ui']?.networks, ['temporal-ui']);
      assert.equal(file.services['temporal-ui']?.environment?.['TEMPORAL_ADDRESS'], 'temporal-access:7233');
    });

    it('demands a token, and certificates of its roles; only its frontend is reached from outside', () => {
      const server = parse(
        readFileSync(inProject('ops', 'temporal', 'server.yaml'), 'utf8').replace(/"?\{\{ \.Env\.(\w+) \}\}"?/g, '$1'),
      ) as TemporalServer;
      const { authorization, tls } = server.global;
      // Its own does not know what a token grants (ops/temporal/server).
      assert.equal(authorization, undefined);
      const script = readFileSync(inProject('ops', 'temporal', 'start-server.sh'), 'utf8');
      for (const name of [TEMPORAL_FILES.tokenKeys, TEMPORAL_FILES.tokenAudience, TEMPORAL_FILES.taskKey])
        assert.ok(script.includes(`=/run/secrets/${name}\n`), name);
      assert.equal(file.services['temporal']?.build?.context, './ops/temporal');
      assert.equal(tls.internode.server.requireClientAuth, true);
      assert.match(tls.frontend.server.certFile, /temporal-server-certificate$/);
      for (const [role, { rpc }] of Object.entries(server.services))
        assert.deepEqual(rpc.bindOnLocalHost ?? rpc.bindOnIP, role === 'frontend' ? '0.0.0.0' : true, role);
    });
  });

  it('gives the edge more connections than an address or a certificate may hold, and files for all of them', () => {
    const read = (name: string) => readFileSync(join(projectRoot(), 'ops', 'edge', name), 'utf8');
    const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
    const connections = numberIn(read('nginx.conf'), /worker_connections (\d+);/);
    const files = numberIn(read('nginx.conf'), /worker_rlimit_nofile (\d+);/);
    const limits = [...read('gateway.conf.template').matchAll(/limit_conn \w+ (\d+);/g)].map(([, text]) =>
      Number(text),
    );
    assert.ok(limits.length >= 3);
    // Each request takes two: its client's and the api's. Three addresses at their limit leave room for others.
    for (const limit of limits) assert.ok(connections >= 3 * 2 * limit, `${limit} of ${connections}`);
    // A connection is a file, and an upload or a log is another.
    assert.ok(files >= 2 * connections, `${files} files`);
  });

  it('opens fewer connections to PostgreSQL than it takes, with the workers of two builds', () => {
    const processes = services
      .filter(([, service]) => ['api', 'ingress', 'panel', 'worker'].includes(programOf(service) ?? ''))
      .map(([, { deploy, environment }]) => ({
        replicas: deploy?.replicas ?? 1,
        pool: Number(byDefault(environment?.['DATABASE_POOL_SIZE'] ?? '')),
      }));
    const ours = processes.reduce((sum, { replicas, pool }) => sum + replicas * pool, 0);
    const { SQL_MAX_CONNS, SQL_VIS_MAX_CONNS } = file.services['temporal']?.environment ?? {};
    const temporal = 5 * (Number(SQL_MAX_CONNS) + Number(SQL_VIS_MAX_CONNS));
    const most = Number(
      byDefault(
        file.services['postgres']?.command?.find((part) => part.startsWith('max_connections='))?.split('=')[1] ?? '',
      ),
    );
    // For people, migrations, backups and the superuser.
    const reserve = 30;
    assert.ok(processes.length >= 9 && processes.every(({ pool }) => pool > 0) && temporal > 0);
    assert.ok(ours + temporal + reserve <= most, `${ours} + ${temporal} + ${reserve} > ${most}`);
  });

  describe('gives processes no more rights than they need', () => {
    // Its image begins as root, to give the data to the user who runs the server, whom the init stops.
    const RIGHTS_OF_POSTGRES: Readonly<Record<string, readonly string[]>> = {
      postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'SETGID', 'SETUID'],
    };
    for (const [name, service] of services) {
      it(name, () => {
        assert.equal(service.read_only, true);
        assert.deepEqual(service.cap_drop, ['ALL']);
        assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
        assert.ok(service.pids_limit !== undefined && service.pids_limit <= 512);
        assert.ok(service.logging !== undefined, 'its log grows without bound');
        assert.deepEqual(service.cap_add, RIGHTS_OF_POSTGRES[name]);
        assert.equal(
          service.mem_limit === undefined,
          name === 'postgres',
          'the machine decides how much a database takes',
        );
        if (!isGateway(service)) return;
        assert.match(service.user ?? '', /^\$\{GATEWAY_USER:-1000:1000\}$/);
        const stays = service.restart === 'unless-stopped' && name !== 'revocation-list';
        if (stays) assert.ok(service.healthcheck !== undefined, 'nothing would notice that it hangs');
      });
    }
  });

  it('runs PostgreSQL below an init, so that what a killed health check leaves is no child of its own', () => {
    assert.equal(file.services['postgres']?.init, true);
  });

  it('has no default for a secret, no secret of PostgreSQL in a variable, and no simulator in production', () => {
    for (const [, name, value] of text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|SEALING_KEYS|HASH_KEY|TOKEN)):-([^}]*)\}/g))
      assert.equal(value, '', name);
    assert.doesNotMatch(text, /POSTGRES_PASSWORD:/);
    for (const name of ['simulator', 'sandbox-setup', 'demo-operator'])
      assert.deepEqual(file.services[name]?.profiles, ['sandbox']);
  });
});
