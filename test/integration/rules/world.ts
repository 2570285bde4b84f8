// An operation in a real database, with players, deposits and withdrawals made as the gateway stores them.
import { newRecord } from '../../../domain/payments/deposit-record.js';
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { createRulesEngine } from '../../../activities/rules.js';
import type { DepositOrder, WithdrawalOrder } from '../../../contract/temporal/payment.js';
import { newId } from '../../../domain/identifiers.js';
import { normalizePixKey, type PixKeyType } from '../../../domain/pix.js';
import { engineRulesSchema } from '../../../domain/rules/engine-rules.js';
import { parseRuleSetDraft } from '../../../domain/rules/rule-set.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { insertDeposit } from '../../../store/payments/deposit/insert.js';
import { deviceHash, documentHash, ipHash, pixKeyHash, Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import { insertRuleSet, setRules } from '../../../store/rules/rule-sets.js';
import { insertWithdrawal } from '../../../store/payments/withdrawal/insert.js';
import { createTestDatabase, type TestDatabase } from '../../../lab/harness/database.js';
import { createdDeposit } from '../../../lab/harness/deposit-fixtures.js';
import { storingRules, type StoringRules } from '../../../lab/harness/storing-rules.js';
import { sealedDepositOrder, sealedWithdrawalOrder } from '../../../store/sealing/orders.js';

export const AT = '2026-11-21T15:00:00.000Z';
/** Valid numbers; the first is the usual player's. */
export const CPF = '52998224725';
export const OTHER_CPF = '11144477735';
export const CNPJ = '11222333000181';

export const sealer = new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], randomBytes(32)));

/** The engine's own thresholds as a file gives them, without defaults. */
export type EngineInput = z.input<typeof engineRulesSchema>;

export interface PlayerOptions {
  readonly ref?: string;
  readonly document?: { readonly type: string; readonly number: string };
  readonly ip?: string | null;
  readonly device?: string | null;
}

export interface DepositOptions {
  readonly ref?: string;
  readonly amountMinor?: bigint;
  readonly status?: string;
  readonly currency?: string;
  /** Paid at the same moment, if it is. */
  readonly createdAt?: string;
  /** The payer's document. */
  readonly payer?: string;
}

export interface WithdrawalOptions extends PlayerOptions {
  readonly id?: string;
  readonly amountMinor?: bigint;
  readonly currency?: string;
  readonly key?: { readonly type: PixKeyType; readonly value: string };
  readonly reviewRequested?: boolean;
  readonly reviewReasons?: readonly string[];
  readonly playerContext?: Readonly<Record<string, unknown>>;
}

export class World {
  readonly operationId = newId('operation');
  private constructor(
    private readonly test: TestDatabase,
    readonly database: Database,
    /** The engine's own, under its role. */
    readonly ofRules: Database,
    /** The engine, with every decision stored. */
    readonly rules: StoringRules,
  ) {}

