// What one operation can carry: its transitions wait for one another at its counter row, which numbers its events.
import { randomBytes } from 'node:crypto';
import { step } from '../../../tools/bootstrap/progress.mjs';
import { parseRuleSetDraft } from '../../../domain/rules/rule-set.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { type DepositWrite, storeDepositChange } from '../../../store/payments/deposit/transition.js';
import { createOperation } from '../../../store/operations/provisioning.js';
import { inTransaction } from '../../../store/transactions.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { depositOrder, payment, pendingDeposit } from '../../harness/deposit-fixtures.js';
import { POOL } from '../database/observed.js';
import { median } from '../measure.js';
import { forEach } from '../operations.js';
import { shown } from '../report.js';
import type { Bench, BenchContext, Findings } from '../result.js';

const AT_ONCE = 16;
const FULL = { rounds: 7, transitions: 600 };
const QUICK = { rounds: 1, transitions: 64 };

export const oneOperation: Bench = {
  name: 'one-operation',
  title: 'Transitions per second of one operation, and of sixteen',
  async run({ servers, quick }: BenchContext): Promise<Findings> {
    const { rounds, transitions } = quick ? QUICK : FULL;
    const database = createDatabase({ url: await servers.newDatabase(), ...POOL, poolSize: AT_ONCE });
    try {
      const sealer = new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], randomBytes(32)));
      const operations = await step('making operations', () => makeOperations(database, sealer, AT_ONCE + 1));
      const [alone = '', ...many] = operations;
      const rates = { one: [] as number[], many: [] as number[] };
      for (let round = 0; round < rounds; round += 1) {
        rates.one.push(await step('one operation', () => commitsPerSecond(database, sealer, [alone], transitions)));
        rates.many.push(
          await step(`${AT_ONCE} operations`, () => commitsPerSecond(database, sealer, many, transitions)),
        );
      }
      const [one, sixteen] = [median(rates.one), median(rates.many)];
      return {
        figures: [
          {
            name: 'transitions per second of one operation',
            value: one,
            unit: '/s',
            note: `${shown(1_000 / one)} ms each, one after the other`,
          },
          {
            name: `transitions per second of ${AT_ONCE} operations together`,
            value: sixteen,
            unit: '/s',
            note: `${shown(sixteen / one)} × one operation’s`,
          },
        ],
        tables: [],
        counters: { 'oneOperation.transitionsPerSecond': one },
        remarks: [
          'Transitions to paid (row, event, two ledger entries, two balances), each a statement and a commit ' +
            `that is waited for, ${AT_ONCE} at once over ${AT_ONCE} connections, ${rounds} × ${transitions} each, ` +
            'in turns, medians. No Temporal, no HTTP.',
        ],
      };
    } finally {
      await database.$disconnect();
    }
  },
};

async function makeOperations(database: Database, sealer: Sealer, count: number): Promise<string[]> {
  const ids: string[] = [];
  const rules = parseRuleSetDraft({ currencies: { BRL: {} } });
  for (let number = 1; number <= count; number += 1) {
    const { operationId } = await inTransaction(database, (transaction) =>
      createOperation(transaction, sealer, {
        name: `bench-${number}`,
        environment: 'sandbox',
        provider: 'simulator',
        webhookUrl: null,
        networks: [],
        by: { handle: 'bench', means: 'claim' },
        rules,
      }),
    );
    ids.push(operationId);
  }
  return ids;
}

/** Opens the deposits first, then stores the payment of each, which alone is measured. */
async function commitsPerSecond(
  database: Database,
  sealer: Sealer,
  operations: readonly string[],
  transitions: number,
): Promise<number> {
  const prepared: DepositWrite[] = [];
  await forEach(
    Array.from({ length: transitions }, (_, index) => operations[index % operations.length] ?? ''),
    AT_ONCE,
    async (operationId) => {
      // Separate players: payments of one player wait for its row, too.
      const order = depositOrder({ sealer, operationId }, { playerRef: randomBytes(8).toString('hex') });
      prepared.push(payment({ sealer }, await pendingDeposit(database, sealer, order)));
    },
  );
  const startedAt = performance.now();
  await forEach(prepared, AT_ONCE, (write) => storeDepositChange({ database, sealer }, write));
  return (transitions * 1_000) / (performance.now() - startedAt);
}
