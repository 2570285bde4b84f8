// The effect of each kind of request: at once if one person is enough, otherwise with its approval. It happens inside
// the transaction of the act, which holds the operation's lock.
import type { Scope } from '../../contract/http/route.js';
import type { RequestKind } from '../../domain/approvals.js';
import type { CashMovementKind } from '../../domain/cash-movements.js';
import type { Money } from '../../domain/money.js';
import type { AccountName } from '../../domain/provider-accounts.js';
import type { StatedReturnResult } from '../../domain/payments/returns.js';
import type { StaffRole } from '../../domain/staff.js';
import type { ListKind } from '../../domain/rules/lookup-values.js';
import {
  concludeReturn,
  type ConclusionResult,
  notConcludable,
  type ReturnToConclude,
} from '../../store/payments/deposit/provider-requests.js';
import { type LyingMoney, moneyByAccount } from '../../store/ledger/accounts.js';
import {
  type CashMoved,
  type CashMovementOrder,
  type CashMovementPeople,
  moveCash,
  refusalToMove,
} from '../../store/ledger/cash-movements.js';
import { type ItemReturnOrdered, orderItemReturn, refusalToReturn } from '../../store/ledger/item-returns.js';
import {
  ACTIVE_KEYS_PER_SCOPES,
  activeKeysOf,
  type GrantedKey,
  insertKey,
  lockOperation,
  networksOf,
  replaceNetworks,
  type TooManyKeys,
} from '../../store/operations/access.js';
import { type AccountTaken, refusalToUse, useAccount } from '../../store/operations/account-owners.js';
import { resumeProvider } from '../../store/operations/provider-pauses.js';
import { updateOperation } from '../../store/operations/operations.js';
import { erasePlayer, type PlayerErased, refusalToErase } from '../../store/players/erasure.js';
import { removeEntry } from '../../store/rules/lists.js';
import { retireKey } from '../../store/sealing/data-keys.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { confirmPasskey, type PasskeyConfirmed } from '../../store/staff/passkeys.js';
import { compareStatements, explainItem, notOpen, type NotOpen } from '../../store/statements/items.js';
import { removeStatement, type StatementChanged, statementChanged } from '../../store/statements/removals.js';
import type { Transaction } from '../../store/transactions.js';

/** What is requested, by kind. Stored with the request: no secrets and no personal data. */
export interface Payloads {
  key: { readonly scopes: readonly Scope[] };
  /** `replaces`: the networks that the requester has seen. If others are in force, nothing is replaced. */
  allowlist: { readonly networks: readonly string[]; readonly replaces: readonly string[] };
  webhook: { readonly url: string };
  provider: { readonly provider: AccountName };
  /** The digest of the signing request; null: a key is made with the certificate. */
  certificate: { readonly signing_request: string | null; readonly days: number };
  webhook_secret: { readonly revoke_earlier: boolean };
  sealing_key: { readonly key_id: string };
  resume: Record<string, never>;
  automatic_resume: Record<string, never>;
  provider_resume: { readonly provider: AccountName };
  /** The hash of the entry, in hex. */
  list_removal: { readonly kind: ListKind; readonly entry: string };
  cash_movement: {
    readonly movement: CashMovementKind;
    readonly amount: Money;
    /** Where the money is, or was; and of `moved`, where it is now. */
    readonly provider: AccountName;
    readonly to_provider: AccountName | null;
    readonly document: string;
    /** Of a return out of suspense that names it: its id in PIX. */
    readonly return_id?: string;
    readonly reason: string;
  };
  /** The operator's reference of the player. */
  player_erasure: { readonly player: string };
  /** Of a new passkey: its person, their name for the device, and what two people compare. */
  passkey: { readonly person: string; readonly device: string; readonly fingerprint: string };
  person: { readonly handle: string };
  role: { readonly handle: string; readonly role: StaffRole; readonly operation: string | null };
  sign_in_code: { readonly handle: string };
  passkey_reset: { readonly handle: string };
  /** The digest of the provider's name for the person, which may be a name. */
  account: { readonly handle: string; readonly issuer: string; readonly subject_sha256: string };
  person_enable: { readonly handle: string };
  /** `lines`, `digest`: what the requester has seen. If something else is imported by then, nothing is taken back. */
  statement_removal: {
    readonly provider: AccountName;
    readonly day: string;
    readonly lines: number;
    readonly digest: string;
    readonly reason: string;
  };
  /** `item`: its difference never changes. The rest shows what it is; amounts are minor units. */
  statement_resolution: {
    readonly item: string;
    readonly provider: AccountName;
    readonly day: string;
    readonly comparison: string;
    readonly reference: string;
    readonly statement: string | null;
    readonly ledger: string | null;
    readonly reason: string;
  };
  /** A late or extra payment: its end-to-end id, and all that is left of it. */
  item_return: {
    readonly deposit: string;
    readonly payment: string;
    readonly amount: Money;
    readonly reason: string;
  };
  /** `return`: the act by which it was requested. `return_id`: its id in PIX; `null` if it was never made. */
  return_conclusion: {
    readonly deposit: string;
    readonly return: string;
    readonly result: StatedReturnResult;
    readonly return_id: string | null;
    readonly evidence: string;
    readonly reason: string;
  };
}

