// One table says what a refusal means for the payment. Every consumer of it says the same: error pages, contract,
// guide, the client's README and the client itself. test/integration/stack/verdicts.spec.ts holds the table against
// the real api.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatewayClient, type GatewayClient, ProblemError } from '../../client/index.js';
import { verdictOf } from '../../client/repetition.js';
import { errorPage } from '../../api/reference/files.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { codesOf } from '../../contract/http/route.js';
import { ERROR_CODES, ERRORS } from '../../contract/http/errors.js';
import { openApiDocument } from '../../contract/http/openapi.js';
import { ROUTES, type RouteName } from '../../contract/http/routes.js';
import {
  ANSWER_NAMES,
  type AnswerName,
  answerNameOf,
  codeOfAnswer,
  ENDPOINT_KINDS,
  type EndpointKind,
  endpointKindOf,
  statusOfAnswer,
  VERDICT_TABLE,
  VERDICTS,
} from '../../contract/http/verdicts.js';
import { CLIENT_CALLS } from '../../tools/docs/client-calls.js';
import { CLIENT_VERDICTS } from '../../tools/docs/client-verdicts.js';
import { problem, startStandIn, STAND_IN_KEY } from '../unit/client/stand-in-gateway.js';

const KINDS = Object.keys(ENDPOINT_KINDS) as EndpointKind[];
const read = (path: string) => readFileSync(join(projectRoot(), path), 'utf8');
/** Fields that an answer of that row names. */
const FIELDS: Partial<Record<AnswerName, readonly string[]>> = {
  validation_failed_body: ['amount'],
  validation_failed_other: ['Idempotency-Key'],
  validation_failed_too_large: [''],
};
const answered = (name: AnswerName, kind: EndpointKind) =>
  codeOfAnswer(name) === 'not_found' ||
  ROUTES.some((route) => endpointKindOf(route) === kind && codesOf(route).includes(codeOfAnswer(name)));

describe('the table of verdicts', () => {
  it('has a row for every code', () =>
    assert.deepEqual([...new Set(ANSWER_NAMES.map(codeOfAnswer))].sort(), [...ERROR_CODES].sort()));

  it('says "repeat" exactly where an answer is retryable', () => {
    for (const name of ANSWER_NAMES)
      for (const kind of KINDS)
        assert.equal(VERDICT_TABLE[name][kind] === 'repeat', ERRORS[codeOfAnswer(name)].retryable, `${name} ${kind}`);
  });

  it('decides payments only on creations, and only by 400 and 422 that a creation answers', () => {
    for (const name of ANSWER_NAMES) {
      for (const kind of KINDS.filter((one) => VERDICT_TABLE[name][one] === 'payment_decided')) {
        assert.deepEqual(
          [kind, [400, 422].includes(statusOfAnswer(name)), answered(name, 'create')],
          ['create', true, true],
          name,
        );
      }
    }
  });

  it('never lets a reserve go by 401, 403, 404, 413, a reused key or a used external_id', () => {
    const never = ANSWER_NAMES.filter(
      (name) =>
        [401, 403, 404, 413].includes(statusOfAnswer(name)) ||
        name === 'idempotency_key_reused' ||
        name === 'duplicate_external_id',
    );
    assert.equal(never.length, 11);
    for (const name of never)
      for (const kind of KINDS) assert.notEqual(VERDICT_TABLE[name][kind], 'payment_decided', name);
  });

  it('promises a payment only where an endpoint of that kind answers so', () => {
    for (const name of ANSWER_NAMES)
      for (const kind of KINDS)
        if (VERDICT_TABLE[name][kind] === 'payment_exists') assert.ok(answered(name, kind), `${name} ${kind}`);
  });
});