  /** `timezone`: that of the database's sessions. */
  static async create(timezone = 'UTC'): Promise<World> {
    const test = await createTestDatabase();
    await setTimezone(test.url, timezone);
    const pool = { poolSize: 10, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
    const database = createDatabase({ url: test.url, ...pool });
    const ofRules = createDatabase({ url: test.urlOfRole('gateway_rules'), ...pool });
    return new World(test, database, ofRules, storingRules({ database: ofRules, sealer }));
  }

  async destroy(): Promise<void> {
    await Promise.all([this.database.$disconnect(), this.ofRules.$disconnect()]);
    await this.test.drop();
  }

  /** An operation of its own for each test. */
  async anew(rules: object = {}, availableMinor = 1_000_000): Promise<void> {
    Object.assign(this, { operationId: newId('operation') });
    const { operationId } = this;
    await this.database.operation.create({
      data: { id: operationId, name: 'test', environment: 'sandbox', provider: 'simulator' },
    });
    await this.database.operationCounter.create({ data: { operationId } });
    await this.database.ledgerAccount.create({
      data: { operationId, provider: 'simulator', currency: 'BRL', account: 'available', balanceMinor: availableMinor },
    });
    await this.setRules(rules);
  }

  async setRules(brl: object, more: object = {}): Promise<void> {
    const rules = parseRuleSetDraft({ ...more, currencies: { BRL: brl } });
    await insertRuleSet(this.database, { operationId: this.operationId, rules, createdBy: 'test' });
  }

  /** A rule set with thresholds of the engine's own. */
  async setEngine(engine: EngineInput, brl: object = {}, more: object = {}): Promise<void> {
    const rules = parseRuleSetDraft({ ...more, currencies: { BRL: brl } });
    await setRules(this.database, {
      operationId: this.operationId,
      rules,
      engine: engineRulesSchema.parse(engine),
      createdBy: 'test',
    });
  }

  /** A player with a settled deposit and a paid withdrawal: the next one to the same key is automatic. */
  async knownPlayer(options: WithdrawalOptions = {}): Promise<void> {
    await this.player(options);
    await this.deposit({ ...options, amountMinor: 100000n });
    await this.withdrawal({ ...options, amountMinor: 1000n, status: 'paid', createdAt: '2026-10-01T12:00:00.000Z' });
  }

  async player({ ref = 'player-1', document = { type: 'CPF', number: CPF } }: PlayerOptions = {}): Promise<void> {
    await this.database.player.create({
      data: {
        operationId: this.operationId,
        externalRef: ref,
        documentHash: documentHash(sealer, this.operationId, document.number),
        documentSealed: Buffer.from('sealed'),
      },
    });
  }

  async deposit({
    ref = 'player-1',
    amountMinor = 5000n,
    status = 'paid',
    currency = 'BRL',
    createdAt = '2026-10-01T10:00:00.000Z',
    payer,
  }: DepositOptions = {}): Promise<string> {
    const id = newId('deposit');
    const at = new Date(createdAt);
    await this.database.deposit.create({
      data: {
        id,
        operationId: this.operationId,
        externalId: id,
        status,
        version: 3,
        amountMinor: amountMinor.toString(),
        currency,
        paidAmountMinor: status === 'paid' ? amountMinor.toString() : null,
        method: 'pix',
        playerRef: ref,
        provider: 'simulator',
        requestSealed: Buffer.from('x'),
        createdAt: at,
        updatedAt: at,
        paidAt: status === 'paid' ? at : null,
        expiresAt: at,
        payerDocumentHash: payer === undefined ? null : documentHash(sealer, this.operationId, payer),
      },
    });
    return id;
  }

  async withdrawal(options: WithdrawalOptions & { status?: string; createdAt?: string } = {}): Promise<string> {
    const { ref, player, key } = withDefaults(options);
    const id = options.id ?? newId('withdrawal');
    const at = new Date(options.createdAt ?? AT);
    await this.database.withdrawal.create({
      data: {
        id,
        operationId: this.operationId,
        externalId: id,
        status: options.status ?? 'paid',
        version: 1,
        amountMinor: (options.amountMinor ?? 5000n).toString(),
        currency: options.currency ?? 'BRL',
        method: 'pix',
        playerRef: ref,
        provider: 'simulator',
        requestSealed: Buffer.from('x'),
        destinationType: key.type,
        destinationHash: pixKeyHash(sealer, this.operationId, key.value, key.type),
        ipHash: player.ip === undefined ? null : ipHash(sealer, this.operationId, player.ip),
        deviceHash: player.device_id === undefined ? null : deviceHash(sealer, this.operationId, player.device_id),
        reviewRequested: options.reviewRequested ?? false,
        judgement: 'passed',
        decisionMode: 'manual',
        decisionReasons: [],
        ruleSetVersion: 1,
        createdAt: at,
        updatedAt: at,
      },
    });
    return id;
  }

  depositOrder(options: PlayerOptions & { amountMinor?: bigint } = {}): DepositOrder {
    const { ref, player } = withDefaults(options);
    const depositId = newId('deposit');
    const order = {
      ...this.identity(),
      id: depositId,
      externalId: depositId,
      playerRef: ref,
      amountMinor: options.amountMinor ?? 5000n,
      currency: 'BRL',
      expiresInSeconds: 1_800,
    };
    return sealedDepositOrder(sealer, order, { player });
  }

  withdrawalOrder(options: WithdrawalOptions = {}): WithdrawalOrder {
    const { ref, player, key } = withDefaults(options);
    const withdrawalId = options.id ?? newId('withdrawal');
    const order = {
      ...this.identity(),
      id: withdrawalId,
      externalId: withdrawalId,
      playerRef: ref,
      amountMinor: options.amountMinor ?? 5000n,
      currency: options.currency ?? 'BRL',
      reviewRequested: options.reviewRequested ?? false,
      operatorReasons: options.reviewReasons?.length ?? 0,
      hasPlayerIp: player.ip !== undefined,
      destinationType: key.type,
    };
    return sealedWithdrawalOrder(sealer, order, {
      player,
      // As the api seals it.
      destination: { pix: { key_type: key.type, key: normalizePixKey(key.type, key.value) } },
      review_reasons: options.reviewReasons,
      player_context: options.playerContext,
    });
  }

  private identity() {
    return {
      operationId: this.operationId,
      operationName: 'test',
      environment: 'sandbox',
      provider: 'simulator',
    } as const;
  }

  /** The verdict on a withdrawal at creation. */
  decide(
    options: WithdrawalOptions = {},
    keyOwner: Parameters<StoringRules['decideWithdrawal']>[0]['keyOwner'] = 'not_asked',
    at = AT,
  ) {
    return this.rules.decideWithdrawal({ order: this.withdrawalOrder(options), at, keyOwner, stage: 'creation' });
  }

  /** As the workflow does it: decide, insert on the facts that were read, and decide again if they are out of date. */
  async create(order: WithdrawalOrder, at = AT): Promise<string> {
    for (let attempt = 1; attempt <= 60; attempt += 1) {
      const verdict = await this.rules.decideWithdrawal({ order, at, keyOwner: 'not_asked', stage: 'creation' });
      if (verdict.kind === 'refuse') return verdict.code;
      const isAutomatic = verdict.kind === 'automatic';
      const snapshot: WithdrawalSnapshot = {
        id: order.id,
        operationId: order.operationId,
        externalId: order.externalId,
        status: isAutomatic ? 'approved' : 'under_review',
        version: 1,
        amountMinor: order.amountMinor,
        currency: 'BRL',
        feeMinor: null,
        method: 'pix',
        playerRef: order.playerRef,
        provider: 'simulator',
        decision: {
          mode: isAutomatic ? 'automatic' : 'manual',
          reasons: verdict.reasons,
          ruleSetVersion: 1,
          decidedBy: [],
          decidedAt: at,
        },
        pspReference: null,
        failureCode: null,
        createdAt: at,
        updatedAt: at,
        paidAt: null,
      };
      const known = { revision: 1, keyOwner: 'not_asked', lookupEndToEndId: null, judgement: 'passed' } as const;
      const { kind } = await insertWithdrawal(
        { database: this.database, sealer },
        {
          order,
          record: { snapshot, ...known, send: null, returnedParts: [] },
          playerRevision: verdict.playerRevision,
          automaticUse: verdict.automaticUse ?? null,
          decision: null,
        },
      );
      if (kind === 'inserted') return `${snapshot.status} ${verdict.reasons.join()}`.trim();
      if (kind === 'insufficient_balance') return 'insufficient_operation_balance';
      if (kind !== 'stale') return kind;
    }
    return 'never inserted';
  }

  /** The same for a deposit. */
  async createDeposit(order: DepositOrder, at = AT): Promise<string> {
    const engine = createRulesEngine({ database: this.database, sealer });
    const deposit = { ...createdDeposit(order), createdAt: at, updatedAt: at, expiresAt: at };
    for (let attempt = 1; attempt <= 60; attempt += 1) {
      const { verdict, record: decision } = await engine.decideDeposit({ order, at });
      if (verdict.kind === 'refuse') return `${verdict.code} ${verdict.reasons.join()}`;
      const playerRevision = verdict.playerRevision ?? null;
      const insertion = { order, record: newRecord(deposit), playerRevision, decision, environment: order.environment };
      const { kind } = await insertDeposit(this.database, sealer, insertion);
      if (kind !== 'stale') return kind;
    }
    return 'never inserted';
  }

  /** What the transaction of a payment moves: the operation's counter and its account of reserved money. */
  async openBooks(): Promise<void> {
    const { operationId } = this;
    await this.database.ledgerAccount.create({
      data: { operationId, provider: 'simulator', currency: 'BRL', account: 'pending_out' },
    });
  }
}

async function setTimezone(url: string, timezone: string): Promise<void> {
  const client = createDatabase({ url, poolSize: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 });
  const [row] = await client.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`;
  await client.$executeRawUnsafe(`ALTER DATABASE "${row?.name ?? ''}" SET timezone TO '${timezone}'`);
  await client.$disconnect();
}

function withDefaults(options: WithdrawalOptions) {
  const {
    ref = 'player-1',
    document = { type: 'CPF', number: CPF },
    ip = '203.0.113.7',
    device = 'device-1',
  } = options;
  const player = {
    external_ref: ref,
    document: { ...document, country: 'BR' },
    name: 'Maria Exemplo',
    ...(ip === null ? {} : { ip }),
    ...(device === null ? {} : { device_id: device }),
  };
  return { ref, player, key: options.key ?? { type: 'cpf' as const, value: CPF } };
}
