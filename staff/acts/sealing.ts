// The keys that stored data is sealed with: the vault's are made, wrapped and retired here, and stored values are
// sealed again with the current key.
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { insertFirstKeys, insertNextKeys, readDataKeys, updateWrapping } from '../../store/sealing/data-keys.js';
import type { WrappedKey } from '../../store/sealing/data-keys.js';
import type { KeyStatus, RetirementBlock } from '../../store/sealing/key-use.js';
import { resealAll, type ResealProgress } from '../../store/sealing/sealed-values.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Transit } from '../../store/sealing/transit.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import { change, type ChangeResult, type ChangeServices } from './requests.js';
import { firstKeys, type HeldKeys, heldFirstKeys, newSealingKeys, rewrappedKeys } from './vault-keys.js';

export interface VaultServices {
  readonly database: Database;
  /** Runs `work` with the vault's Transit engine: connected only for a person who may. */
  withTransit<Result>(work: (transit: Transit) => Promise<Result>): Promise<Result>;
}

interface NotPermitted {
  readonly kind: 'not_permitted';
}

function mayChange(database: Database, actor: Actor): Promise<boolean> {
  return mayNow(database, actor, 'sealing.change', null);
}

/**
 * Stores the first keys: new ones of the vault, or with `held` those that have sealed so far, wrapped by it.
 * `keys_exist`: there are keys already.
 */
export async function makeFirstKeys(
  { database, withTransit }: VaultServices,
  actor: Actor,
  held: (() => HeldKeys) | null,
): Promise<
  { readonly kind: 'made'; readonly keys: readonly WrappedKey[] } | { readonly kind: 'keys_exist' } | NotPermitted
> {
  if (!(await mayChange(database, actor))) return { kind: 'not_permitted' };
  const keys = await withTransit((transit) => (held === null ? firstKeys(transit) : heldFirstKeys(transit, held())));
  return (await insertFirstKeys(database, keys, actor)) ? { kind: 'made', keys } : { kind: 'keys_exist' };
}

/** Stores further keys under the next id. They seal once every process has loaded them. */
export async function makeNextKeys(
  { database, withTransit }: VaultServices,
  actor: Actor,
): Promise<({ readonly kind: 'made' } & Pick<WrappedKey, 'id' | 'activeFrom'>) | NotPermitted> {
  if (!(await mayChange(database, actor))) return { kind: 'not_permitted' };
  const keys = await withTransit(newSealingKeys);
  return { kind: 'made', ...(await insertNextKeys(database, keys, actor)) };
}

/** Wraps every data key with the newest version of its purpose's master key. */
export async function rewrapKeys(
  { database, withTransit }: VaultServices,
  actor: Actor,
): Promise<{ readonly kind: 'rewrapped'; readonly keys: readonly WrappedKey[] } | NotPermitted> {
  if (!(await mayChange(database, actor))) return { kind: 'not_permitted' };
  const keys = await withTransit(async (transit) => rewrappedKeys(transit, await readDataKeys(database)));
  await updateWrapping(database, keys, actor);
  return { kind: 'rewrapped', keys };
}

export interface ResealServices {
  readonly database: Database;
  /** Opened only for a person who may. */
  sealer(): Promise<Sealer>;
  onProgress(progress: ResealProgress): void;
}

/** Seals every stored value with the current key. `resealed`: the number of values, by column. */
export async function reseal(
  { database, sealer: open, onProgress }: ResealServices,
  actor: Actor,
): Promise<
  | { readonly kind: 'resealed'; readonly keyId: string; readonly resealed: Readonly<Record<string, number>> }
  | NotPermitted
> {
  if (!(await mayChange(database, actor))) return { kind: 'not_permitted' };
  const sealer = await open();
  const resealed = await resealAll(database, sealer, { onProgress });
  const keyId = sealer.currentKeyId();
  const detail = { key: keyId, resealed };
  await appendAudit(database, { person: actor, action: 'sealing.reseal', operationId: null, subject: null, detail });
  return { kind: 'resealed', keyId, resealed };
}

export type RetirementResult =
  | Exclude<ChangeResult<'sealing_key'>, { readonly kind: 'no_such_operation' | 'not_permitted' }>
  | NotPermitted
  /** Nothing was ever sealed with such a key, and no process has it. */
  | { readonly kind: 'no_such_key' }
  | { readonly kind: 'key_in_use'; readonly blocks: readonly RetirementBlock[] };

export interface RetirementServices extends ChangeServices {
  /** What each key has sealed. Reads whole tables, so before anything is locked. */
  readStatus(): Promise<readonly KeyStatus[]>;
}

/** Retires a key that nothing needs any more, or in production requests it. */
export async function retire(services: RetirementServices, actor: Actor, keyId: string): Promise<RetirementResult> {
  const status = (await services.readStatus()).find(({ id }) => id === keyId);
  if (status === undefined) return { kind: 'no_such_key' };
  if (status.blocks.length > 0) return { kind: 'key_in_use', blocks: status.blocks };
  const order = { kind: 'sealing_key', operationId: null, payload: { key_id: keyId } } as const;
  const changed = await change(services, actor, order);
  if (changed.kind === 'no_such_operation') throw new Error('the keys belong to no operation');
  return changed as RetirementResult;
}
