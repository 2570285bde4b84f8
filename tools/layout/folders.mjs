// Every folder of the project: what it holds and what it may import. The dependency-cruiser configuration, the
// convention test and the table in docs/architecture.md are generated from this file.

/**
 * @typedef {object} Folder
 * @property {string} holds what is in it, for docs/architecture.md
 * @property {readonly string[]} mayImport the folders it may import besides itself
 * @property {readonly string[]} [typesOf] folders of which it may import types only
 * @property {string} because why it may not import more
 */

/**
 * What runs in production and in the sandbox. A nested folder with its own entry is not part of the outer one.
 * @type {Readonly<Record<string, Folder>>}
 */
const PRODUCT = {
  domain: {
    holds: 'state tables, money, ledger, rules engine, BR Code, alerts',
    mayImport: [],
    because: 'business rules are pure: everything builds on them',
  },
  contract: {
    holds:
      '`http/`: route table, schemas, error catalogue, presenters, OpenAPI; `panel/`: the panel’s routes, for its ' +
      'server and the browser; `temporal/`: workflow inputs and messages',
    mayImport: ['domain'],
    because: 'what two processes share must import neither of them',
  },
  'prisma/generated': {
    holds: 'the generated database client (not in Git)',
    mayImport: [],
    because: 'it is generated',
  },
  'platform/telemetry': {
    holds: 'metrics, spans and logs beside the work, and the internal port that serves metrics',
    mayImport: ['domain'],
    because: 'every process is measured, so measuring depends on none',
  },
  providers: {
    holds: 'the provider port, and its adapters `pix-api` and `woovi`',
    mayImport: ['domain'],
    because: 'an adapter knows its provider and the domain, not its callers',
  },
  store: {
    holds: 'every read and write of the database, by subject; sealing and look-up hashes',
    mayImport: ['domain', 'contract', 'prisma/generated'],
    because: 'it maps rows to domain types for any process',
  },
  'platform/config': {
    holds: 'one configuration schema per process; read in `main.ts` files only',
    mayImport: ['domain', 'contract', 'providers', 'store', 'platform/telemetry'],
    because: 'it describes processes and starts none',
  },
  'platform/http': {
    holds: 'the HTTP server, connections, health and end of every process that serves requests',
    mayImport: ['store', 'platform/config', 'platform/telemetry', 'platform/temporal'],
    because: 'it works for any application',
  },
  'platform/temporal': {
    holds: 'the typed Temporal client',
    mayImport: ['domain', 'contract', 'platform/telemetry'],
    because: 'every process that calls Temporal uses it',
  },
  activities: {
    holds:
      'activities by subject: each opens the seal, asks store, rules or provider, decides by `domain/`, and stores the step',
    mayImport: ['domain', 'contract', 'providers', 'store', 'platform/telemetry'],
    because: 'activities serve workflows and do not depend on a process',
  },
  workflows: {
    holds:
      '`deposit`, `withdrawal`, `webhookDelivery`, `ruleChange`; `dayClose` and other scheduled ones; `steps/` for what they share',
    mayImport: ['domain', 'contract'],
    typesOf: ['activities'],
    because: 'workflow code is replayed: no I/O, no configuration, no database',
  },
  worker: {
    holds: 'the worker process',
    mayImport: [
      'domain',
      'contract',
      'providers',
      'store',
      'activities',
      'workflows',
      'platform/config',
      'platform/telemetry',
      'platform/temporal',
    ],
    because: 'it runs workflows and activities, and serves no requests',
  },
  api: {
    holds: 'request pipeline, routes',
    mayImport: [
      'domain',
      'contract',
      'providers',
      'store',
      'prisma/generated',
      'platform/config',
      'platform/http',
      'platform/telemetry',
      'platform/temporal',
    ],
    because: 'it starts and queries workflows; activities do the work, in workers',
  },
  ingress: {
    holds: "the process that takes the providers' callbacks",
    mayImport: [
      'domain',
      'providers',
      'store',
      'platform/config',
      'platform/http',
      'platform/telemetry',
      'platform/temporal',
    ],
    because: 'it verifies, stores and passes on callbacks; workers ask the provider for the facts',
  },
  client: {
    holds: "the operator's client",
    mayImport: [],
    because: 'operators copy it into their own projects',
  },
  conformance: {
    holds: 'the kit that plays the gateway for an operator’s program and reports what the program did',
    mayImport: ['client'],
    because: 'operators run it beside their own program, without the gateway',
  },
  staff: {
    holds: 'what staff read (`reads/`) and do (`acts/`), for the `gateway` command and the panel',
    mayImport: ['domain', 'contract', 'store', 'prisma/generated', 'platform/temporal'],
    because: 'it knows people and payments, but neither the command line nor the page',
  },
  panel: {
    holds: 'the panel process: the API behind the page where people decide, and the page’s files',
    mayImport: [
      'domain',
      'contract',
      'store',
      'staff',
      'platform/config',
      'platform/http',
      'platform/telemetry',
      'platform/temporal',
    ],
    because: 'it has no logic of its own: it reads and does the same as the `gateway` command',
  },
  'panel/web': {
    holds: 'the panel’s page: what runs in people’s browsers',
    mayImport: ['domain'],
    typesOf: ['contract'],
    because: 'a browser loads all of it, so it takes only types from the contract and plain tables from the domain',
  },
  cli: {
    holds: 'the `gateway` command: its words and arguments',
    mayImport: [
      'domain',
      'contract',
      'providers',
      'store',
      'staff',
      'prisma/generated',
      'activities',
      'client',
      'conformance',
      'platform/config',
      'platform/temporal',
    ],
    because: '`staff/` does what people change there; it imports none of the processes that it operates',
  },
  command: {
    holds: 'the process that runs the staff’s `gateway` commands of production, with their sessions',
    mayImport: ['domain', 'store', 'staff', 'cli', 'platform/config', 'platform/http'],
    because: 'it says who asks and has `cli/` do the rest',
  },
  prisma: {
    holds: 'schema, migrations and the program that applies them',
    mayImport: ['platform/config'],
    because: 'it runs before everything else',
  },
  'sandbox/simulator': {
    holds: 'the simulated payment provider',
    mayImport: ['domain', 'providers', 'platform/config', 'platform/telemetry'],
    because: 'it implements the provider side of the adapter and knows nothing of the gateway',
  },
  'sandbox/demo-operator': {
    holds: 'a demo operator with its own ledger',
    mayImport: ['client', 'platform/config'],
    because: 'it is an example of what operators write',
  },
  sandbox: {
    holds: 'the demo and its operation; `prepare/` and `play/` for containers',
    mayImport: ['domain', 'client', 'cli', 'platform/config', 'sandbox/demo-operator'],
    because: 'it acts as an operator and as staff, through the client and the `gateway` command',
  },
};

