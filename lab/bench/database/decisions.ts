// The decisions of the rules engine as the workflows ask for them, about a player of a world.
import { newId } from '../../../domain/identifiers.js';
import type { MeasuredPlayer } from './history.js';
import type { StoringRules } from '../../harness/storing-rules.js';
import type { World } from './world.js';
import { placeOf } from '../../../store/sealing/places.js';
import { sealedDepositOrder, sealedWithdrawalOrder } from '../../../store/sealing/orders.js';

/** One decision on that player's behalf. */
export type Decide = (rules: StoringRules, world: World, player: MeasuredPlayer, at: string) => Promise<unknown>;

/** Every question that the rules engine is asked, with new objects where it asks about new ones. */
export const DECISIONS: Readonly<Record<string, Decide>> = {
  'deposit creation': (rules, world, player, at) => rules.decideDeposit({ order: depositOrder(world, player), at }),
  'deposit payment': async (rules, world, player, at) => {
    const [id, { operationId, sealer }] = [await someId(world, 'deposit', player), world];
    return rules.assessPayment({
      id,
      operationId,
      playerRef: player.ref,
      environment: 'sandbox',
      chargedAmountMinor: 5000n,
      paidAmountMinor: 5000n,
      paidAt: at,
      expiresAt: at,
      payerMatch: 'match',
      sealedPayer: sealer.sealJson(placeOf('deposit.payer_sealed', operationId, { id }), {
        document: { type: 'CPF', number: player.document, country: 'BR' },
        name: 'Maria',
      }),
      at,
    });
  },
  'withdrawal creation': (rules, world, player, at) =>
    rules.decideWithdrawal({ order: withdrawalOrder(world, player), at, keyOwner: 'not_asked', stage: 'creation' }),
  dispatch: async (rules, world, player, at) =>
    rules.decideDispatch({
      id: await someId(world, 'withdrawal', player),
      operationId: world.operationId,
      at,
    }),
};

/** A deposit of that player, as the api hands it over. */
export function depositOrder(
  { operationId, sealer }: Pick<World, 'operationId' | 'sealer'>,
  { ref, document }: Pick<MeasuredPlayer, 'ref' | 'document'>,
) {
  const depositId = newId('deposit');
  const player = { external_ref: ref, document: { type: 'CPF', number: document, country: 'BR' }, ip: '203.0.113.9' };
  const order = {
    id: depositId,
    operationId,
    operationName: 'bench',
    environment: 'sandbox',
    provider: 'simulator',
    externalId: depositId,
    playerRef: ref,
    amountMinor: 5000n,
    currency: 'BRL',
    expiresInSeconds: 1_800,
  } as const;
  return sealedDepositOrder(sealer, order, { player });
}

function withdrawalOrder({ operationId, sealer }: World, { ref, document }: MeasuredPlayer) {
  const withdrawalId = newId('withdrawal');
  const player = {
    external_ref: ref,
    document: { type: 'CPF', number: document, country: 'BR' },
    ip: '203.0.113.9',
    device_id: 'device-1',
  };
  const destination = { pix: { key_type: 'cpf', key: document } } as const;
  const order = {
    id: withdrawalId,
    operationId,
    operationName: 'bench',
    environment: 'sandbox',
    provider: 'simulator',
    externalId: withdrawalId,
    playerRef: ref,
    amountMinor: 1000n,
    currency: 'BRL',
    reviewRequested: false,
    operatorReasons: 0,
    hasPlayerIp: true,
    destinationType: 'cpf',
  } as const;
  return sealedWithdrawalOrder(sealer, order, { player, destination });
}

/** One of the player's payments, read over a connection that is not measured. */
async function someId(
  { client, operationId }: World,
  table: 'deposit' | 'withdrawal',
  { ref }: MeasuredPlayer,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE operation_id = $1 AND player_ref = $2 ORDER BY sequence DESC LIMIT 1`,
    [operationId, ref],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`${ref} has no ${table}`);
  return id;
}
