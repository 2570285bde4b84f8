// The mixed load: what operators do at once, as a table of requests and their share of the contract's limits.
import { RATES } from '../../../api/middleware/limits.js';
import type { GatewayClient } from '../../../client/index.js';
import { newDeposit, newPlayer, newWithdrawal, once, type TestPlayer } from '../../harness/payments.js';

/** What one operation has made so far, for its later requests to point at. */
export interface Memory {
  readonly deposits: string[];
  readonly withdrawals: string[];
  /** Players with a settled deposit who have not withdrawn yet. */
  readonly funded: TestPlayer[];
  readonly players: string[];
  /** Called with each new deposit: some of them are paid. */
  created(depositId: string, player: TestPlayer): void;
}

export interface LoadRequest {
  readonly name: string;
  /** Per second and operation at the full contract: the shares of a limit add up to it. */
  readonly perSecond: number;
  /** Null where there is nothing to ask about yet. */
  request(client: GatewayClient, memory: Memory): Promise<unknown> | null;
}

const { perSecond: writes } = RATES.operationWrite;
const { perSecond: reads } = RATES.keyRead;
const { perSecond: listings } = RATES.keyListing;
const last = (ids: readonly string[]): string | undefined =>
  ids.at(-1 - Math.floor(Math.random() * Math.min(ids.length, 20)));

/** Listings count as reads, too: the plain reads take what they leave. */
export const MIX: readonly LoadRequest[] = [
  { name: 'POST /deposits', perSecond: writes * 0.8, request: createDeposit },
  { name: 'POST /withdrawals', perSecond: writes * 0.15, request: createWithdrawal },
  {
    name: 'POST /deposits/{id}/cancel',
    perSecond: writes * 0.05,
    request: (client, { deposits }) => about(last(deposits), (id) => client.cancelDeposit(id, once())),
  },
  {
    name: 'GET /deposits/{id}',
    perSecond: (reads - listings) * 0.5,
    request: (client, { deposits }) => about(last(deposits), (id) => client.getDeposit(id)),
  },
  {
    name: 'GET /withdrawals/{id}',
    perSecond: (reads - listings) * 0.2,
    request: (client, { withdrawals }) => about(last(withdrawals), (id) => client.getWithdrawal(id)),
  },
  {
    name: 'GET /players/{ref}/limits',
    perSecond: (reads - listings) * 0.2,
    request: (client, { players }) => about(last(players), (ref) => client.playerLimits(ref, 'BRL')),
  },
  { name: 'GET /balances', perSecond: (reads - listings) * 0.1, request: (client) => client.balances() },
  { name: 'GET /deposits', perSecond: listings * 0.4, request: (client) => client.listDeposits() },
  { name: 'GET /withdrawals', perSecond: listings * 0.2, request: (client) => client.listWithdrawals() },
  { name: 'GET /events', perSecond: listings * 0.4, request: (client) => client.listEvents() },
];

function about<Answer>(id: string | undefined, ask: (id: string) => Promise<Answer>): Promise<Answer> | null {
  return id === undefined ? null : ask(id);
}

async function createDeposit(client: GatewayClient, memory: Memory): Promise<void> {
  const player = newPlayer();
  const { body } = await client.createDeposit(newDeposit('5000', player), once());
  memory.deposits.push(body.id);
  memory.players.push(player.external_ref);
  memory.created(body.id, player);
}

/** Once for each player with money in the game: three in an hour are all that a player may ask for. */
function createWithdrawal(client: GatewayClient, memory: Memory): Promise<void> | null {
  const player = memory.funded.shift();
  if (player === undefined) return null;
  return client
    .createWithdrawal(newWithdrawal(player, '1000'), once())
    .then(({ body }) => void memory.withdrawals.push(body.id));
}