describe('what is written from the table of verdicts, and from the routes', () => {
  for (const [path, text] of Object.entries({ ...CLIENT_VERDICTS, ...CLIENT_CALLS })) {
    it(`${path} is up to date (otherwise run npm run docs)`, () => assert.equal(read(path), text()));
  }

  const introduction = String(openApiDocument(ROUTES, { environment: 'sandbox' }).info.description);
  const creationRows = (text: string) =>
    text.split('\n').filter((line) => /^(\* \*\*|\| `(payment_|nothing_|repeat))/.test(line));

  for (const name of ANSWER_NAMES) {
    const code = codeOfAnswer(name);
    const status = statusOfAnswer(name);
    it(`${name}: the client, its page, the contract, the guide and the README agree`, () => {
      const page = errorPage(code);
      const guide = read('docs/integrating.md');
      const marker = `${status} \`${code}\``;
      for (const kind of KINDS) {
        const verdict = VERDICT_TABLE[name][kind];
        const errors = (FIELDS[name] ?? []).map((field) => ({ field }));
        assert.equal(answerNameOf(code, status, errors), name);
        assert.equal(
          verdictOf({ status, code, retryable: ERRORS[code].retryable, errors }, kind),
          verdict,
          `client: ${kind}`,
        );
        if (answered(name, kind))
          assert.ok(
            page.includes(`data-endpoint="${kind}" data-verdict="${verdict}">${VERDICTS[verdict].title}<`),
            `page: ${kind}`,
          );
      }
      const row = guide
        .split('\n')
        .filter((line) => line.startsWith(`| ${marker}`))
        .find((line) => name !== 'validation_failed_other' || line.includes('header'));
      if (KINDS.some((kind) => answered(name, kind))) {
        assert.deepEqual(
          row
            ?.split('|')
            .slice(2, 6)
            .map((cell) => cell.trim()),
          KINDS.map((kind) => (answered(name, kind) ? `\`${VERDICT_TABLE[name][kind]}\`` : '–')),
        );
      }
      if (!answered(name, 'create')) return;
      const { title } = VERDICTS[VERDICT_TABLE[name].create];
      for (const [where, text] of [
        ['contract', introduction],
        ['guide', guide],
        ['README', read('client/README.md')],
      ] as const) {
        const naming = creationRows(text).filter((line) => line.includes(marker));
        assert.ok(
          naming.some((line) => line.includes(title)),
          `${where}: ${title}`,
        );
        if (code !== 'validation_failed') assert.equal(naming.length, 1, where);
      }
    });
  }

  it('no page calls a refusal that decides no payment a decision', () => {
    for (const code of ERROR_CODES) assert.doesNotMatch(errorPage(code), /decision: do not repeat/);
    for (const path of ['docs/integrating.md', 'client/README.md'])
      assert.doesNotMatch(read(path), /any other 4xx \| a decision/);
  });

  it('every page says what brings the error about and what to do', () => {
    for (const code of ERROR_CODES)
      assert.match(
        errorPage(code),
        /<h2>What brings it about<\/h2>\n<ul>\n<li>.{20,}[\s\S]*<h2>What to do<\/h2>\n<p>.{7,}<\/p>/,
      );
  });
});

