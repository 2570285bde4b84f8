// The guide's bodies and the reference's code samples, run against the whole gateway: what integrators copy works as
// it stands.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../../platform/config/project-root.js';
import { codeSamplesOf } from '../../../../contract/http/code-samples.js';
import type { RouteDefinition } from '../../../../contract/http/route.js';
import { type RouteName, ROUTES } from '../../../../contract/http/routes.js';
import { newDeposit, once } from '../../../../lab/harness/payments.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';
import { type Answer, send, sign } from '../../api-pipeline/harness.js';

const guide = readFileSync(join(projectRoot(), 'docs', 'integrating.md'), 'utf8');
const isThere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

export const guideTests = (openStack: OpenStack) =>
  describe('the guide and the reference, run against the whole gateway', function () {
    this.timeout(120_000);
    let stack: Stack;
    before(async () => {
      stack = await openStack();
    });
    after(() => stack?.close());

    const key = () => ({
      keyId: stack.operation.key_id,
      secret: stack.operation.secret,
      operationId: stack.operation.operation_id,
    });
    const port = () => Number(new URL(stack.baseUrl).port);

    describe('bodies', () => {
      /** The text between the fences, byte for byte, by the path above it. */
      const bodies = new Map(
        [...guide.matchAll(/^`POST (\S+)`[^\n]*\n\n```json\n([\s\S]*?)\n```$/gm)].map(
          ([, path = '', body = '']) => [path, body] as const,
        ),
      );
      const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
        send(
          port(),
          sign({
            key: key(),
            method: 'POST',
            target: `/v1${path}`,
            body,
            headers: { 'Idempotency-Key': once().idempotencyKey, ...headers },
          }),
        );
      const text = (path: string) => bodies.get(path) ?? assert.fail(`the guide has no body for POST ${path}`);
      const tried = new Set<string>();
      const run = async (
        path: string,
        expected: readonly [status: number, code?: string],
        id = '',
        headers: Record<string, string> = {},
      ) => {
        tried.add(path);
        const answer = await post(path.replace('{id}', id), text(path), headers);
        assert.deepEqual([answer.status, answer.code], [expected[0], expected[1]], answer.text);
        return answer.json as { id: string; status: string };
      };

      it('every route with a body that has an example is there', () => {
        const withExample = (ROUTES as readonly RouteDefinition[]).filter(
          ({ method, body }) =>
            method === 'POST' &&
            body !== undefined &&
            body !== 'none' &&
            Object.keys((body.meta()?.['example'] as object | undefined) ?? {}).length > 0,
        );
        assert.deepEqual(
          [...bodies.keys()].sort(),
          withExample.map(({ path }) => path.replaceAll(/:([a-z_]+)/g, '{$1}')).sort(),
        );
        assert.equal(bodies.size, 11);
      });

      it('a deposit, paid, then a withdrawal and its recall', async () => {
        const deposit = await run('/deposits', [201]);
        assert.equal(deposit.status, 'pending');
        await stack.client.sandbox.payDeposit(deposit.id, once());
        await stack.receiver.waitFor(deposit.id, 'deposit.paid', 20_000);
        const withdrawal = await run('/withdrawals', [201]);
        await run('/withdrawals/{id}/recall', [409, 'invalid_state_transition'], withdrawal.id);
      });

      it('a payment by somebody else', async () => {
        const { id } = (await stack.client.createDeposit(newDeposit('5000'), once())).body;
        await run('/sandbox/deposits/{id}/pay', [200], id);
        await stack.receiver.waitFor(id, 'deposit.under_review', 20_000);
        assert.deepEqual((await stack.client.getDeposit(id)).body.review_reasons, ['PAYER_MISMATCH']);
      });

      it('a change of rules, with the ETag that it was read with', async () => {
        const { headers } = await stack.client.rules();
        await run('/rules/change-requests', [202], '', { 'If-Match': String(headers['etag']) });
      });

      it('an event once more, and a bank transfer', async () => {
        await run('/sandbox/webhooks/redeliver', [404, 'not_found']);
        await run('/webhook-deliveries/redeliver', [404, 'not_found']);
        const [event] = (await stack.client.listEvents()).body.data;
        assert.equal(
          (
            await post(
              '/sandbox/webhooks/redeliver',
              text('/sandbox/webhooks/redeliver').replace(/evt_[0-9a-f]+/, event!.id),
            )
          ).status,
          200,
        );
        await run('/sandbox/bank-transfers/incoming', [400, 'rail_not_enabled']);
      });

      it('a part of a payment goes back: it is in the balance, and the deposit stays paid', async () => {
        const { id } = (await stack.client.createDeposit(newDeposit('5000'), once())).body;
        await stack.client.sandbox.payDeposit(id, once());
        await stack.receiver.waitFor(id, 'deposit.paid', 20_000);
        const available = async () =>
          BigInt(
            (await stack.client.balances()).body.data.find(({ available: one }) => one.currency === 'BRL')!.available
              .amount,
          );
        const before = await available();
        const path = '/sandbox/deposits/{id}/partial-reversal';
        tried.add(path);
        const answer = await post(path.replace('{id}', id), text(path));
        assert.deepEqual([answer.status, answer.json?.['status']], [200, 'paid']);
        await eventually(async () => (await available()) === before - 1_000n, 'the part has left the balance');
      });

      it('an outage', async () => {
        await run('/sandbox/outage', [200]);
        assert.equal((await send(port(), sign({ key: key() }))).code, 'service_unavailable');
        await stack.client.sandbox.outage(false, once());
      });

      it('a day later, by the clock of an operation of its own', async () => {
        const other = await openStack();
        const path = '/sandbox/clock';
        tried.add(path);
        const { key_id: keyId, secret, operation_id: operationId } = other.operation;
        const headers = { 'Idempotency-Key': once().idempotencyKey };
        const signed = sign({
          ...{ key: { keyId, secret, operationId }, method: 'POST', target: `/v1${path}` },
          ...{ body: text(path), headers },
        });
        const { status, json } = await send(port(), signed);
        await other.close();
        assert.deepEqual([status, json?.['frozen']], [200, true]);
      });

      it('were all tried', () => assert.deepEqual([...tried].sort(), [...bodies.keys()].sort()));
    });

    it('the type of a refusal leads to a page that says cause and next step', async () => {
      const { json } = await send(port(), { ...sign({ key: key() }), headers: {} });
      assert.equal(json?.['code'], 'unknown_key');
      const page = await fetch(new URL(new URL(String(json?.['type'])).pathname, stack.baseUrl));
      assert.equal(page.status, 200);
      assert.match(await page.text(), /What brings it about[\s\S]*What to do[\s\S]*What it says about the payment/);
    });

    describe('the quickstart', () => {
      const page = readFileSync(join(projectRoot(), 'docs', 'quickstart.md'), 'utf8');
      for (const [language, file, program] of [
        ['js', 'quickstart.mjs', process.execPath],
        ['python', 'quickstart.py', 'python3'],
      ] as const)
        it(`${language}: makes a deposit and pays it`, async function () {
          if (!isThere(program, '--version')) this.skip();
          const code =
            new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``).exec(page)?.[1] ?? assert.fail('no block');
          const [path, sandbox] = [join(stack.folder, file), join(stack.folder, 'quickstart.json')];
          writeFileSync(path, code);
          writeFileSync(sandbox, JSON.stringify({ base_url: stack.baseUrl, operation: stack.operation }));
          const env = { ...process.env, SANDBOX: sandbox };
          const { stdout } = await promisify(execFile)(program, [path], { env, timeout: 60_000 });
          assert.match(stdout, /^pending 000201.+\npaid version 3\n$/);
        });
    });

    describe('code samples', () => {
      const sample = (name: RouteName, lang: string) =>
        codeSamplesOf(ROUTES.find((route) => route.name === name) as RouteDefinition).find((one) => one.lang === lang)
          ?.source ?? '';
      const variables = () => ({
        ...process.env,
        BASE: new URL(stack.baseUrl).origin,
        KEY_ID: stack.operation.key_id,
        SECRET: stack.operation.secret,
      });
      const RUN: Readonly<Record<string, readonly [file: string, command: readonly string[], isThere: () => boolean]>> =
        {
          Shell: ['sample.sh', ['sh'], () => isThere('curl', '--version') && isThere('openssl', 'version')],
          Python: ['sample.py', ['python3'], () => isThere('python3', '--version')],
          JavaScript: ['sample.mjs', [process.execPath], () => true],
          Go: ['sample.go', ['go', 'run'], () => isThere('go', 'version')],
          Java: ['Sample.java', ['java'], () => isThere('java', '-version')],
        };
      for (const [lang, [file, [program = '', ...args], isInstalled]] of Object.entries(RUN)) {
        it(`${lang}: a signed GET with a query, and a POST with a body`, async function () {
          if (!isInstalled()) this.skip();
          const run = async (source: string) => {
            const path = join(stack.folder, file);
            writeFileSync(path, source);
            return (await promisify(execFile)(program, [...args, path], { env: variables(), timeout: 60_000 })).stdout;
          };
          assert.match(await run(sample('ping', lang)), /"ok":true/);
          assert.match(await run(sample('getPlayerLimits', lang)), /"player_ref":"player-1001"|not_found/);
          assert.match(
            await run(sample('createDeposit', lang).replaceAll('order-20261121-0001', `sample-${lang}`)),
            /"status":"pending"/,
          );
        });
      }

      it('no two routes share an Idempotency-Key, and all languages of a route have the same', () => {
        const keys = (ROUTES as readonly RouteDefinition[])
          .filter(({ method }) => method === 'POST')
          .map((route) =>
            codeSamplesOf(route).map(({ source }) => /Idempotency-Key\W+([A-Za-z0-9_.:-]{16,128})\W/.exec(source)?.[1]),
          );
        for (const ofRoute of keys) assert.deepEqual(ofRoute, Array(5).fill(ofRoute[0]));
        assert.equal(new Set(keys.flat()).size, keys.length);
      });

      for (const route of (ROUTES as readonly RouteDefinition[]).filter(({ access }) => access !== 'public')) {
        it(`${route.name}: signed with the method, the path and the body that its route takes`, () => {
          const { source } = codeSamplesOf(route).find(({ lang }) => lang === 'Shell')!;
          const target = /TARGET='([^']+)'/.exec(source)?.[1] ?? '';
          const [path = '', query = ''] = target.split('?');
          assert.match(path, new RegExp(`^/v1${route.path.replaceAll(/:[a-z_]+/g, '[A-Za-z0-9_.-]+')}$`));
          if (route.params?.['id'] !== undefined)
            assert.match(path.split('/').find((part) => /^(dep|wdr|fxq|rcv)_/.test(part)) ?? '', route.params['id']);
          if (route.query !== undefined)
            assert.ok(route.query.safeParse(Object.fromEntries(new URLSearchParams(query))).success, target);
          const body = /BODY='([^']*)'/.exec(source)?.[1] ?? '';
          if (body !== '') assert.ok(typeof route.body === 'object' && route.body.safeParse(JSON.parse(body)).success);
          assert.equal(source.includes("-H 'Idempotency-Key: "), route.method === 'POST');
        });
      }
    });
  });
