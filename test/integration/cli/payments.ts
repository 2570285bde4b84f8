// Payments as the workflows leave them in the database: row, event and balanced ledger entries.
import { randomUUID } from 'node:crypto';
import { BANK_KIND_OF } from '../../../domain/ledger.js';
import { LEDGER_MOVEMENTS, type LedgerMovement, postingsOf } from '../../../domain/ledger.js';
import { newId } from '../../../domain/identifiers.js';
import { type TestGateway, testSealer } from './support.js';
import { documentHash, pixKeyHash } from '../../../store/sealing/sealer.js';
import { placeOf } from '../../../store/sealing/places.js';

/** Personal data that must never be printed. */
export const PERSONAL = { document: '52998224725', name: 'Maria das Dores', key: 'maria@example.test' } as const;

const document = { type: 'CPF', number: PERSONAL.document, country: 'BR' };
const requestOf = (amount: string) =>
  Buffer.from(
    JSON.stringify({
      player: { external_ref: 'player-1', document, name: PERSONAL.name },
      amount: { amount, currency: 'BRL' },
      destination: { pix: { key_type: 'email', key: PERSONAL.key } },
      review_reasons: [`pediu ${PERSONAL.document}`],
    }),
  );
const payer = Buffer.from(JSON.stringify({ document, name: PERSONAL.name, matchesPlayer: false }));

export async function insertDeposit(
  gateway: TestGateway,
  operationId: string,
  deposit: {
    status: string;
    amount?: string;
    paidAmount?: string | null;
    reasons?: readonly string[];
    movements?: readonly LedgerMovement[];
  },
): Promise<string> {
  const id = newId('deposit');
  const { status, amount = '5000', reasons = [], movements = [] } = deposit;
  const isPaid = ['paid', 'under_review', 'returned', 'refunded', 'chargeback'].includes(status);
  const paidAmount = deposit.paidAmount === undefined ? (isPaid ? amount : null) : deposit.paidAmount;
  await gateway.rows(
    `INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, paid_amount_minor,
    method, player_ref, provider,
       request_sealed, payer_sealed, review_reasons, created_at, updated_at, expires_at)
     VALUES ($1, $2, $3, $4, 3, $5, 'BRL', $6, 'pix', 'player-1', 'simulator', $7, $8, $9, now(), now(), now())`,
    id,
    operationId,
    randomUUID(),
    status,
    amount,
    paidAmount,
    testSealer.sealBytes(placeOf('deposit.request_sealed', operationId, { id }), requestOf(amount)),
    paidAmount === null ? null : testSealer.sealBytes(placeOf('deposit.payer_sealed', operationId, { id }), payer),
    reasons,
  );
  if (status === 'under_review') await insertEvent(gateway, operationId, id, 'deposit.under_review');
  for (const [index, movement] of movements.entries())
    await move(gateway, operationId, `${id}:${index + 3}`, movement, paidAmount ?? amount);
  return id;
}

export async function insertWithdrawal(
  gateway: TestGateway,
  operationId: string,
  withdrawal: {
    status: string;
    amount?: string;
    reasons?: readonly string[];
    decidedBy?: readonly object[];
    movements?: readonly LedgerMovement[];
  },
): Promise<string> {
  const id = newId('withdrawal');
  const { status, amount = '1000', reasons = [], decidedBy = [], movements = [] } = withdrawal;
  await gateway.rows(
    `INSERT INTO withdrawal (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref,
    provider, request_sealed,
       destination_type, destination_hash, review_requested, judgement, decision_mode, decision_reasons,
       rule_set_version, decided_by, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 1, $5, 'BRL', 'pix', 'player-1', 'simulator', $6, 'email', $7, FALSE, 'passed', 'manual', $8, 1,
     $9, now(), now())`,
    id,
    operationId,
    randomUUID(),
    status,
    amount,
    testSealer.sealBytes(placeOf('withdrawal.request_sealed', operationId, { id }), requestOf(amount)),
    pixKeyHash(testSealer, operationId, PERSONAL.key, 'email'),
    reasons,
    JSON.stringify(decidedBy),
  );
  if (status === 'under_review') await insertEvent(gateway, operationId, id, 'withdrawal.under_review');
  for (const [index, movement] of movements.entries())
    await move(gateway, operationId, `${id}:${index + 1}`, movement, amount);
  return id;
}

/** The player of these payments, as the first one leaves it. */
export async function insertPlayer(gateway: TestGateway, operationId: string): Promise<void> {
  const place = placeOf('player.document_sealed', operationId, { external_ref: 'player-1' });
  await gateway.rows(
    `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed) VALUES ($1, 'player-1', $2, $3)`,
    operationId,
    documentHash(testSealer, operationId, PERSONAL.document),
    testSealer.sealBytes(place, Buffer.from(JSON.stringify(document))),
  );
}

export async function insertEvent(
  gateway: TestGateway,
  operationId: string,
  objectId: string,
  type: string,
): Promise<string> {
  const id = newId('event');
  await gateway.rows(
    `WITH counter AS (UPDATE operation_counter SET event_sequence = event_sequence + 1
    WHERE operation_id = $2 RETURNING event_sequence)
     INSERT INTO event (id, operation_id, sequence, type, object_id, object_version, body_sealed, created_at)
     SELECT $1, $2, event_sequence, $3, $4, 1, $5, now() - interval '1 hour' FROM counter`,
    id,
    operationId,
    type,
    objectId,
    testSealer.sealBytes(placeOf('event.body_sealed', operationId, { id }), requestOf('1')),
  );
  return id;
}

