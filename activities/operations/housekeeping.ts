// The daily housekeeping: the removal of what is past its retention and of erased players' histories
// (docs/retention.md), and the check of how old keys and webhook secrets are.
import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import { DAY_MS } from '../../domain/instant.js';
import type { Database } from '../../store/database.js';
import { checkSecretAges } from '../../store/operations/secret-ages.js';
import {
  CALLBACK_RETENTION_DAYS,
  noteHistoriesErased,
  paymentIdsOf,
  playersWithHistories,
  removeCallbacks,
} from '../../store/players/retention.js';
import type { RetentionActivities, RotationActivities } from './types.js';

const CALLBACKS_AT_ONCE = 5_000;
const PLAYERS_A_DAY = 1_000;

/** Histories in Temporal. */
export interface Histories {
  /** Deletes every run of a workflow. `false` if one still runs: then nothing was deleted. */
  delete(workflowId: string): Promise<boolean>;
}

export function createRetentionActivities(
  database: Database,
  histories: Histories,
  logger: Logger,
): RetentionActivities {
  return {
    applyRetention: async ({ at }) => {
      const callbacksRemoved = await removeOldCallbacks(database, new Date(at));
      let [playersErased, playersLeft] = [0, 0];
      for (const player of await playersWithHistories(database, PLAYERS_A_DAY)) {
        let isWhole = true;
        for (const id of await paymentIdsOf(database, player)) {
          Context.current().heartbeat();
          isWhole = (await histories.delete(id)) && isWhole;
        }
        if (isWhole) {
          await noteHistoriesErased(database, player, new Date(at));
          playersErased += 1;
        } else playersLeft += 1;
      }
      logger.info({ callbacksRemoved, playersErased, playersLeft }, 'retention');
      return { callbacksRemoved, playersErased, playersLeft };
    },
  };
}

async function removeOldCallbacks(database: Database, at: Date): Promise<number> {
  const before = new Date(at.getTime() - CALLBACK_RETENTION_DAYS * DAY_MS);
  let removed = 0;
  for (;;) {
    const batch = await removeCallbacks(database, before, CALLBACKS_AT_ONCE);
    Context.current().heartbeat();
    removed += batch;
    if (batch < CALLBACKS_AT_ONCE) return removed;
  }
}

export function createRotationActivities(database: Database, logger: Logger): RotationActivities {
  return {
    checkSecretAges: async ({ at }) => {
      const { raised, resolved } = await checkSecretAges(database, at);
      for (const { kind, objectId, operationId, detail } of raised)
        logger.warn({ alert: kind, objectId, operationId }, detail);
      return { raised: raised.length, resolved };
    },
  };
}
