// What operations staff are told by a workflow. Who is told twice of the same is not told of the next.
import type { AlertNote } from '../../contract/temporal/transitions.js';
import type { AlertKind } from '../../domain/alerts.js';

/**
 * An alert. `occasion`: the one thing that it is about (a payment, a reversal), for which it is raised once, even where a person has
 * resolved it since; null for what is raised again as long as it holds.
 */
export function alertNote(kind: AlertKind, detail: string, occasion: string | null): AlertNote {
  return { kind, detail, occasion };
}
