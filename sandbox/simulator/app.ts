// Puts the simulator together: state, callbacks, bank, and one HTTP server for all providers and the control interface.
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { SimulatorConfig } from '../../platform/config/simulator.js';
import type { AccountName } from '../../providers/port.js';
import { count, exposition, EXPOSITION_TYPE } from '../../platform/telemetry/instruments.js';
import { inSpan, traceOf } from '../../platform/telemetry/spans.js';
import { Bank } from './bank.js';
import { CallbackSender } from './callbacks.js';
import { controlRouter } from './control.js';
import { Delays } from './delays.js';
import { SIMULATED_DIALECTS } from './dialect-table.js';
import { openJournal, type Journal } from './journal.js';
import { type KeyBudget, KeyDirectory } from './key-directory.js';
import { SimulatorState, type JournalEntry } from './state.js';

export interface RunningSimulator {
  readonly port: number;
  /** `http://host:port`; providers are under `/simulator`, `/a`, `/b`, own accounts under `/a.acme`, steering under `/control`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the simulator. `pace` below 1 makes every pause shorter, for tests. Rejects when the port is taken. */
export async function startSimulator(config: SimulatorConfig, log: Logger, pace = 1): Promise<RunningSimulator> {
  const state = new SimulatorState();
  const journal = openJournal<JournalEntry>(config.stateDir, (entry) => state.apply(entry));
  state.recordIn(journal);
  // Codes and keys are for everybody: who shows no certificate is refused by the routes that demand one.
  const server: Server =
    config.tls === null
      ? createServer()
      : createTlsServer({ ...config.tls, requestCert: true, rejectUnauthorized: false });
  try {
    await listen(server, config);
  } catch (error) {
    journal.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const authority = `${config.host}:${port}`;
  const delays = new Delays(pace);
  const providers = Object.keys(config.accounts) as AccountName[];
  const callbacks = new CallbackSender(state, config.accounts, delays, (dialect) => SIMULATED_DIALECTS[dialect], log, {
    url: config.callbackUrl,
    repeatPace: config.callbackPace,
    certificate: config.tls,
  });
  const locationBase = (provider: AccountName) => `${config.publicHost ?? authority}/${provider}/v2`;
  const callingProvider = (provider: AccountName) => {
    const account = config.accounts[provider];
    if (account === undefined) throw new Error(`${provider} is not played`);
    return { format: SIMULATED_DIALECTS[account.dialect], account };
  };
  const bank = new Bank(state, callbacks, delays, locationBase, callingProvider);
  const directories = new Map(
    providers.map((provider) => [provider, new KeyDirectory(state.of(provider), budgetOf(config, provider))]),
  );
  const handle = buildApp({ config, log, state, bank, delays, directories, locationBase }).callback();
  // Koa answers every fault itself, so the promise never rejects.
  server.on('request', (request, response) => void handle(request, response));
  callbacks.resume();
  bank.resume(providers);
  let closing: Promise<void> | null = null;
  return {
    port,
    url: `${config.tls === null ? 'http' : 'https'}://${authority}`,
    close: () => (closing ??= close(server, delays, callbacks, journal)),
  };
}

function budgetOf({ accounts }: SimulatorConfig, provider: AccountName): KeyBudget | undefined {
  const account = accounts[provider];
  return account && SIMULATED_DIALECTS[account.dialect].keyBudget;
}

interface Parts {
  readonly config: SimulatorConfig;
  readonly log: Logger;
  readonly state: SimulatorState;
  readonly bank: Bank;
  readonly delays: Delays;
  readonly directories: ReadonlyMap<AccountName, KeyDirectory>;
  readonly locationBase: (provider: AccountName) => string;
}

function buildApp({ config, log, state, bank, delays, directories, locationBase }: Parts): Koa {
  const app = new Koa();
  app.on('error', (error: Error) =>
    log.error({ err: { name: error.name, message: error.message, stack: error.stack } }, 'request failed'),
  );
  app.use(counted([...directories.keys()]));
  app.use(traced);
  app.use((ctx, next) => {
    if (ctx.path !== '/healthz') return next();
    ctx.body = { ok: true, providers: [...directories.keys()] };
    return undefined;
  });
  const metrics = exposition('simulator');
  app.use(async (ctx, next) => {
    if (ctx.path !== '/metrics') return next();
    ctx.type = EXPOSITION_TYPE;
    ctx.body = await metrics();
  });
  for (const [provider, directory] of directories) {
    const account = config.accounts[provider];
    if (!account) continue;
    const psp = {
      provider,
      account,
      bank,
      books: state.of(provider),
      directory,
      delays,
      certificate: config.tls,
      locationBase: locationBase(provider),
    };
    app.use(SIMULATED_DIALECTS[account.dialect].router(psp).routes());
  }
  app.use(controlRouter({ bank, state, directories, networks: config.controlNetworks }).routes());
  return app;
}

/** Continues the caller's trace. Requests outside a trace (tokens, health checks) get no span. */
const traced: Koa.Middleware = (ctx, next) => {
  const parent = traceOf(ctx.headers);
  if (parent === null) return next();
  return inSpan(
    { name: ctx.method, kind: 'server', parent, attributes: { 'http.request.method': ctx.method } },
    async (span) => {
      await next();
      const route: unknown = ctx['_matchedRoute'];
      if (typeof route === 'string') span.rename(`${ctx.method} ${route}`);
      // One that is left without an answer has no status.
      span.set({
        'http.route': typeof route === 'string' ? route : undefined,
        'http.response.status_code': ctx.respond === false ? undefined : ctx.status,
      });
    },
  );
};

/** Counts each request once its connection is done with it: a silent provider never answers. */
function counted(providers: readonly AccountName[]): Koa.Middleware {
  return (ctx, next) => {
    const provider = providers.find((name) => ctx.path.startsWith(`/${name}/`)) ?? 'none';
    ctx.res.once('close', () =>
      count('gateway_simulator_requests_total', {
        provider,
        status: ctx.res.writableFinished ? String(ctx.res.statusCode) : 'none',
      }),
    );
    return next();
  };
}

function listen(server: Server, config: SimulatorConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Ends at once: silent and slow requests are cut, undelivered callbacks wait for the next start. */
async function close(
  server: Server,
  delays: Delays,
  callbacks: CallbackSender,
  journal: Journal<JournalEntry>,
): Promise<void> {
  delays.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  await callbacks.close();
  journal.close();
}