/** @type {readonly string[]} */
export const PRODUCT_FOLDERS = Object.keys(PRODUCT);

/**
 * A folder of tools. It may import the whole product and the tools named here; the names form no circle.
 * @param {string} holds
 * @param {readonly string[]} tools
 * @param {string} because
 * @returns {Folder}
 */
const tool = (holds, tools, because) => ({
  holds,
  mayImport: [...PRODUCT_FOLDERS, ...tools.map((name) => `tools/${name}`)],
  because,
});

/** @type {Readonly<Record<string, Folder>>} */
const TOOLS = {
  'tools/bootstrap': {
    holds: 'install, generate, compile, bundle: from a fresh clone to something that runs',
    mayImport: [],
    because: 'it runs before anything is installed or compiled',
  },
  'tools/layout': {
    holds: 'this table, and the import rules made from it',
    mayImport: [],
    because: 'lint reads it without a build',
  },
  'tools/processes': {
    holds: 'child processes, ports, and how both end',
    mayImport: ['tools/bootstrap'],
    because: 'it runs any program',
  },
  'tools/servers': tool(
    'finds, builds and starts PostgreSQL, Temporal and nginx; finds Chromium',
    ['bootstrap', 'processes'],
    'stack, cluster and tests start the same servers',
  ),
  'tools/stack': tool(
    'the stack behind `npm start` and `npm run dev`',
    ['bootstrap', 'processes', 'servers'],
    'the lab builds on it',
  ),
  'tools/dev': tool(
    'compile and restart on save, for `npm run dev`',
    ['bootstrap', 'layout', 'processes', 'servers', 'stack'],
    'it drives the stack; nothing needs it',
  ),
  'tools/test-run': tool(
    'the runner behind `npm test`',
    ['bootstrap', 'processes', 'servers'],
    'it runs tests and imports none',
  ),
  'tools/schema': tool(
    'compares the migrations with prisma/schema.prisma: `npm run schema`',
    ['bootstrap', 'servers'],
    'it reads a database and changes none',
  ),
  'tools/docs': tool(
    'writes the generated parts of the docs and the client; `site/` makes the documentation site',
    ['bootstrap', 'processes', 'servers', 'layout'],
    'docs come from the tables in the code; nothing comes from the docs',
  ),
};

