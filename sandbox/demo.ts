// The demo of `npm start`: a deposit and a withdrawal from signed request to delivered webhook, told step by step.
// It plays the operator's cashier and, for the approval, a person at the gateway; nothing in it is simulated but the
// payer and the bank.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGatewayClient, ProblemError } from '../client/index.js';
import type {
  Deposit,
  GatewayClient,
  GatewayEvent,
  Money,
  NewDeposit,
  NewWithdrawal,
  Withdrawal,
} from '../client/index.js';
import { demoOperatorControl } from './demo-operator/control-client.js';
import type { DemoOperatorControl } from './demo-operator/control-client.js';
import { readTls } from './demo-operator/sandbox-file.js';
import type { TlsFiles } from './demo-operator/sandbox-file.js';
import type { EventView, PaymentView, StateView } from './demo-operator/view.js';
import { formatBrl } from '../domain/money.js';

export interface DemoOptions {
  /** The content of var/sandbox.json. */
  readonly sandbox: {
    readonly base_url: string;
    readonly temporal_ui_url: string;
    readonly tls?: TlsFiles | undefined;
    readonly operation: { readonly key_id: string; readonly secret: string };
  };
  readonly demoOperatorUrl: string;
  readonly print: (line: string) => void;
  /** Runs the `gateway` command. */
  readonly gateway: (
    args: string[],
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  /** The bound of every single wait. Default 30 s. */
  readonly waitMs?: number;
}

/** What each step of a run needs. Every run has references of its own, and so a player of its own. */
interface Run extends DemoOptions {
  readonly waitMs: number;
  readonly client: GatewayClient;
  readonly operator: DemoOperatorControl;
  readonly reference: string;
  readonly playerRef: string;
}

/** The demo cannot continue. The message says what it expected and what it saw last. */
class DemoStopped extends Error {
  override readonly name = 'DemoStopped';
}

const DEPOSIT_AMOUNT: Money = { amount: '5000', currency: 'BRL' };
const WITHDRAWAL_AMOUNT: Money = { amount: '3000', currency: 'BRL' };
const PLAYER_CPF = '52998224725';
const PLAYER_NAME = 'Ana Souza';
const PLAYER_EMAIL = 'ana@player.test';
// An address reserved for documentation.
const PLAYER_IP = '203.0.113.10';
// The second one decides only if the rules ask for two people.
const APPROVERS = ['Ana Souza', 'Bruno Lima'];
const DEFAULT_WAIT_MS = 30_000;
const POLL_MS = 250;

/**
 * Runs the whole story, printing each step as it happens. `ok` only if deposit and withdrawal are `paid`, the ledger
 * balances and the demo operator received every event that `GET /events` lists for both. What keeps it from going on is
 * printed, not thrown.
 */
export async function runDemo(options: DemoOptions): Promise<{ ok: boolean }> {
  const reference = randomBytes(5).toString('hex');
  const { base_url: baseUrl, operation, tls } = options.sandbox;
  const waitMs = options.waitMs ?? DEFAULT_WAIT_MS;
  const client = createGatewayClient({
    baseUrl,
    keyId: operation.key_id,
    secret: operation.secret,
    giveUpAfterMs: waitMs,
    ...readTls(tls),
  });
  const operator = demoOperatorControl(options.demoOperatorUrl);
  try {
    await tellStory({ ...options, waitMs, client, operator, reference, playerRef: `demo-player-${reference}` });
    return { ok: true };
  } catch (error) {
    options.print('');
    options.print(`  Stopped: ${error instanceof Error ? error.message : String(error)}`);
    return { ok: false };
  } finally {
    await client.close();
  }
}

async function tellStory(run: Run): Promise<void> {
  title(run, 'Before');
  await greet(run);

  title(run, `Deposit: the player pays ${brl(DEPOSIT_AMOUNT)} by PIX`);
  const deposit = await createDeposit(run);
  const paidEvent = await payDeposit(run, deposit);
  await showBalances(run);

  title(run, `Withdrawal: the player takes out ${brl(WITHDRAWAL_AMOUNT)}`);
  const created = await createWithdrawal(run);
  const approved = await approveWithdrawal(run, created);
  await payWithdrawal(run, approved);

  title(run, 'Proof');
  await compareEvents(run, [deposit.id, created.id]);
  await verifyLedger(run);
  await redeliver(run, paidEvent);
  await showBothPaid(run, deposit.id, created.id);
}

async function greet(run: Run): Promise<void> {
  await until(run, 'the demo operator to answer', async () =>
    (await run.operator.healthy()) ? found(true) : notYet('no answer'),
  );
  const { body: ping } = await run.client.ping();
  const aheadMs = Date.parse(ping.server_time) - Date.now();
  step(run, 'GET /ping', `ok, ${ping.environment}, clocks differ by ${Math.abs(aheadMs)} ms`);
}

// --- Deposit ---

async function createDeposit(run: Run): Promise<Deposit> {
  const deposit: NewDeposit = {
    external_id: `demo-deposit-${run.reference}`,
    // Some providers need them: GET /currencies says so.
    player: {
      external_ref: run.playerRef,
      document: { type: 'CPF', number: PLAYER_CPF, country: 'BR' },
      name: PLAYER_NAME,
      email: PLAYER_EMAIL,
    },
    amount: DEPOSIT_AMOUNT,
    method: 'pix',
  };
  await run.operator.expectDeposit({
    external_id: deposit.external_id,
    amount: deposit.amount,
    player_ref: run.playerRef,
  });
  const { body: answered } = await run.client.createDeposit(deposit, {
    idempotencyKey: `deposit-create:${deposit.external_id}`,
  });
  step(run, 'POST /deposits', state(answered));
  showPage(run, answered.id);

  const pending = await follow(run, 'deposit', answered, (now) => now.status !== 'created');
  expectStatus('deposit', pending, ['pending']);
  const code = pending.instructions?.pix?.copy_paste;
  if (!code) throw new DemoStopped('the pending deposit has no PIX copy-and-paste code');
  step(run, '  PIX copy-and-paste', `${code.slice(0, 30)}…${code.slice(-8)}`);
  return pending;
}

/** Returns the event that told the operator. */
async function payDeposit(run: Run, deposit: Deposit): Promise<EventView> {
  const { body: answered } = await run.client.sandbox.payDeposit(deposit.id, {
    idempotencyKey: `demo-pay:${deposit.id}`,
  });
  step(run, 'POST /sandbox/deposits/…/pay', state(answered));
  const paid = await follow(run, 'deposit', answered, (now) => now.status !== 'pending');
  expectStatus('deposit', paid, ['paid']);

  const event = await until(run, 'the webhook deposit.paid at the demo operator', async () => {
    const { events } = await run.operator.state();
    const received = events.find(({ object_id: id, type }) => id === deposit.id && type === 'deposit.paid');
    return received ? found(received) : notYet(seenEvents(events, deposit.id));
  });
  step(
    run,
    'webhook deposit.paid',
    `signature verified, ${event.duplicates === 0 ? 'first time' : `seen ${event.duplicates + 1} times`}`,
  );

  const entry = await untilEntry(
    run,
    'the demo operator to credit the player',
    deposit.id,
    ({ money }) => money === 'credited',
  );
  step(
    run,
    '  fetched back, credited',
    `${state({ ...entry, status: entry.status ?? '' })}   ${await playerLine(run)}`,
  );
  return event;
}

async function showBalances(run: Run): Promise<void> {
  const { body } = await run.client.balances();
  for (const { available, pending_in: incoming, pending_out: outgoing } of body.data) {
    step(
      run,
      'GET /balances',
      `${brl(available)} available, ${brl(incoming)} pending in, ${brl(outgoing)} pending out`,
    );
  }
}

// --- Withdrawal ---

async function createWithdrawal(run: Run): Promise<Withdrawal> {
  const withdrawal: NewWithdrawal = {
    external_id: `demo-withdrawal-${run.reference}`,
    player: {
      external_ref: run.playerRef,
      document: { type: 'CPF', number: PLAYER_CPF, country: 'BR' },
      ip: PLAYER_IP,
    },
    amount: WITHDRAWAL_AMOUNT,
    method: 'pix',
    destination: { pix: { key_type: 'cpf', key: PLAYER_CPF } },
  };
  await run.operator.expectWithdrawal({
    external_id: withdrawal.external_id,
    amount: withdrawal.amount,
    player_ref: run.playerRef,
  });
  step(run, 'operator reserves', await playerLine(run));
  const created = await requestWithdrawal(run, withdrawal);
  step(run, 'POST /withdrawals', `${state(created)}   ${created.decision.reasons.join(', ') || created.decision.mode}`);
  showPage(run, created.id);
  return follow(run, 'withdrawal', created, (now) => now.status !== 'requested');
}

/** A refusal that is conclusive gives the reserve back; anything else keeps it, as the contract asks of operators. */
async function requestWithdrawal(run: Run, withdrawal: NewWithdrawal): Promise<Withdrawal> {
  try {
    return (
      await run.client.createWithdrawal(withdrawal, { idempotencyKey: `withdrawal-create:${withdrawal.external_id}` })
    ).body;
  } catch (error) {
    if (error instanceof ProblemError && error.conclusive) await run.operator.releaseWithdrawal(withdrawal.external_id);
    throw error;
  }
}

/** A person approves, and a second one if the rules want two. A withdrawal that is past its review is left as it is. */
async function approveWithdrawal(run: Run, created: Withdrawal): Promise<Withdrawal> {
  let withdrawal = created;
  for (const person of APPROVERS) {
    if (withdrawal.status !== 'under_review') break;
    const args = ['review', 'approve', withdrawal.id, '--as', person, '--reason', 'first withdrawal checked'];
    await command(run, args);
    step(run, 'gateway review approve', `by ${person}`);
    withdrawal = (await run.client.getWithdrawal(withdrawal.id)).body;
  }
  return withdrawal;
}

async function payWithdrawal(run: Run, approved: Withdrawal): Promise<void> {
  step(run, 'GET /withdrawals/…', state(approved));
  const sent = await follow(
    run,
    'withdrawal',
    approved,
    ({ status }) => status !== 'approved' && status !== 'under_review',
  );
  expectStatus('withdrawal', sent, ['processing', 'paid']);
  if (sent.status === 'processing') await settleWithdrawal(run, sent);

  const paid = await follow(run, 'withdrawal', sent, ({ status }) => status !== 'processing');
  expectStatus('withdrawal', paid, ['paid']);
  if (!paid.psp_reference) throw new DemoStopped('the paid withdrawal has no psp_reference');
  step(run, '  psp_reference', paid.psp_reference);
  const entry = await untilEntry(
    run,
    'the demo operator to book the outflow',
    paid.id,
    ({ money }) => money === 'settled',
  );
  step(run, 'webhook withdrawal.paid', `${state({ ...entry, status: entry.status ?? '' })}   ${await playerLine(run)}`);
}

async function settleWithdrawal(run: Run, sent: Withdrawal): Promise<void> {
  try {
    const { body } = await run.client.sandbox.withdrawal(sent.id, 'pay', { idempotencyKey: `demo-pay:${sent.id}` });
    step(run, 'POST /sandbox/withdrawals/…/pay', state(body));
  } catch (error) {
    // The provider may have been quicker.
    const { body: now } = await run.client.getWithdrawal(sent.id);
    if (now.status !== 'paid') throw error;
  }
}

// --- Proof ---

/** Every event of both payments, as the gateway lists them, reached the operator by webhook. */
async function compareEvents(run: Run, objectIds: readonly string[]): Promise<void> {
  const listed = await until(run, 'GET /events to list both payments as paid', async () => {
    const events = (await Promise.all(objectIds.map((id) => eventsOf(run, id)))).flat();
    const paid = events.filter(({ type }) => type === 'deposit.paid' || type === 'withdrawal.paid');
    return paid.length === objectIds.length
      ? found(events)
      : notYet(events.map(({ type }) => type).join(', ') || 'none');
  });
  const state = await until(run, 'every event at the demo operator, by webhook', async () => {
    const seen = await run.operator.state();
    const missing = listed.filter(({ id }) => !cameByWebhook(seen, id));
    return missing.length === 0 ? found(seen) : notYet(`missing ${missing.map(({ type }) => type).join(', ')}`);
  });
  for (const event of listed) step(run, `  ${event.type}`, `v${event.object_version}   ${lateness(event, state)}`);
  step(run, 'GET /events', `${listed.length} events, all received, verified and fetched back`);
}

async function eventsOf(run: Run, objectId: string): Promise<GatewayEvent[]> {
  const events: GatewayEvent[] = [];
  for await (const event of run.client.events({ object_id: objectId })) events.push(event);
  return events;
}

/** An event that the operator's recovery job happened to read first counts once its webhook has come as well. */
function cameByWebhook(state: StateView, eventId: string): boolean {
  const event = state.events.find(({ id }) => id === eventId);
  return event !== undefined && (event.via === 'webhook' || event.duplicates > 0);
}

function lateness(event: GatewayEvent, state: StateView): string {
  const received = state.events.find(({ id }) => id === event.id);
  if (!received) return '';
  return `received ${Math.max(0, Date.parse(received.received_at) - Date.parse(event.created_at))} ms later`;
}

async function verifyLedger(run: Run): Promise<void> {
  const stdout = await command(run, ['ledger', 'verify']);
  const report = JSON.parse(stdout) as { ok?: unknown };
  if (report.ok !== true) throw new DemoStopped(`the ledger does not balance: ${stdout.trim().slice(0, 300)}`);
  step(run, 'gateway ledger verify', 'ok: every sum of entries equals its balance');
}

async function redeliver(run: Run, event: EventView): Promise<void> {
  const before = await run.operator.state();
  const duplicatesOf = (state: StateView): number => state.events.find(({ id }) => id === event.id)?.duplicates ?? 0;
  await run.client.sandbox.redeliver(event.id, { idempotencyKey: `demo-redeliver:${event.id}` });
  step(run, 'POST /sandbox/webhooks/redeliver', event.type);
  const after = await until(run, `the second delivery of ${event.type}`, async () => {
    const state = await run.operator.state();
    return duplicatesOf(state) > duplicatesOf(before) ? found(state) : notYet(`${duplicatesOf(state)} duplicates`);
  });
  const [was, is] = [before, after].map((state) => player(run, state)?.available.amount);
  if (was !== is) throw new DemoStopped(`a redelivered event changed the player's balance from ${was} to ${is}`);
  step(run, '  de-duplicated', `same event id: nothing credited again, ${await playerLine(run)}`);
}

async function showBothPaid(run: Run, depositId: string, withdrawalId: string): Promise<void> {
  const [{ body: deposit }, { body: withdrawal }] = await Promise.all([
    run.client.getDeposit(depositId),
    run.client.getWithdrawal(withdrawalId),
  ]);
  step(run, 'deposit', state(deposit));
  step(run, 'withdrawal', state(withdrawal));
  expectStatus('deposit', deposit, ['paid']);
  expectStatus('withdrawal', withdrawal, ['paid']);
}

// --- Waiting, commands and lines ---

/** Polls a payment, printing every state in which it is seen for the first time, until the condition holds. */
async function follow<Payment extends Deposit | Withdrawal>(
  run: Run,
  kind: 'deposit' | 'withdrawal',
  from: Payment,
  reached: (now: Payment) => boolean,
): Promise<Payment> {
  let last = from;
  return until(run, `the ${kind} to leave ${from.status}`, async () => {
    const { body } =
      kind === 'deposit' ? await run.client.getDeposit(from.id) : await run.client.getWithdrawal(from.id);
    const now = body as Payment;
    if (now.version > last.version) step(run, `GET /${kind}s/…`, state(now));
    last = now;
    return reached(now) ? found(now) : notYet(state(now));
  });
}

function untilEntry(
  run: Run,
  awaited: string,
  objectId: string,
  reached: (entry: PaymentView) => boolean,
): Promise<PaymentView> {
  return until(run, awaited, async () => {
    const { deposits, withdrawals, alerts } = await run.operator.state();
    const entry = [...deposits, ...withdrawals].find(({ object_id: id }) => id === objectId);
    if (entry && reached(entry)) return found(entry);
    const alerted = alerts.filter(({ object_id: id }) => id === objectId).map(({ code }) => code);
    const seen = entry ? `${entry.status} v${entry.version}, ${entry.money}` : 'not fetched back yet';
    return notYet([seen, ...alerted.map((code) => `alert ${code}`)].join(', '));
  });
}

type Probe<Value> = { readonly found: true; readonly value: Value } | { readonly found: false; readonly seen: string };

function found<Value>(value: Value): Probe<Value> {
  return { found: true, value };
}

function notYet(seen: string): Probe<never> {
  return { found: false, seen };
}

/** Probes until something is found. Throws DemoStopped with what was awaited and seen last once the wait is over. */
async function until<Value>(run: Run, awaited: string, probe: () => Promise<Probe<Value>>): Promise<Value> {
  const deadline = Date.now() + run.waitMs;
  for (;;) {
    const result = await probe();
    if (result.found) return result.value;
    if (Date.now() >= deadline)
      throw new DemoStopped(`waited ${run.waitMs / 1000} s for ${awaited}; last seen: ${result.seen}`);
    await sleep(POLL_MS);
  }
}

async function command(run: Run, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run.gateway(args);
  if (code !== 0)
    throw new DemoStopped(
      `"gateway ${args.slice(0, 2).join(' ')}" ended with code ${code}: ${(stderr || stdout).trim().slice(0, 300)}`,
    );
  return stdout;
}

function expectStatus(
  kind: string,
  { status, version }: { status: string; version: number },
  expected: readonly string[],
): void {
  if (!expected.includes(status))
    throw new DemoStopped(`the ${kind} should be ${expected.join(' or ')} but is ${status} (version ${version})`);
}

function seenEvents(events: readonly EventView[], objectId: string): string {
  return (
    events
      .filter(({ object_id: id }) => id === objectId)
      .map(({ type }) => type)
      .join(', ') || 'no event of this deposit'
  );
}

async function playerLine(run: Run): Promise<string> {
  const account = player(run, await run.operator.state());
  return account ? `player has ${brl(account.available)}, reserved ${brl(account.reserved)}` : 'player has nothing yet';
}

function player(run: Run, state: StateView): StateView['players'][number] | undefined {
  return state.players.find(({ player_ref: ref }) => ref === run.playerRef);
}

function title(run: Run, text: string): void {
  run.print('');
  run.print(text);
}

function step(run: Run, what: string, detail: string): void {
  run.print(`  ${what.padEnd(32)} ${detail}`.trimEnd());
}

function showPage(run: Run, objectId: string): void {
  step(run, '  in the Temporal UI', `${run.sandbox.temporal_ui_url}/namespaces/default/workflows/${objectId}`);
}

/** `R$ 50,00   pending        v2`: amount, status and version in columns. */
function state({ amount, status, version }: { amount: Money; status: string; version: number }): string {
  return `${brl(amount)}   ${status.padEnd(12)} v${version}`;
}

function brl({ amount }: Money): string {
  return formatBrl(BigInt(amount));
}
