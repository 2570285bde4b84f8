// A player's page: who it is, masked, what they moved, what people decided, on which lists, and who is linked to them.
import type { Answering } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import { automaticRemainingMinor } from '../../../domain/rules/automatic-limits.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import { toBigInt } from '../../../store/database.js';
import { readAlertsOf } from '../../../store/alerts/list.js';
import { operationExists } from '../../../store/operations/operations.js';
import { type ListedPayment, readPaymentList } from '../../../store/support/payment-list.js';
import { paymentById } from '../../../store/support/payment-rows.js';
import { readPlayerRow } from '../../../store/support/player-history.js';
import { readListsOf } from '../../../store/players/listed.js';
import { currentRuleSet } from '../../../store/rules/rule-sets.js';
import { sees, type Viewer } from '../../viewer.js';
import { linkedPlayers } from './links.js';
import { operationOf, type PaymentReads } from './payment.js';
import { filterOf, shownPayment } from './payment-list.js';
import { maskedFields, personsOf } from './people.js';
import { readDecisionsOfPlayer } from './player-decisions.js';
import { toldBy } from './told.js';

const MOST_PAYMENTS = 50;

/** `null` if there is no such player, or the viewer may not see the operation. */
export async function readPlayer(
  reads: PaymentReads,
  viewer: Viewer,
  operationId: string,
  playerRef: string,
): Promise<Answering<'readPlayer'> | null> {
  const { database } = reads;
  if (!sees(viewer, operationId) || !(await operationExists(database, operationId))) return null;
  const player = { operationId, playerRef };
  const { row, sums } = await readPlayerRow(database, player);
  if (row === null) return null;
  const { id, name, time_zone } = await operationOf(database, operationId);
  const filter = filterOf(operationId, time_zone, { player: playerRef });
  const [{ rows }, [lists = []], linked, ruleSet] = await Promise.all([
    readPaymentList(database, filter, null, MOST_PAYMENTS),
    readListsOf(database, [player]),
    linkedPlayers(database, player),
    currentRuleSet(database, operationId),
  ]);
  const [identity, decisions, alerts] = await Promise.all([
    row.erasedAt === null ? identityOf(reads, rows) : null,
    readDecisionsOfPlayer(database, { ...player, id: null }, rows.filter(isDeposit).map(amountOf)),
    readAlertsOf(database, ...rows.map((payment) => payment.id)),
  ]);
  return {
    operation: { id, name, time_zone },
    ref: playerRef,
    known_since: row.createdAt,
    erased_at: row.erasedAt,
    identity,
    sums: sums.map(({ kind, currency, settledMinor, settledCount, countedMinor }) => ({
      kind: kind as 'deposit' | 'withdrawal',
      settled: toMoney(toBigInt(settledMinor), currency),
      settled_count: settledCount,
      counted: toMoney(toBigInt(countedMinor), currency),
    })),
    automatic: automaticOf(sums, (ruleSet?.rules ?? defaultRuleSet(1)).currencies),
    lists: lists.map(({ list, kind, addedAt }) => ({ list, kind, added_at: addedAt })),
    linked,
    payments: rows.map(shownPayment),
    decisions: decisions.elsewhere,
    alerts,
  };
}

const isDeposit = ({ kind }: ListedPayment) => kind === 'deposit';
const amountOf = ({ id, amountMinor, currency }: ListedPayment) => ({ id, amount: toMoney(amountMinor, currency) });

type Sums = Awaited<ReturnType<typeof readPlayerRow>>['sums'];

/** In each currency that the player moved and the rules have. */
function automaticOf(sums: Sums, rules: Readonly<Record<string, { readonly auto_multiplier?: string } | undefined>>) {
  const currencies = [...new Set(sums.map(({ currency }) => currency))];
  const minor = (kind: string, currency: string, column: 'settledMinor' | 'countedMinor') => {
    const found = sums.find((sum) => sum.kind === kind && sum.currency === currency);
    return found === undefined ? 0n : toBigInt(found[column]);
  };
  return currencies.flatMap((currency) => {
    const multiplier = rules[currency]?.auto_multiplier;
    if (multiplier === undefined) return [];
    const settled = minor('deposit', currency, 'settledMinor');
    const committed = minor('withdrawal', currency, 'countedMinor');
    return { multiplier, remaining: toMoney(automaticRemainingMinor(multiplier, settled, committed), currency) };
  });
}

/** By the newest withdrawal, with which operators say most; else by the newest deposit. */
async function identityOf({ database, sealer }: PaymentReads, rows: readonly ListedPayment[]) {
  const newest = rows.find(({ kind }) => kind === 'withdrawal') ?? rows[0];
  const payment = newest === undefined ? null : await paymentById(database, newest.id);
  if (payment === null) return null;
  const persons = personsOf(sealer, payment);
  const fields = maskedFields(persons, 'player');
  return { payment_id: payment.row.id, fields, told: toldBy(persons, payment.row.currency) };
}
