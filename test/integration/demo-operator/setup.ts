// One demo operator against one fake gateway, each on a free port, with its own state folder.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { demoOperatorControl } from '../../../sandbox/demo-operator/control-client.js';
import type { DemoOperatorControl } from '../../../sandbox/demo-operator/control-client.js';
import { startDemoOperator } from '../../../sandbox/demo-operator/start.js';
import type { DemoOperator } from '../../../sandbox/demo-operator/start.js';
import type { PaymentView, StateView } from '../../../sandbox/demo-operator/view.js';
import { sandboxOf, startFakeGateway } from './fake-gateway.js';
import type { FakeGateway } from './fake-gateway.js';
import { eventually } from '../../../lab/harness/eventually.js';

export interface Setup {
  readonly gateway: FakeGateway;
  readonly folder: string;
  readonly operator: () => DemoOperator;
  readonly control: () => DemoOperatorControl;
  /** Stops the operator and starts it again on the same state. */
  restart(): Promise<void>;
  stopOperator(): Promise<void>;
  startOperator(): Promise<void>;
  writeSandboxFile(): void;
  close(): Promise<void>;
}

/** `credentials: false` leaves the sandbox file unwritten, as at the first start of a stack. */
export async function setUp(options: { credentials?: boolean; recoveryIntervalMs?: number } = {}): Promise<Setup> {
  const gateway = await startFakeGateway();
  const folder = mkdtempSync(join(tmpdir(), 'demo-operator-'));
  let operator: DemoOperator | null = null;

  const current = (): DemoOperator => {
    if (!operator) throw new Error('the operator is not running');
    return operator;
  };
  const setup: Setup = {
    gateway,
    folder,
    operator: current,
    control: () => demoOperatorControl(current().url),
    async startOperator() {
      const { recoveryIntervalMs = 60_000 } = options;
      const log = pino({ level: 'silent' });
      operator = await startDemoOperator({
        port: 0,
        stateDir: folder,
        sandboxFile: join(folder, 'sandbox.json'),
        recoveryIntervalMs,
        log,
        fetchBackPauseMs: 20,
      });
      gateway.webhookUrl = `${operator.url}/webhooks`;
      if (existsSync(join(folder, 'sandbox.json'))) await untilRecovered(operator.url);
    },
    async stopOperator() {
      await operator?.close();
      operator = null;
    },
    async restart() {
      await setup.stopOperator();
      await setup.startOperator();
    },
    writeSandboxFile: () =>
      writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(sandboxOf(gateway, gateway.webhookUrl))),
    async close() {
      await setup.stopOperator();
      await gateway.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (options.credentials !== false) setup.writeSandboxFile();
  await setup.startOperator();
  return setup;
}

/** Waits until the operator's state satisfies the condition; fails with the last state after 5 s. */
export async function untilState(
  setup: Setup,
  what: string,
  condition: (state: StateView) => boolean,
): Promise<StateView> {
  return eventually(async () => {
    const state = await setup.control().state();
    return condition(state) && state;
  }, what);
}

/** Waits until the recovery round of the start is over: a test then knows which way an event came. */
async function untilRecovered(url: string): Promise<void> {
  await eventually(async () => {
    const health = (await (await fetch(`${url}/healthz`)).json()) as { recovered_at: string | null };
    return health.recovered_at;
  }, 'a recovery round has ended');
}

/** A state in which the payment with this external id has been fetched back at the version. */
export function untilVersion(setup: Setup, externalId: string, version: number): Promise<StateView> {
  return untilState(
    setup,
    `${externalId} at version ${version}`,
    (state) => paymentIn(state, externalId)?.version === version,
  );
}

export function paymentIn(state: StateView, externalId: string): PaymentView | undefined {
  return [...state.deposits, ...state.withdrawals].find((payment) => payment.external_id === externalId);
}

/** `{available, reserved}` of a player in minor units, as text; "0" without an account. */
export function balanceOf(state: StateView, playerRef: string): { available: string; reserved: string } {
  const player = state.players.find((each) => each.player_ref === playerRef);
  return { available: player?.available.amount ?? '0', reserved: player?.reserved.amount ?? '0' };
}
