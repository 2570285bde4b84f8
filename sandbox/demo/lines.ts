// What the demo prints: a title, and a line for each step.
import type { Money } from '../../client/index.js';
import { formatBrl } from '../../domain/money.js';
import type { EventView, StateView } from '../demo-operator/view.js';
import { DemoStopped, type Run } from './run.js';

export function expectStatus(
  kind: string,
  { status, version }: { status: string; version: number },
  expected: readonly string[],
): void {
  if (!expected.includes(status))
    throw new DemoStopped(`the ${kind} should be ${expected.join(' or ')} but is ${status} (version ${version})`);
}

export function seenEvents(events: readonly EventView[], objectId: string): string {
  return (
    events
      .filter(({ object_id: id }) => id === objectId)
      .map(({ type }) => type)
      .join(', ') || 'no event of this deposit'
  );
}

export async function playerLine(run: Run): Promise<string> {
  const account = player(run, await run.operator.state());
  return account ? `player has ${brl(account.available)}, reserved ${brl(account.reserved)}` : 'player has nothing yet';
}

export function player(run: Run, state: StateView): StateView['players'][number] | undefined {
  return state.players.find(({ player_ref: ref }) => ref === run.playerRef);
}

export function title(run: Run, text: string): void {
  run.print('');
  run.print(text);
}

export function step(run: Run, what: string, detail: string): void {
  run.print(`  ${what.padEnd(32)} ${detail}`.trimEnd());
}

export function showPage(run: Run, objectId: string): void {
  step(run, '  in the Temporal UI', `${run.sandbox.temporal_ui_url}/namespaces/default/workflows/${objectId}`);
}

/** `R$ 50,00   pending        v2`: amount, status and version in columns. */
export function state({ amount, status, version }: { amount: Money; status: string; version: number }): string {
  return `${brl(amount)}   ${status.padEnd(12)} v${version}`;
}

export function brl({ amount }: Money): string {
  return formatBrl(BigInt(amount));
}
