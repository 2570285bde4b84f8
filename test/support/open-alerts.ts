// The open alerts of a whole gateway, as `gateway alerts` lists them.
import type { Stack } from '../../lab/harness/stack.js';

/** The kinds of an object's open alerts. */
export async function openAlertsOf({ gateway }: Pick<Stack, 'gateway'>, objectId: string): Promise<string[]> {
  const { alerts } = (await gateway('alerts')) as { alerts: { kind: string; object_id: string | null }[] };
  return alerts.filter(({ object_id: about }) => about === objectId).map(({ kind }) => kind);
}
