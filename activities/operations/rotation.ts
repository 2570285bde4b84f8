// The daily check of how old keys and webhook secrets are.
import type { Logger } from 'pino';
import type { Database } from '../../store/database.js';
import { checkSecretAges } from '../../store/operations/secret-ages.js';
import type { RotationActivities } from './types.js';

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
