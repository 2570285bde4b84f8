// What each sealing key has sealed. Open workflows are counted if Temporal is configured.
import type { KeyStatus } from '../../../store/sealing/key-use.js';
import type { CommandContext } from '../../context.js';

/** Statements that read whole tables. */
export const STATEMENT_TIMEOUT_MS = 10 * 60_000;

export async function readSealing(context: CommandContext): Promise<KeyStatus[]> {
  const sealer = await context.sealer();
  const [{ readSealingStatus }, { hasTemporalConfig }] = await Promise.all([
    import('../../../staff/reads/sealing.js'),
    import('../../../platform/config/cli.js'),
  ]);
  const read = (client: Parameters<typeof readSealingStatus>[2]) =>
    context.withDatabase((database) => readSealingStatus(database, sealer, client), STATEMENT_TIMEOUT_MS);
  return hasTemporalConfig(context.environment) ? context.withTemporal(read) : read(null);
}
