// The handlers over a real Postgres, with Temporal and the simulator replaced by scripted ones. Requests are parsed by
// the route's own schemas, as the pipeline does.
import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { DEFAULT_DEADLINES } from '../../../../platform/temporal/calls.js';
import { createHandlers } from '../../../../api/routes/index.js';
import type { ApiDependencies } from '../../../../api/routes/handler.js';
import { isProblem, problem, type Problem } from '../../../../contract/http/errors.js';
import type { CallerOperation, RouteDefinition, RouteHandler, RouteResponse } from '../../../../contract/http/route.js';
import { ROUTES, type RouteName } from '../../../../contract/http/routes.js';
import { check } from '../../../../contract/http/validation.js';
import type { DepositPayer, DepositSnapshot } from '../../../../domain/payments/deposit.js';
import { newId } from '../../../../domain/identifiers.js';
import type { WithdrawalSnapshot } from '../../../../domain/payments/withdrawal.js';
import type { ProviderTraits, SandboxSteering, SteeringResult } from '../../../../providers/port.js';
import { createDatabase, type Database } from '../../../../store/database.js';
import { Sealer } from '../../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../../store/sealing/keys.js';
import { type PaymentKind, vouchFor, vouchForRefusal } from '../../../../store/sealing/proofs.js';
import { createTestDatabase, type TestDatabase } from '../../../../lab/harness/database.js';
import { depositSnapshotOf, withdrawalSnapshotOf } from '../../../unit/http-schemas/snapshots.js';
import { FakeTemporal, type Message } from './fake-temporal.js';
import { placeOf } from '../../../../store/sealing/places.js';
import { NO_LIMITS } from '../../../../providers/dialect-entry.js';

export interface CallOptions {
  readonly operation?: CallerOperation;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly objectId?: string;
}

/** An answer, flattened for assertions. */
export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  /** `field reason` of each error. */
  readonly errors: readonly string[];
  readonly body: Record<string, unknown> & { data?: Record<string, unknown>[] };
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: Problem | undefined;
}

const TRAITS: Readonly<Record<string, ProviderTraits>> = {
  simulator: { depositRequirements: [], pspNotes: [], sendsPayouts: true, limits: NO_LIMITS },
  a: { depositRequirements: ['player.name', 'player.email'], pspNotes: [], sendsPayouts: true, limits: NO_LIMITS },
  b: {
    depositRequirements: ['player.name'],
    pspNotes: ['payer_identity_unavailable'],
    sendsPayouts: true,
    limits: NO_LIMITS,
  },
};

export class Harness {
  private constructor(
    private readonly testDatabase: TestDatabase,
    /** The owner's. */
    readonly database: Database,
    /** The handlers'. */
    private readonly ofApi: Database,
    /** The ingress's. */
    readonly ofIngress: Database,
    readonly sealer: Sealer,
    readonly temporal: FakeTemporal,
    readonly worker: Worker,
    readonly steering: FakeSteering,
    /** Wall time of the handlers. */
    readonly clock: { now: Date },
    private readonly handlers: Readonly<Record<RouteName, RouteHandler<never, never>>>,
  ) {}

