// What an operator was sent: the body of an event with the personal data in it masked.
import type { Answering } from '../../../contract/panel/routes.js';
import type { z } from 'zod';
import { MASKED, maskedDocument, maskedName } from '../../../domain/masks.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { maskPersonalData } from '../../../domain/rules/operator-reasons.js';
import { bodyOfEvent } from '../../../store/events/event-delivery.js';
import { sees, type Viewer } from '../../viewer.js';
import type { PaymentReads } from './payment.js';

type Json = z.core.util.JSONType;

/** `null` if there is no such event, or the viewer may not see it. */
export async function readEventBody(
  { database, sealer }: PaymentReads,
  viewer: Viewer,
  id: string,
): Promise<Answering<'readEvent'> | null> {
  const event = await bodyOfEvent(database, sealer, id);
  if (event === null || !sees(viewer, event.operationId)) return null;
  return { id, type: event.type, body: masked(JSON.parse(event.body.toString('utf8')) as JsonValue) as Json };
}

/** The parts of an event that are about a person, and what in them names nobody. */
const PEOPLE = new Set(['payer', 'player', 'destination']);
const NAMES_NOBODY = new Set(['type', 'country', 'key_type', 'external_ref']);

function masked(value: JsonValue | undefined, isOfPerson = false): JsonValue {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((item) => masked(item as JsonValue, isOfPerson));
  if (typeof value === 'string') return maskPersonalData(value);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isOfPerson && typeof item === 'string' ? ofPerson(name, item) : masked(item, isOfPerson || PEOPLE.has(name)),
    ]),
  );
}

function ofPerson(name: string, text: string): string {
  if (NAMES_NOBODY.has(name)) return text;
  return name === 'name' ? maskedName(text) : name === 'number' ? maskedDocument(text) : MASKED;
}
