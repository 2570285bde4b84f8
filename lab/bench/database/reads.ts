// Every read that an operator's systems repeat all day, as the client makes it, against a world with a complete
// history.
import type { GatewayClient } from '../../../client/index.js';
import { PAGE_LIMIT_MAX } from '../../../contract/http/schemas/fields.js';
import type { World } from './world.js';

/** What the reads of a world point at. */
interface Landmarks {
  readonly middleDeposit: string;
  readonly middleWithdrawal: string;
  readonly middleEvent: string;
  readonly externalId: string;
  readonly player: string;
  /** Five deposits, five withdrawals were updated since. */
  readonly lately: { readonly deposit: string; readonly withdrawal: string };
  /** The first moment of the history. */
  readonly longAgo: string;
  /** A closed day in the middle. */
  readonly day: string;
}

export interface MeasuredRead {
  readonly name: string;
  /** What it answers is opened object by object. */
  readonly opensEnvelopes?: true;
  call(client: GatewayClient): Promise<unknown>;
}

const LATELY = 5;
/** A page that both a small and a large day can fill. */
const FEW_ITEMS = 5;

/** The reads of that world, of the measured player where one is named. */
export async function readsOf(world: World, player: string): Promise<MeasuredRead[]> {
  const { middleDeposit, middleWithdrawal, middleEvent, externalId, lately, longAgo, day } = await landmarks(
    world,
    player,
  );
  return [
    { name: 'GET /deposits', call: (client) => client.listDeposits() },
    { name: `GET /deposits?limit=${PAGE_LIMIT_MAX}`, call: (client) => client.listDeposits({ limit: PAGE_LIMIT_MAX }) },
    { name: 'GET /deposits, from the middle', call: (client) => client.listDeposits({ cursor: middleDeposit }) },
    { name: 'GET /deposits?status=paid', call: (client) => client.listDeposits({ status: 'paid' }) },
    { name: 'GET /deposits?status=, none has it', call: (client) => client.listDeposits({ status: 'under_review' }) },
    { name: 'GET /deposits?player_ref=', call: (client) => client.listDeposits({ player_ref: player }) },
    {
      name: 'GET /deposits?player_ref=&status=, none has it',
      call: (client) => client.listDeposits({ player_ref: player, status: 'under_review' }),
    },
    { name: 'GET /deposits?external_id=', call: (client) => client.listDeposits({ external_id: externalId }) },
    {
      name: `GET /deposits?updated_since=, ${LATELY} match`,
      call: (client) => client.listDeposits({ updated_since: lately.deposit }),
    },
    {
      name: 'GET /deposits?updated_since=, all match',
      call: (client) => client.listDeposits({ updated_since: longAgo }),
    },
    {
      name: `GET /deposits?status=paid&updated_since=, ${LATELY} or fewer match`,
      call: (client) => client.listDeposits({ status: 'paid', updated_since: lately.deposit }),
    },
    { name: 'GET /withdrawals', call: (client) => client.listWithdrawals() },
    {
      name: `GET /withdrawals?limit=${PAGE_LIMIT_MAX}`,
      call: (client) => client.listWithdrawals({ limit: PAGE_LIMIT_MAX }),
    },
    {
      name: 'GET /withdrawals, from the middle',
      call: (client) => client.listWithdrawals({ cursor: Buffer.from(middleWithdrawal).toString('base64url') }),
    },
    { name: 'GET /withdrawals?player_ref=', call: (client) => client.listWithdrawals({ player_ref: player }) },
    {
      name: `GET /withdrawals?updated_since=, ${LATELY} match`,
      call: (client) => client.listWithdrawals({ updated_since: lately.withdrawal }),
    },
    { name: 'GET /deposits/{id}, ended', call: (client) => client.getDeposit(middleDeposit) },
    { name: 'GET /withdrawals/{id}, ended', call: (client) => client.getWithdrawal(middleWithdrawal) },
    { name: 'GET /players/{ref}/limits', call: (client) => client.playerLimits(player, 'BRL') },
    { name: 'GET /events', opensEnvelopes: true, call: (client) => client.listEvents() },
    {
      name: `GET /events?limit=${PAGE_LIMIT_MAX}`,
      opensEnvelopes: true,
      call: (client) => client.listEvents({ limit: PAGE_LIMIT_MAX }),
    },
    {
      name: 'GET /events?after=, from the middle',
      opensEnvelopes: true,
      call: (client) => client.listEvents({ after: middleEvent }),
    },
    {
      name: 'GET /events?object_id=',
      opensEnvelopes: true,
      call: (client) => client.listEvents({ object_id: middleDeposit }),
    },
    { name: 'GET /balances', call: (client) => client.balances() },
    {
      name: `GET /reconciliation, ${FEW_ITEMS} items`,
      call: (client) => client.reconciliation({ date: day, currency: 'BRL', limit: FEW_ITEMS }),
    },
  ];
}

async function landmarks({ client, operationId }: World, player: string): Promise<Landmarks> {
  const one = async <Value>(sql: string, ...more: unknown[]): Promise<Value> => {
    const { rows } = await client.query<{ value: Value }>({ text: sql, values: [operationId, ...more] });
    const [row] = rows;
    if (row === undefined) throw new Error(`nothing there for: ${sql}`);
    return row.value;
  };
  const middle = (table: string) =>
    one<string>(
      `SELECT id AS value FROM ${table} WHERE operation_id = $1
        ORDER BY sequence OFFSET (SELECT count(*) / 2 FROM ${table} WHERE operation_id = $1) LIMIT 1`,
    );
  const lately = (table: string) =>
    one<Date>(
      `SELECT updated_at AS value FROM ${table} WHERE operation_id = $1
        ORDER BY updated_at DESC OFFSET ${LATELY - 1} LIMIT 1`,
    );
  const [middleDeposit, middleWithdrawal, middleEvent] = [
    await middle('deposit'),
    await middle('withdrawal'),
    await middle('event'),
  ];
  return {
    middleDeposit,
    middleWithdrawal,
    middleEvent,
    externalId: await one(
      'SELECT external_id AS value FROM deposit WHERE operation_id = $1 AND id = $2',
      middleDeposit,
    ),
    player,
    lately: {
      deposit: (await lately('deposit')).toISOString(),
      withdrawal: (await lately('withdrawal')).toISOString(),
    },
    longAgo: (await one<Date>('SELECT min(updated_at) AS value FROM deposit WHERE operation_id = $1')).toISOString(),
    day: await one(
      `SELECT (paid_at AT TIME ZONE 'UTC')::date::text AS value FROM deposit WHERE operation_id = $1
        AND id >= $2 AND status = 'paid' AND paid_at < now() - interval '2 days' ORDER BY id LIMIT 1`,
      middleDeposit,
    ),
  };
}