/** A call of the client for every route that it has. */
const CALLS: Partial<Record<RouteName, (client: GatewayClient) => Promise<unknown>>> = {
  ping: (client) => client.ping(),
  listCurrencies: (client) => client.currencies(),
  listBalances: (client) => client.balances(),
  getPlayerLimits: (client) => client.playerLimits('p', 'BRL'),
  listEvents: (client) => client.listEvents(),
  getReconciliation: (client) => client.reconciliation({ date: '2026-01-01', currency: 'BRL' }),
  getRules: (client) => client.rules(),
  proposeRuleChange: (client) =>
    client.requestRuleChange({ rules: { version: 1, currencies: {} }, justification: 'x' }, { ...KEY, ifMatch: '"1"' }),
  createDeposit: (client) => client.createDeposit({} as never, KEY),
  listDeposits: (client) => client.listDeposits(),
  getDeposit: (client) => client.getDeposit('dep_1'),
  cancelDeposit: (client) => client.cancelDeposit('dep_1', KEY),
  createWithdrawal: (client) => client.createWithdrawal({} as never, KEY),
  listWithdrawals: (client) => client.listWithdrawals(),
  getWithdrawal: (client) => client.getWithdrawal('wdr_1'),
  cancelWithdrawal: (client) => client.cancelWithdrawal('wdr_1', KEY),
  recallWithdrawal: (client) => client.recallWithdrawal('wdr_1', { reason_code: 'other' }, KEY),
  sandboxPayDeposit: (client) => client.sandbox.payDeposit('dep_1', KEY),
  sandboxExpireDeposit: (client) => client.sandbox.expireDeposit('dep_1', KEY),
  sandboxRefundDeposit: (client) => client.sandbox.refundDeposit('dep_1', KEY),
  sandboxChargeBackDeposit: (client) => client.sandbox.chargebackDeposit('dep_1', KEY),
  sandboxReverseDepositInPart: (client) =>
    client.sandbox.reverseDepositInPart('dep_1', { kind: 'refund', amount: { amount: '1', currency: 'BRL' } }, KEY),
  sandboxReviewDeposit: (client) => client.sandbox.reviewDeposit('dep_1', 'approve', KEY),
  sandboxActOnWithdrawal: (client) => client.sandbox.withdrawal('wdr_1', 'pay', KEY),
  sandboxSetOutage: (client) => client.sandbox.outage(true, KEY),
  sandboxListWebhooks: (client) => client.sandbox.webhookDeliveries(),
  sandboxGetClock: (client) => client.sandbox.clock(),
  sandboxSetClock: (client) => client.sandbox.setClock({ advance_seconds: 60 }, KEY),
  sandboxCloseDay: (client) => client.sandbox.closeDay('2026-11-21', KEY),
  listRequests: (client) => client.requests({ refused: true }),
  listWebhookDeliveries: (client) => client.webhookDeliveries(),
  redeliverWebhook: (client) => client.redeliver('evt_1', KEY),
  sandboxReceiveWebhooks: (client) => client.sandbox.receiveWebhooks(),
  sandboxRedeliverWebhook: (client) => client.sandbox.redeliver('evt_1', KEY),
};
const KEY = { idempotencyKey: 'verdicts-of-the-client' };

describe('the client’s calls', () => {
  // Told apart by them: a creation decides, an act finds, anything else says nothing.
  const TOLD_BY: Record<EndpointKind, string> = {
    create: 'payment_decided',
    act: 'payment_exists',
    other_post: 'nothing_known',
    read: 'nothing_known',
  };
  for (const route of ROUTES.filter(({ name }) => Object.hasOwn(CALLS, name))) {
    it(`${route.name}: ${endpointKindOf(route)}`, async () => {
      const standIn = await startStandIn([problem(422, 'document_invalid')]);
      const client = createGatewayClient({ baseUrl: standIn.baseUrl, ...STAND_IN_KEY });
      try {
        const error = await CALLS[route.name]!(client).then(
          () => undefined,
          (refusal: unknown) => refusal,
        );
        assert.ok(error instanceof ProblemError);
        assert.equal(error.verdict, TOLD_BY[endpointKindOf(route)]);
        assert.equal(error.conclusive, endpointKindOf(route) === 'create');
        assert.deepEqual([standIn.seen[0]?.method, standIn.seen[0]?.fault], [route.method, null]);
      } finally {
        await client.close();
        await standIn.close();
      }
    });
  }

  it('are of every route but those that are not served, and the document', () => {
    assert.deepEqual(
      ROUTES.map(({ name }) => name).filter((name) => !Object.hasOwn(CALLS, name)),
      ['getOpenApi', 'createFxQuote', 'getFxQuote', 'listReceipts', 'getReceipt', 'sandboxReceiveTransfer'],
    );
  });
});