/**
 * A folder of the lab. It may import the whole product, all tools and the folders of the lab named here.
 * @param {string} holds
 * @param {readonly string[]} others
 * @param {string} because
 * @returns {Folder}
 */
const ofLab = (holds, others, because) => ({
  holds,
  mayImport: [...PRODUCT_FOLDERS, ...Object.keys(TOOLS), ...others.map((name) => `lab/${name}`)],
  because,
});

/** @type {Readonly<Record<string, Folder>>} */
const LAB = {
  'lab/cluster': ofLab(
    'the production shape behind `npm run cluster`, and its drills',
    [],
    'the rest of the lab builds on it',
  ),
  'lab/harness': ofLab(
    'real servers and processes for tests, benchmarks and fault campaigns',
    ['cluster'],
    'tests, benchmarks and campaigns build on it, not the other way round',
  ),
  'lab/bench': ofLab('the benchmarks of `npm run bench`', ['cluster', 'harness'], 'it measures'),
  'lab/faults': ofLab(
    'the fault campaign of `npm run faults`: environment and scenarios',
    ['cluster', 'harness'],
    'it breaks what the others start',
  ),
  'lab/fuzz': ofLab(
    'an outside judge of the HTTP contract: `npm run fuzz`',
    ['harness'],
    'the judge sees the contract and a running stack only',
  ),
  'lab/compose-check': ofLab(
    'follows the container instructions of docs/running.md to the letter',
    ['cluster'],
    'it runs what an administrator runs',
  ),
  'lab/screenshots': ofLab('takes the pictures of docs/ from a running stack', [], 'it sees what people see'),
  'lab/mutants': ofLab('changes of the code that no test notices: `npm run mutants`', [], 'it runs the tests'),
  'lab/planted-faults': {
    holds: 'faults planted one at a time, to see whether the searcher finds them',
    mayImport: ['tools/bootstrap'],
    because: 'the searcher does not know what was planted',
  },
};

/**
 * Folders by path. A file belongs to the longest path that it begins with.
 * @type {Readonly<Record<string, Folder>>}
 */
export const FOLDERS = {
  ...PRODUCT,
  ...TOOLS,
  ...LAB,
  tools: {
    holds: 'the programs behind `npm start`, `npm test`, `npm run …`',
    mayImport: [...PRODUCT_FOLDERS, ...Object.keys(TOOLS)],
    because: 'nothing that runs in production needs them',
  },
  lab: {
    holds: 'the searcher behind `npm run explore`: machine, world, judge',
    mayImport: [...PRODUCT_FOLDERS, ...Object.keys(TOOLS), 'lab/harness', 'lab/faults'],
    because: 'it plays the whole gateway from outside; nothing that runs in production needs it',
  },
  test: {
    holds: 'the tests, one folder per group',
    mayImport: [...PRODUCT_FOLDERS, ...Object.keys(TOOLS), ...Object.keys(LAB), 'tools', 'lab'],
    because: 'nothing that runs in production needs them',
  },
};

/**
 * "platform/config/api.ts" → "platform/config"; undefined for a file in no folder of the table.
 * @param {string} file path from the project's root, with "/"
 * @returns {string | undefined}
 */
export function folderOf(file) {
  return Object.keys(FOLDERS)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
}