/** A payment of an expired deposit, in suspense, as its step stores it. @returns the deposit's id */
export async function insertLate(
  gateway: TestGateway,
  operationId: string,
  { payment, amount }: { readonly payment: string; readonly amount: string },
): Promise<string> {
  const deposit = await insertDeposit(gateway, operationId, { status: 'expired', paidAmount: amount });
  await gateway.rows('UPDATE deposit SET end_to_end_id = $2, late_payment = TRUE WHERE id = $1', deposit, payment);
  await gateway.rows(
    `INSERT INTO suspense_item (account, end_to_end_id, operation_id, object_id, currency, amount_minor, received_at,
       recorded_at)
     VALUES ((SELECT provider FROM operation WHERE id = $2), $1, $2, $3, 'BRL', $4, now(), now())`,
    payment,
    operationId,
    deposit,
    amount,
  );
  await moveItem(gateway, operationId, `${deposit}:received:${payment}`, 'late_payment_received', payment, amount);
  return deposit;
}

/** The alert about a payment in suspense, as its step raises it. @returns its id */
export async function insertLateAlert(
  gateway: TestGateway,
  operationId: string,
  { deposit, payment }: { readonly deposit: string; readonly payment: string },
): Promise<string> {
  const id = newId('alert');
  await gateway.rows(
    `INSERT INTO alert (id, kind, operation_id, object_id, occasion, detail, created_at)
     VALUES ($1, 'LATE_PAYMENT', $2, $3, $4, 'paid while expired', now())`,
    id,
    operationId,
    deposit,
    payment,
  );
  return id;
}

/** A movement of an item in suspense. */
export async function moveItem(
  gateway: TestGateway,
  operationId: string,
  transferId: string,
  movement: LedgerMovement,
  payment: string,
  amount: string,
): Promise<void> {
  await move(gateway, operationId, transferId, movement, amount);
  await gateway.rows(
    `INSERT INTO suspense_entry (object_id, step, movement, account, end_to_end_id, amount_minor)
     SELECT split_part($1, ':', 1), substr($1, strpos($1, ':') + 1), $2, account, $3, $4
     FROM suspense_item WHERE operation_id = $5 AND end_to_end_id = $3`,
    transferId,
    movement,
    payment,
    LEDGER_MOVEMENTS[movement].to === 'suspense' ? amount : `-${amount}`,
    operationId,
  );
}

/** A movement as a transition stores it: two entries and two balances. */
export async function move(
  gateway: TestGateway,
  operationId: string,
  transferId: string,
  movement: LedgerMovement,
  amount: string,
): Promise<void> {
  await insertBankMovement(gateway, operationId, transferId, movement, amount);
  for (const { account, amountMinor } of postingsOf(movement, BigInt(amount))) {
    await insertEntry(gateway, operationId, transferId, movement, account, amountMinor.toString());
    await addToBalance(gateway, operationId, account, amountMinor.toString());
  }
}

async function insertBankMovement(
  gateway: TestGateway,
  operationId: string,
  transferId: string,
  movement: LedgerMovement,
  amount: string,
): Promise<void> {
  const kind = BANK_KIND_OF[movement];
  if (kind === null) return;
  await gateway.rows(
    `INSERT INTO bank_movement (account, kind, bank_id, part, operation_id, object_id, step, currency, amount_minor,
       settled_at, said_by, recorded_at)
     VALUES ((SELECT provider FROM operation WHERE id = $4), $1, $2, $3, $4, split_part($2, ':', 1), substr($2, strpos($2, ':') + 1),
       'BRL', $5, now(), 'provider', now())`,
    kind,
    transferId,
    kind.startsWith('returned') ? 'R1' : '',
    operationId,
    amount,
  );
}

/** `transferId`: the object and its step, with a colon between them. */
export async function insertEntry(
  gateway: TestGateway,
  operationId: string,
  transferId: string,
  movement: string,
  account: string,
  amount: string,
): Promise<void> {
  await gateway.rows(
    `INSERT INTO ledger_entry (operation_id, provider, object_id, step, movement, currency, account, amount_minor,
        created_at)
      VALUES ($1, (SELECT provider FROM operation WHERE id = $1), split_part($2, ':', 1),
        substr($2, strpos($2, ':') + 1), $3, 'BRL', $4, $5, now())`,
    operationId,
    transferId,
    movement,
    account,
    amount,
  );
}

export async function addToBalance(
  gateway: TestGateway,
  operationId: string,
  account: string,
  amount: string,
): Promise<void> {
  await gateway.rows(
    `UPDATE ledger_account SET balance_minor = balance_minor + $3 WHERE operation_id = $1 AND account = $2
       AND provider = (SELECT provider FROM operation WHERE id = $1)`,
    operationId,
    account,
    amount,
  );
}

/** Every movement there is, so that a table of sound books can be checked to use each. */
export const MOVEMENTS = Object.keys(LEDGER_MOVEMENTS) as LedgerMovement[];
