// What the demo proves at its end: every event arrived, the ledger balances, a repeated event changes nothing.
import type { GatewayEvent } from '../../client/index.js';
import type { EventView, StateView } from '../demo-operator/view.js';
import { expectStatus, player, playerLine, state, step } from './lines.js';
import { command, DemoStopped, type Run } from './run.js';
import { found, notYet, until } from './waiting.js';

/** Every event of the payments, as the gateway lists them, reached the operator by webhook. */
export async function compareEvents(run: Run, objectIds: readonly string[]): Promise<void> {
  const listed = await until(run, 'GET /events to list every payment as paid', async () => {
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

export async function verifyLedger(run: Run): Promise<void> {
  const stdout = await command(run, ['ledger', 'verify']);
  const report = JSON.parse(stdout) as { ok?: unknown };
  if (report.ok !== true) throw new DemoStopped(`the ledger does not balance: ${stdout.trim().slice(0, 300)}`);
  step(run, 'gateway ledger verify', 'ok: every sum of entries equals its balance');
}

export async function redeliver(run: Run, event: EventView): Promise<void> {
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

export async function showPaid(run: Run, depositId: string, withdrawalId: string | null): Promise<void> {
  const { body: deposit } = await run.client.getDeposit(depositId);
  step(run, 'deposit', state(deposit));
  expectStatus('deposit', deposit, ['paid']);
  if (withdrawalId === null) return;
  const { body: withdrawal } = await run.client.getWithdrawal(withdrawalId);
  step(run, 'withdrawal', state(withdrawal));
  expectStatus('withdrawal', withdrawal, ['paid']);
}