/** The outcome, by kind. Only `done` changed anything. */
export interface Effects {
  key: { readonly kind: 'done'; readonly key: GrantedKey } | TooManyKeys;
  allowlist: { readonly kind: 'done'; readonly networks: readonly string[] } | NetworksChanged;
  webhook: { readonly kind: 'done'; readonly url: string };
  provider: { readonly kind: 'done'; readonly provider: AccountName; readonly money: LyingMoney } | AccountTaken;
  certificate: { readonly kind: 'done' };
  webhook_secret: { readonly kind: 'done' };
  sealing_key: { readonly kind: 'done' } | { readonly kind: 'unknown_key' };
  resume: { readonly kind: 'done' };
  automatic_resume: { readonly kind: 'done' };
  provider_resume: { readonly kind: 'done'; readonly provider: AccountName };
  list_removal: { readonly kind: 'done'; readonly isRemoved: boolean };
  cash_movement: CashMoved;
  player_erasure: PlayerErased;
  passkey: PasskeyConfirmed;
  person: { readonly kind: 'done' };
  role: { readonly kind: 'done' };
  sign_in_code: { readonly kind: 'done' };
  passkey_reset: { readonly kind: 'done' };
  account: { readonly kind: 'done' };
  person_enable: { readonly kind: 'done' };
  statement_removal: { readonly kind: 'done'; readonly lines: number } | StatementChanged;
  statement_resolution: { readonly kind: 'done'; readonly item: string } | NotOpen;
  item_return: ItemReturnOrdered;
  return_conclusion: ConclusionResult;
}

/** The networks were replaced after the requester had seen them: nothing changed. */
export interface NetworksChanged {
  readonly kind: 'networks_changed';
}

export interface ChangeContext<Kind extends RequestKind> {
  readonly transaction: Transaction;
  sealer(): Promise<Sealer>;
  readonly operationId: string | null;
  readonly payload: Payloads[Kind];
}

/** A change that takes effect, and its author. */
export interface ApprovalContext<Kind extends RequestKind> extends ChangeContext<Kind> {
  readonly people: CashMovementPeople;
}

export const EFFECTS: { readonly [Kind in RequestKind]: (taken: ApprovalContext<Kind>) => Promise<Effects[Kind]> } = {
  key: async ({ transaction, sealer, operationId, payload: { scopes } }) => {
    const operation = await operationOf(transaction, operationId);
    const refusal = await tooManyKeys(transaction, operation.id, scopes);
    return refusal ?? { kind: 'done', key: await insertKey(transaction, await sealer(), operation, scopes) };
  },
  allowlist: async ({ transaction, operationId, payload: { networks, replaces } }) => {
    const { id } = await operationOf(transaction, operationId);
    const refusal = await networksChanged(transaction, id, replaces);
    if (refusal !== null) return refusal;
    await replaceNetworks(transaction, id, networks);
    return { kind: 'done', networks };
  },
  webhook: async ({ transaction, operationId, payload: { url } }) => {
    await updateOperation(transaction, operationId, { webhookUrl: url });
    return { kind: 'done', url };
  },
  // Payments keep the account that they began with, in their own rows; and the money stays where it lies.
  provider: async ({ transaction, operationId, payload: { provider } }) => {
    const { id } = await operationOf(transaction, operationId);
    const refusal = await useAccount(transaction, { account: provider, operationId: id });
    if (refusal !== null) return refusal;
    await updateOperation(transaction, operationId, { provider });
    return { kind: 'done', provider, money: await moneyByAccount(transaction, id) };
  },
  // Their approval is used up when the certificate is issued, the secret made, or the person managed (people.ts).
  certificate: () => Promise.resolve({ kind: 'done' }),
  webhook_secret: () => Promise.resolve({ kind: 'done' }),
  person: () => Promise.resolve({ kind: 'done' }),
  role: () => Promise.resolve({ kind: 'done' }),
  sign_in_code: () => Promise.resolve({ kind: 'done' }),
  passkey_reset: () => Promise.resolve({ kind: 'done' }),
  account: () => Promise.resolve({ kind: 'done' }),
  person_enable: () => Promise.resolve({ kind: 'done' }),
  sealing_key: async ({ transaction, payload: { key_id: keyId } }) =>
    (await retireKey(transaction, keyId)) ? { kind: 'done' } : { kind: 'unknown_key' },
  resume: async ({ transaction, operationId }) => {
    await updateOperation(transaction, operationId, { status: 'active' });
    return { kind: 'done' };
  },
  automatic_resume: async ({ transaction, operationId }) => {
    await updateOperation(transaction, operationId, { automaticStoppedAt: null });
    return { kind: 'done' };
  },
  provider_resume: async ({ transaction, payload: { provider } }) => {
    await resumeProvider(transaction, provider);
    return { kind: 'done', provider };
  },
  list_removal: async ({ transaction, operationId, payload: { kind, entry } }) => {
    const { id } = await operationOf(transaction, operationId);
    const isRemoved = await removeEntry(transaction, { operationId: id, list: 'block', kind, entry });
    return { kind: 'done', isRemoved };
  },
  cash_movement: async ({ transaction, operationId, payload, people }) =>
    moveCash(transaction, cashOrder(payload, (await operationOf(transaction, operationId)).id), people),
  player_erasure: async ({ transaction, sealer, operationId, payload: { player: externalRef } }) => {
    const { id } = await operationOf(transaction, operationId);
    return erasePlayer(transaction, await sealer(), { operationId: id, externalRef });
  },
  passkey: ({ transaction, payload, people: { approval } }) => {
    if (approval === null) throw new Error('nobody confirms a passkey alone');
    return confirmPasskey(transaction, payload, approval.approvedBy);
  },
  statement_removal: async ({ transaction, payload, people }) => {
    const refusal = await removeStatement(transaction, payload, people);
    if (refusal !== null) return refusal;
    const { provider, day, lines } = payload;
    await compareStatements(transaction, provider, { day }, people.requestedBy);
    return { kind: 'done', lines };
  },
  statement_resolution: ({ transaction, payload, people }) => explainItem(transaction, payload, people),
  item_return: async ({ transaction, operationId, payload, people }) =>
    orderItemReturn(transaction, { ...payload, operationId: (await operationOf(transaction, operationId)).id }, people),
  return_conclusion: async ({ transaction, operationId, payload, people }) => {
    const { id } = await operationOf(transaction, operationId);
    const { result, return_id: returnId, evidence, reason } = payload;
    return concludeReturn(transaction, { ...returnOf(id, payload), result, returnId, evidence, reason }, people);
  },
};

