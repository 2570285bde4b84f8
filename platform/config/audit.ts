// The keys of the audit trail's seals, and where seals are exported. A process that seals holds the key; one that
// verifies needs only its public part.
import { resolve } from 'node:path';
import { z } from 'zod';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { createSealSigner, type SealExports, SealKeys, type SealWitness } from '../../store/audit/seal.js';
import { sealBucket } from '../../store/audit/seal-bucket.js';
import { sealFolder } from '../../store/audit/seal-folder.js';
import type { Sealing } from '../../store/audit/sealing.js';
import { keyOf32Bytes } from './held-keys.js';
import { slotsSchema } from './worker-slots.js';

const publicKeys = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((item) => item.trim() !== ''))
  .pipe(z.array(keyOf32Bytes));

export const auditSchema = z.object({
  /** 32 bytes in base64, the seed of an Ed25519 key; workers of the payments queue need it. */
  GATEWAY_AUDIT_KEY: keyOf32Bytes.optional(),
  /** Further trusted public keys, separated by commas: earlier ones, or those of processes that seal elsewhere. */
  GATEWAY_AUDIT_PUBLIC_KEYS: publicKeys,
  /** The folder of exported seals, outside the database; every process that seals uses the same one. */
  GATEWAY_AUDIT_SEALS_DIR: z.string().optional(),
  /** Instead of the folder: a bucket of an S3-compatible store, which holds nothing else. */
  GATEWAY_AUDIT_SEALS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  GATEWAY_AUDIT_SEALS_REGION: z.string().default('us-east-1'),
  GATEWAY_AUDIT_SEALS_ACCESS_KEY: z.string().optional(),
  GATEWAY_AUDIT_SEALS_SECRET_KEY: z.string().optional(),
});

type AuditSettings = z.output<typeof auditSchema>;

/** What is wrong with the place of the seals; `null` if nothing is, or none is set. */
function placeProblem(settings: AuditSettings): { variable: keyof AuditSettings; message: string } | null {
  const { GATEWAY_AUDIT_SEALS_DIR: folder, GATEWAY_AUDIT_SEALS_URL: url } = settings;
  if (url === undefined) return null;
  if (folder !== undefined)
    return { variable: 'GATEWAY_AUDIT_SEALS_URL', message: 'must be absent while GATEWAY_AUDIT_SEALS_DIR is set' };
  for (const variable of ['GATEWAY_AUDIT_SEALS_ACCESS_KEY', 'GATEWAY_AUDIT_SEALS_SECRET_KEY'] as const)
    if (settings[variable] === undefined) return { variable, message: 'goes with GATEWAY_AUDIT_SEALS_URL' };
  return null;
}

/** The settings of a process that verifies. */
export const witnessSchema = auditSchema.superRefine((settings, context) => {
  const problem = placeProblem(settings);
  if (problem !== null) context.addIssue({ code: 'custom', path: [problem.variable], message: problem.message });
});

/** What a worker needs to seal; `null` for a worker that does not serve the payments. */
export const sealingSchema = z
  .object({ WORKER_TASK_QUEUES: slotsSchema.shape.WORKER_TASK_QUEUES, ...auditSchema.shape })
  .transform(({ WORKER_TASK_QUEUES: queues, ...settings }, context): Sealing | null => {
    if (!queues.includes(TASK_QUEUES.payments)) return null;
    const { GATEWAY_AUDIT_KEY: seed } = settings;
    const exports = exportsOf(settings);
    const problem = placeProblem(settings);
    if (problem !== null) context.addIssue({ code: 'custom', path: [problem.variable], message: problem.message });
    if (seed === undefined) context.addIssue({ code: 'custom', path: ['GATEWAY_AUDIT_KEY'], message: 'is required' });
    if (exports === null && problem === null)
      context.addIssue({
        code: 'custom',
        path: ['GATEWAY_AUDIT_SEALS_DIR'],
        message: 'or GATEWAY_AUDIT_SEALS_URL is required',
      });
    if (seed === undefined || exports === null || problem !== null) return z.NEVER;
    return { signer: createSealSigner(seed), keys: believed(settings), exports };
  });

/** What can verify the seals; `null` without a key or without their place. */
export function sealWitness(settings: AuditSettings): SealWitness | null {
  const { GATEWAY_AUDIT_KEY: seed, GATEWAY_AUDIT_PUBLIC_KEYS: others } = settings;
  const exports = exportsOf(settings);
  if (exports === null || (seed === undefined && others.length === 0)) return null;
  return { keys: believed(settings), exports };
}

function exportsOf(settings: AuditSettings): SealExports | null {
  const { GATEWAY_AUDIT_SEALS_DIR: folder, GATEWAY_AUDIT_SEALS_URL: url } = settings;
  if (folder !== undefined) return sealFolder(resolve(folder));
  if (url === undefined) return null;
  return sealBucket({
    url,
    region: settings.GATEWAY_AUDIT_SEALS_REGION,
    accessKeyId: settings.GATEWAY_AUDIT_SEALS_ACCESS_KEY ?? '',
    secretAccessKey: settings.GATEWAY_AUDIT_SEALS_SECRET_KEY ?? '',
  });
}

function believed({ GATEWAY_AUDIT_KEY: seed, GATEWAY_AUDIT_PUBLIC_KEYS: others }: AuditSettings): SealKeys {
  return new SealKeys([...(seed === undefined ? [] : [createSealSigner(seed).publicKey]), ...others]);
}
