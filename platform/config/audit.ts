// The keys of the audit trail's seals, and where seals are exported. Who seals holds the key; who verifies needs only its
// public part.
import { resolve } from 'node:path';
import { z } from 'zod';
import { TASK_QUEUES } from '../../contract/temporal/task-queues.js';
import { createSealSigner, SealKeys, type SealWitness } from '../../store/audit/seal.js';
import { sealFolder } from '../../store/audit/seal-folder.js';
import type { Sealing } from '../../store/audit/sealing.js';
import { keyOf32Bytes } from './secrets.js';
import { slotsSchema } from './worker-slots.js';

const publicKeys = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((item) => item.trim() !== ''))
  .pipe(z.array(keyOf32Bytes));

export const auditSchema = z.object({
  /** 32 bytes in base64, of which an Ed25519 key is made; workers of the payments queue need it. */
  GATEWAY_AUDIT_KEY: keyOf32Bytes.optional(),
  /** Further public keys to believe, separated by commas: those before the current one, or of who seals elsewhere. */
  GATEWAY_AUDIT_PUBLIC_KEYS: publicKeys,
  /** The folder of exported seals, outside the database; every process that seals uses the same one. */
  GATEWAY_AUDIT_SEALS_DIR: z.string().optional(),
});

type AuditSettings = z.output<typeof auditSchema>;

/** What a worker needs to seal: null for one that does not serve the payments. */
export const sealingSchema = z
  .object({ WORKER_TASK_QUEUES: slotsSchema.shape.WORKER_TASK_QUEUES, ...auditSchema.shape })
  .transform(({ WORKER_TASK_QUEUES: queues, ...settings }, context): Sealing | null => {
    if (!queues.includes(TASK_QUEUES.payments)) return null;
    const { GATEWAY_AUDIT_KEY: seed, GATEWAY_AUDIT_SEALS_DIR: folder } = settings;
    for (const name of ['GATEWAY_AUDIT_KEY', 'GATEWAY_AUDIT_SEALS_DIR'] as const)
      if (settings[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is required' });
    if (seed === undefined || folder === undefined) return z.NEVER;
    return { signer: createSealSigner(seed), keys: believed(settings), exports: sealFolder(resolve(folder)) };
  });

/** What can verify the seals: null without a key or without the folder. */
export function sealWitness(settings: AuditSettings): SealWitness | null {
  const { GATEWAY_AUDIT_KEY: seed, GATEWAY_AUDIT_PUBLIC_KEYS: others, GATEWAY_AUDIT_SEALS_DIR: folder } = settings;
  if (folder === undefined || (seed === undefined && others.length === 0)) return null;
  return { keys: believed(settings), exports: sealFolder(resolve(folder)) };
}

function believed({ GATEWAY_AUDIT_KEY: seed, GATEWAY_AUDIT_PUBLIC_KEYS: others }: AuditSettings): SealKeys {
  return new SealKeys([...(seed === undefined ? [] : [createSealSigner(seed).publicKey]), ...others]);
}