type Refusals = {
  readonly [Kind in RequestKind]?: (
    affected: ChangeContext<Kind>,
  ) => Promise<Exclude<Effects[Kind], { kind: 'done' }> | null>;
};
/** What is refused when it is requested, and again when it is approved. */
export const REFUSED_AT_ONCE: Refusals = {
  key: async ({ transaction, operationId, payload: { scopes } }) =>
    tooManyKeys(transaction, (await operationOf(transaction, operationId)).id, scopes),
  allowlist: async ({ transaction, operationId, payload: { replaces } }) =>
    networksChanged(transaction, (await operationOf(transaction, operationId)).id, replaces),
  provider: async ({ transaction, operationId, payload: { provider: account } }) =>
    refusalToUse(transaction, { account, operationId }),
  cash_movement: async ({ transaction, operationId, payload }) =>
    refusalToMove(transaction, cashOrder(payload, (await operationOf(transaction, operationId)).id)),
  player_erasure: async ({ transaction, operationId, payload: { player: externalRef } }) =>
    refusalToErase(transaction, { operationId: (await operationOf(transaction, operationId)).id, externalRef }),
  statement_removal: async ({ transaction, payload }) => statementChanged(transaction, payload),
  statement_resolution: async ({ transaction, payload: { item } }) => notOpen(transaction, item),
  item_return: async ({ transaction, operationId, payload }) =>
    refusalToReturn(transaction, { ...payload, operationId: (await operationOf(transaction, operationId)).id }),
  return_conclusion: async ({ transaction, operationId, payload }) =>
    notConcludable(transaction, returnOf((await operationOf(transaction, operationId)).id, payload)),
};

function cashOrder(payload: Payloads['cash_movement'], operationId: string): CashMovementOrder {
  const { movement: kind, to_provider: to, return_id: returnId = null, ...more } = payload;
  return { ...more, to, kind, returnId, operationId };
}

function returnOf(operationId: string, payload: Payloads['return_conclusion']): ReturnToConclude {
  const { deposit: depositId, return: returnActId } = payload;
  return { operationId, depositId, returnActId };
}

/** Refuses a third active key of the same scopes. */
async function tooManyKeys(
  transaction: Transaction,
  operationId: string,
  scopes: readonly Scope[],
): Promise<TooManyKeys | null> {
  const activeKeyIds = await activeKeysOf(transaction, operationId, scopes);
  return activeKeyIds.length >= ACTIVE_KEYS_PER_SCOPES ? { kind: 'too_many_keys', activeKeyIds } : null;
}

/** Whether other networks are in force than the requester has seen. The operation is locked. */
async function networksChanged(
  transaction: Transaction,
  operationId: string,
  seen: readonly string[],
): Promise<NetworksChanged | null> {
  const inForce = await networksOf(transaction, operationId);
  const isSame = [...new Set(seen)].sort().join() === inForce.sort().join();
  return isSame ? null : { kind: 'networks_changed' };
}

async function operationOf(transaction: Transaction, operationId: string | null) {
  const operation = operationId === null ? null : await lockOperation(transaction, operationId);
  if (operation === null) throw new Error(`a request of ${operationId ?? 'no operation'}, which does not exist`);
  return operation;
}
