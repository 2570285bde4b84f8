// Alerts that workflows raise.
import type { AlertNote } from '../../contract/temporal/transitions.js';
import type { AlertKind } from '../../domain/alerts.js';

/**
 * `occasion` identifies the single incident (a payment, a reversal) that the alert is about: the alert is raised once
 * for it, even after a person resolved it. Null: the alert is raised again while its condition holds.
 */
export function alertNote(kind: AlertKind, detail: string, occasion: string | null): AlertNote {
  return { kind, detail, occasion };
}
