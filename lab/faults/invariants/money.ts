// M: the ledger. Checked by the product's own proof and, independently of it, by sums of our own and the demo
// operator's balances.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Invariant, ScenarioRun } from './invariant.js';

const UNBALANCED = `SELECT object_id, step, sum(amount_minor)::text AS total FROM ledger_entry
  GROUP BY provider, object_id, step HAVING sum(amount_minor) <> 0 LIMIT 20`;
const BALANCES = `
  SELECT operation_id, account, coalesce(balance_minor, 0)::text AS balance, coalesce(replayed, 0)::text AS replayed
  FROM ledger_account FULL JOIN (SELECT operation_id, provider, currency, account, sum(amount_minor) AS replayed
    FROM ledger_entry GROUP BY 1, 2, 3, 4) AS entries USING (operation_id, provider, currency, account)
  WHERE coalesce(balance_minor, 0) <> coalesce(replayed, 0) LIMIT 20`;
/** What each operation's players were credited and paid and what the bank took for it, by the payments alone. */
const CASH_BOX = `
  WITH payments AS (
    SELECT operation_id, sum(paid_amount_minor - returned_minor) FILTER (WHERE status = 'paid') AS paid_in, 0::numeric AS paid_out
      FROM deposit GROUP BY 1
    UNION ALL
    SELECT operation_id, 0, sum(amount_minor - returned_minor) FILTER (WHERE status NOT IN ('rejected', 'failed',
      'cancelled', 'returned')) FROM withdrawal GROUP BY 1
    UNION ALL
    SELECT operation_id, 0, sum(fee.amount::numeric) FROM deposit, jsonb_each_text(fees) AS fee (of, amount) GROUP BY 1
    UNION ALL
    SELECT operation_id, 0, sum(fee_minor) FROM withdrawal GROUP BY 1
  ), expected AS (SELECT operation_id, coalesce(sum(paid_in), 0) - coalesce(sum(paid_out), 0) AS amount FROM payments
    GROUP BY 1)
  SELECT operation_id, expected.amount::text AS expected, sum(balance_minor)::text AS found
  FROM expected JOIN ledger_account USING (operation_id)
  WHERE account = 'available' GROUP BY operation_id, expected.amount HAVING expected.amount <> sum(balance_minor)`;

export const money: Invariant = {
  letter: 'M',
  holds: 'debits equal credits in every transfer; every balance is the sum of its entries and agrees with the payments',
  async check({ environment }) {
    const [unbalanced, balances, cashBox] = await Promise.all(
      [UNBALANCED, BALANCES, CASH_BOX].map((sql) => environment.database.query<Record<string, string>>(sql)),
    );
    return [
      ...(unbalanced?.rows ?? []).map((row) => `transfer ${row['object_id']} ${row['step']} sums to ${row['total']}`),
      ...(balances?.rows ?? []).map(
        (row) =>
          `${row['account']} of ${row['operation_id']} is ${row['balance']}, its entries sum to ${row['replayed']}`,
      ),
      ...(cashBox?.rows ?? []).map(
        (row) => `${row['operation_id']} has ${row['found']} available, its payments say ${row['expected']}`,
      ),
      ...(await ownProof(environment)),
      ...(await atTheDemoOperator(environment)),
    ];
  },
};

async function ownProof(environment: ScenarioRun['environment']): Promise<string[]> {
  try {
    const report = await environment.gateway('ledger', 'verify');
    return report['ok'] === true ? [] : [`gateway ledger verify: ${JSON.stringify(report)}`];
  } catch (error) {
    return [`gateway ledger verify: ${(error as Error).message}`];
  }
}

/**
 * What an operator may have done with its player's money, by the gateway's state. Where money was taken back, it hangs
 * on whether the operator looked in between: afterwards a person decides.
 */
const DEPOSIT_MONEY: Readonly<Record<string, readonly string[]>> = {
  paid: ['credited'],
  refunded: ['credited', 'open'],
  chargeback: ['credited', 'open'],
};
const WITHDRAWAL_MONEY: Readonly<Record<string, readonly string[]>> = {
  paid: ['settled'],
  returned: ['settled', 'reserved'],
  rejected: ['given_back'],
  failed: ['given_back'],
  cancelled: ['given_back'],
};
/** It fetches each payment after its webhook. */
const OPERATOR_LAG_MS = 20_000;

async function atTheDemoOperator(environment: ScenarioRun['environment']): Promise<string[]> {
  for (const deadline = Date.now() + OPERATOR_LAG_MS; ; await sleep(500)) {
    const problems = await differences(environment);
    if (problems.length === 0 || Date.now() > deadline) return problems;
  }
}

async function differences({ demoBooks, database }: ScenarioRun['environment']): Promise<string[]> {
  const { deposits, withdrawals } = await demoBooks.state();
  const statuses = await statusesOf(
    database,
    [...deposits, ...withdrawals].map(({ object_id }) => object_id ?? ''),
  );
  const differ = (views: typeof deposits, kind: string, allowed: typeof DEPOSIT_MONEY, otherwise: string) =>
    views.flatMap(({ object_id: id, money: moved }) => {
      const status = statuses.get(id ?? '');
      if (status === undefined || (allowed[status] ?? [otherwise]).includes(moved)) return [];
      return [`the operator has ${moved} the ${kind} ${id}, which is ${status}`];
    });
  return [
    ...differ(deposits, 'deposit', DEPOSIT_MONEY, 'open'),
    ...differ(withdrawals, 'withdrawal', WITHDRAWAL_MONEY, 'reserved'),
  ];
}

async function statusesOf(
  database: ScenarioRun['environment']['database'],
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await database.query<{ id: string; status: string }>(
    'SELECT id, status FROM deposit WHERE id = ANY($1) UNION ALL SELECT id, status FROM withdrawal WHERE id = ANY($1)',
    [ids],
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}