  static async create(changes: Partial<ApiDependencies> = {}): Promise<Harness> {
    const testDatabase = await createTestDatabase();
    const pool = { poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
    const database = createDatabase({ url: testDatabase.url, ...pool });
    const ofApi = createDatabase({ url: testDatabase.urlOfRole('gateway_api'), ...pool });
    const ofIngress = createDatabase({ url: testDatabase.urlOfRole('gateway_ingress'), ...pool });
    const sealer = new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], randomBytes(32)));
    const temporal = new FakeTemporal();
    const worker = new Worker(sealer);
    temporal.worker = (message, answer) => worker.vouched(message, answer);
    const steering = new FakeSteering();
    const clock = { now: new Date('2026-11-21T12:00:00.000Z') };
    const handlers = createHandlers({
      database: ofApi,
      sealer,
      temporal: temporal.client(),
      steering,
      providerTraits: (name) =>
        TRAITS[name] ?? { depositRequirements: [], pspNotes: [], sendsPayouts: true, limits: NO_LIMITS },
      openApi: () => 'openapi: 3.1.0\n',
      deadlines: { ...DEFAULT_DEADLINES, payoutArrivalMs: 600, callbackMs: 0 },
      clock: () => clock.now,
      logger: pino({ level: 'silent' }),
      ...changes,
    });
    return new Harness(testDatabase, database, ofApi, ofIngress, sealer, temporal, worker, steering, clock, handlers);
  }

  async close(): Promise<void> {
    await Promise.all([this.database, this.ofApi, this.ofIngress].map((one) => one.$disconnect()));
    await this.testDatabase.drop();
  }

  /** A fresh operation, so that tests do not see each other's objects. */
  async operation(changes: Partial<CallerOperation> = {}): Promise<CallerOperation> {
    const operation: CallerOperation = {
      id: newId('operation'),
      name: 'acme',
      environment: 'sandbox',
      provider: 'simulator',
      ...changes,
    };
    const { clock: _, ...row } = operation;
    await this.database.operation.create({ data: row });
    await this.database.operationCounter.create({ data: { operationId: operation.id } });
    return operation;
  }

  /** Runs the handler of a route on parsed input; a refusal by the schemas answers as the pipeline would. */
  async call(name: RouteName, options: CallOptions & { operation: CallerOperation }): Promise<Answer> {
    const route: RouteDefinition = ROUTES.find((one) => one.name === name) as RouteDefinition;
    const input = parse(route, options);
    this.worker.operationId = options.operation.id;
    if (isProblem(input)) return answerOf(input);
    const { operation, params = {}, headers = {}, objectId } = options;
    const caller = { keyId: 'key_test_1', scopes: [], operation };
    return answerOf(
      await this.handlers[name]({ caller, params, headers, objectId, traceId: 'trace', ...input } as never),
    );
  }

  async insertDeposit(
    operation: CallerOperation,
    changes: Partial<DepositSnapshot> = {},
    payer: DepositPayer | null = null,
  ): Promise<DepositSnapshot> {
    const id = changes.id ?? newId('deposit');
    const snapshot = depositSnapshotOf({
      id,
      externalId: `ext-${id}`,
      operationId: operation.id,
      provider: operation.provider,
      hasPayer: payer !== null,
      ...changes,
    });
    const sealed = (name: 'deposit.request_sealed' | 'deposit.payer_sealed', value: object) =>
      this.sealer.sealBytes(placeOf(name, operation.id, { id }), Buffer.from(JSON.stringify(value)));
    await this.database.deposit.create({
      data: {
        id,
        operationId: operation.id,
        externalId: snapshot.externalId,
        status: snapshot.status,
        version: snapshot.version,
        amountMinor: snapshot.amountMinor.toString(),
        currency: snapshot.currency,
        paidAmountMinor:
          (snapshot.status === 'paid' ? snapshot.amountMinor : snapshot.paidAmountMinor)?.toString() ?? null,
        method: 'pix',
        playerRef: snapshot.playerRef,
        provider: snapshot.provider,
        requestSealed: sealed('deposit.request_sealed', {}),
        payerSealed: payer === null ? null : sealed('deposit.payer_sealed', payer),
        endToEndId: snapshot.endToEndId,
        failureCode: snapshot.failureCode,
        reviewReasons: [...snapshot.reviewReasons],
        createdAt: snapshot.createdAt,
        updatedAt: snapshot.updatedAt,
        paidAt: snapshot.paidAt,
        expiresAt: snapshot.expiresAt,
      },
    });
    return snapshot;
  }

  async setDeposit(id: string, data: { status: string; version: number; paidAmountMinor?: string }): Promise<void> {
    await this.database.deposit.update({ where: { id }, data });
  }

  async insertWithdrawal(
    operation: CallerOperation,
    changes: Partial<WithdrawalSnapshot> = {},
  ): Promise<WithdrawalSnapshot> {
    const id = changes.id ?? newId('withdrawal');
    const snapshot = withdrawalSnapshotOf({
      id,
      externalId: `ext-${id}`,
      operationId: operation.id,
      provider: operation.provider,
      ...changes,
    });
    await this.database.withdrawal.create({
      data: {
        id,
        operationId: operation.id,
        externalId: snapshot.externalId,
        status: snapshot.status,
        version: snapshot.version,
        amountMinor: snapshot.amountMinor.toString(),
        currency: snapshot.currency,
        method: 'pix',
        playerRef: snapshot.playerRef,
        provider: snapshot.provider,
        requestSealed: this.sealer.sealBytes(
          placeOf('withdrawal.request_sealed', operation.id, { id }),
          Buffer.from('{}'),
        ),
        reviewRequested: false,
        judgement: 'passed',
        destinationType: 'cpf',
        destinationHash: this.sealer.lookupHash(operation.id, 'pix_key', '52998224725'),
        decisionMode: snapshot.decision.mode,
        decisionReasons: [...snapshot.decision.reasons],
        ruleSetVersion: 1,
        decidedBy: JSON.parse(JSON.stringify(snapshot.decision.decidedBy)) as never,
        createdAt: snapshot.createdAt,
        updatedAt: snapshot.updatedAt,
        pspReference: snapshot.pspReference,
        paidAt: snapshot.paidAt,
      },
    });
    return snapshot;
  }

  async setWithdrawal(id: string, data: { status: string; version: number; decidedBy?: object[] }): Promise<void> {
    await this.database.withdrawal.update({ where: { id }, data });
  }
}

