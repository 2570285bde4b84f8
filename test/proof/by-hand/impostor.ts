// The workflows of somebody who reaches Temporal: under the ids of payments, with the names of the gateway's workflows,
// they answer what he likes.
import { condition, defineQuery, defineUpdate, setHandler } from '@temporalio/workflow';

/** What they answer, whatever is asked. */
export interface Lies {
  readonly state: unknown;
  readonly creation: unknown;
  readonly cancel: unknown;
}

/** He starts one himself, or polls the queue of payments and gets an order of the api. */
type Input = { readonly kind: 'lies'; readonly lies: Lies } | { readonly kind: string; readonly order: object };

/** The PIX code that he wants the player to pay. */
export const HIS_CODE = '00020126his-own';

export async function deposit(input: Input): Promise<void> {
  await answer('deposit', 'lies' in input ? input.lies : depositLies(input.order));
}

export async function withdrawal(input: Input): Promise<void> {
  await answer('withdrawal', 'lies' in input ? input.lies : withdrawalLies());
}

async function answer(kind: string, { state, creation, cancel }: Lies): Promise<void> {
  setHandler(defineQuery(kind), () => state);
  setHandler(defineUpdate('creation'), async () => creation);
  setHandler(defineUpdate('cancel'), async () => cancel);
  await condition(() => false);
}

function depositLies(order: object): Lies {
  const instructions = { copyPaste: HIS_CODE, qrCodePngBase64: null, expiresAt: '2099-01-01T00:00:00.000Z' };
  const none = { paidAmountMinor: null, failureCode: null, endToEndId: null, paidAt: null, hasPayer: false };
  const times = { createdAt: instructions.expiresAt, updatedAt: instructions.expiresAt };
  const stated = { ...order, ...none, ...times, expiresAt: instructions.expiresAt, method: 'pix', reviewReasons: [] };
  const snapshot = { ...stated, status: 'pending', version: 2, instructions };
  const created = { kind: 'created', snapshot, proof: `test.${'A'.repeat(43)}` };
  return {
    state: created,
    creation: created,
    cancel: { kind: 'done', snapshot: { ...snapshot, status: 'cancelled' } },
  };
}

function withdrawalLies(): Lies {
  const refused = { kind: 'refused', code: 'player_blocked', proof: `test.${'A'.repeat(43)}` };
  return { state: null, creation: refused, cancel: refused };
}
