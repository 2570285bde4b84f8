// What colleagues wrote to the viewer on cases, with @ and the viewer's handle.
import { toMoney } from '../../../domain/money.js';
import type { Answering } from '../../../contract/panel/routes.js';
import type { Database } from '../../../store/database.js';
import { operationNames } from '../../../store/operations/operations.js';
import { openMentions } from '../../../store/support/mentions.js';
import type { Viewer } from '../../viewer.js';

const MOST_MENTIONS = 50;

/** The open ones within the viewer's reach. */
export async function readMentions(database: Database, { handle, reach }: Viewer): Promise<Answering<'readMentions'>> {
  const found = await openMentions(database, handle, reach, MOST_MENTIONS + 1);
  const shown = found.slice(0, MOST_MENTIONS);
  const names = await operationNames(
    database,
    shown.map(({ operationId }) => operationId),
  );
  return {
    items: shown.map(({ paymentId, kind, operationId, amountMinor, currency, status, person, text, at }) => ({
      ...{ payment_id: paymentId, kind, status, person, text, at },
      operation: { id: operationId, name: names.get(operationId) ?? operationId },
      amount: toMoney(amountMinor, currency),
    })),
    more: found.length > MOST_MENTIONS,
  };
}