function parse(route: RouteDefinition, { query = {}, body }: CallOptions): { query: unknown; body: unknown } | Problem {
  const parsedQuery = route.query === undefined ? { ok: true as const, value: {} } : check(route.query, query);
  if (!parsedQuery.ok) return problem('validation_failed', { errors: parsedQuery.errors });
  if (body === undefined || route.body === undefined || route.body === 'none')
    return { query: parsedQuery.value, body: undefined };
  const parsedBody = check(route.body, body);
  return parsedBody.ok
    ? { query: parsedQuery.value, body: parsedBody.value }
    : problem('validation_failed', { errors: parsedBody.errors });
}

function answerOf(answer: RouteResponse | Problem): Answer {
  if (isProblem(answer)) {
    const errors = (answer.errors ?? []).map(({ field, reason }) => `${field} ${reason}`);
    return { status: 0, code: answer.code, errors, body: {}, headers: {}, problem: answer };
  }
  // A body that is text or bytes already is sent as it is.
  const text = Buffer.isBuffer(answer.body) ? answer.body.toString('utf8') : answer.body;
  const body = (typeof text === 'string' && text.startsWith('{') ? JSON.parse(text) : text) as Answer['body'];
  return {
    status: answer.status,
    code: undefined,
    errors: [],
    body,
    headers: answer.headers ?? {},
    problem: undefined,
  };
}

/** The worker behind the scripted workflows: it vouches for what they answer about the operation that asks. */
class Worker {
  operationId = '';

  constructor(private readonly sealer: Sealer) {}

  vouched({ workflowId: id, name }: Message, answer: unknown): unknown {
    const kind = id.startsWith('dep_') ? 'deposit' : 'withdrawal';
    if (name === 'deposit' || name === 'withdrawal') return this.#proven(name, answer as never);
    const said = answer as Partial<Record<'kind' | 'code' | 'snapshot', never>>;
    const { operationId } = this;
    if ((name === 'creation' || name === 'result') && said.kind === 'refused')
      return { ...said, proof: vouchForRefusal(this.sealer, kind, { id, operationId }, said.code ?? '') };
    if (name !== 'creation' || said.kind !== 'created') return answer;
    return {
      kind: 'created',
      ...this.#proven(kind, { ...(said.snapshot as unknown as object), id, operationId } as never),
    };
  }

  #proven(kind: PaymentKind, snapshot: Parameters<typeof vouchFor>[2]) {
    return { snapshot, proof: vouchFor(this.sealer, kind, snapshot) };
  }
}

/** The simulator's control interface: gives prepared answers, and runs what a test hooks in. */
export class FakeSteering implements SandboxSteering {
  readonly calls: string[] = [];
  answer: (call: string) => Promise<SteeringResult> | SteeringResult = () => ({ kind: 'done', endToEndId: 'E2E' });

  payCharge(...[provider, reference, payment]: Parameters<SandboxSteering['payCharge']>) {
    return this.#record(
      `pay ${provider} ${reference} ${payment.amountMinor ?? 'exact'} ${payment.payerDocument?.number ?? 'player'}`,
    );
  }
  reverseCharge(...[provider, reference, order]: Parameters<SandboxSteering['reverseCharge']>) {
    const { kind, amountMinor } = order;
    return this.#record(`${kind} ${provider} ${reference}${amountMinor === null ? '' : ` ${amountMinor}`}`);
  }
  settlePayout(...[provider, reference, result]: Parameters<SandboxSteering['settlePayout']>) {
    return this.#record(`${result} ${provider} ${reference}`);
  }
  findPayout(...[provider, reference, amountMinor]: Parameters<SandboxSteering['findPayout']>) {
    return this.#record(`find ${provider} ${reference} ${amountMinor}`);
  }

  reset(): void {
    this.calls.length = 0;
    this.answer = () => ({ kind: 'done', endToEndId: 'E2E' });
  }

  async #record(call: string): Promise<SteeringResult> {
    this.calls.push(call);
    return this.answer(call);
  }
}
