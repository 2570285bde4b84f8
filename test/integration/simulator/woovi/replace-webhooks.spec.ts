// `gateway provider register-webhook --replace`: after a new secret every webhook at Woovi is made again and the old
// ones are removed, as the document has `POST` and `DELETE /webhook`.
import assert from 'node:assert/strict';
import { runWith } from '../../cli/support.js';
import { environmentFor } from '../harness.js';
import { type FakeWoovi, openFakeWoovi, type Say } from '../../../unit/providers/woovi/fake-woovi.js';

const EDGE = 'https://edge.example:8443';
const OURS = `${EDGE}/callbacks/a/events`;

interface Hook {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly authorization: string;
}

interface Answer {
  readonly kept: number;
  readonly registered: unknown[];
  readonly removed: unknown[];
}

describe('gateway provider register-webhook --replace, at Woovi', () => {
  let woovi: FakeWoovi;
  let hooks: Hook[];
  /** Of the webhook that Woovi does not remove. */
  let stays: string | null;
  before(async () => {
    woovi = await openFakeWoovi();
  });
  after(() => woovi.close());
  beforeEach(() => {
    [hooks, stays] = [[], null];
    woovi.requests.length = 0;
    woovi.says = {};
    listen();
  });

  /** Answers what is asked for, and forgets what is removed. */
  function listen(): void {
    const asked = () => woovi.requests.at(-1)!;
    const json =
      (what: () => unknown): Say =>
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(what()));
      };
    const remove =
      (id: string): Say =>
      (response) => {
        const isKept = id === stays;
        hooks = hooks.filter((one) => isKept || one.id !== id);
        response.writeHead(isKept ? 400 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isKept ? { error: 'Webhook not found' } : { status: 'OK' }));
      };
    woovi.says['GET /webhook'] = json(() => ({ webhooks: hooks.map((one) => ({ ...one, isActive: true })) }));
    woovi.says['POST /webhook'] = json(() => {
      const { webhook } = asked().body as { webhook: Omit<Hook, 'id'> };
      const made = { ...webhook, id: `V2Vi/${woovi.requests.length}==` };
      hooks.push(made);
      woovi.says[`DELETE /webhook/${encodeURIComponent(made.id)}`] = remove(made.id);
      return { webhook: made };
    });
  }

  const run = (secret: string, ...options: string[]) =>
    runWith(
      environmentFor('http://127.0.0.1:1', {
        PROVIDER_A_DIALECT: 'woovi',
        PROVIDER_A_URL: woovi.url,
        PROVIDER_A_CLIENT_ID: undefined,
        PROVIDER_A_CALLBACK_SECRET: secret,
        PROVIDER_A_CALLBACK_KEYS_URL: `${woovi.url}/keys`,
      }),
      ['provider', 'register-webhook', 'a', '--edge', EDGE, ...options],
    );
  const json = async (secret: string, ...options: string[]): Promise<Answer> => {
    const { stdout, stderr } = await run(secret, ...options);
    assert.ok(stdout !== '', stderr);
    assert.ok(!stdout.includes(secret), 'no secret is printed');
    return JSON.parse(stdout) as Answer;
  };
  const OLD = 'the old secret of callbacks';
  const NEW = 'the new secret of callbacks';
  const secretsAt = (url: string) => [
    ...new Set(hooks.filter((one) => one.url === url).map((one) => one.authorization)),
  ];

  it('all are made again with the secret of now; the old ones are gone, others stay', async () => {
    await json(OLD);
    hooks.push({ id: 'x', event: hooks[0]!.event, url: 'https://other.example/hook', authorization: 'theirs' });
    assert.equal((await json(NEW)).kept, 13, 'what is registered is known by event and address');
    const { kept, registered, removed } = await json(NEW, '--replace');
    assert.deepEqual([kept, registered.length, removed.length, hooks.length], [0, 13, 13, 14]);
    assert.deepEqual(secretsAt(OURS), [NEW]);
    const firstRemoval = woovi.requests.findIndex(({ method }) => method === 'DELETE');
    assert.ok(
      woovi.requests.slice(firstRemoval).every(({ method }) => method === 'DELETE'),
      'first anew, then away',
    );
  });

  it('a list that answers every page with the first one is not believed to be whole: nothing is changed', async () => {
    await json(OLD);
    const webhooks = [{ id: 'y', event: 'OTHER', url: 'https://other.example/hook', isActive: true }];
    woovi.says['GET /webhook'] = { json: { webhooks, pageInfo: { hasNextPage: true } } };
    const { exitCode, stderr } = await run(NEW, '--replace');
    assert.equal(exitCode, 1);
    assert.match(stderr, /the registered webhooks are unknown \(more_webhooks_than_can_be_read\); nothing was changed/);
    assert.deepEqual(secretsAt(OURS), [OLD]);
  });

  it('an old one that stays is named; the same command again ends it', async () => {
    await json(OLD);
    stays = hooks[3]!.id;
    const { exitCode, stderr } = await run(NEW, '--replace');
    assert.equal(exitCode, 1);
    assert.match(stderr, new RegExp(`${hooks[0]!.event}: the new one is registered, the old one is not removed`));
    stays = null;
    await json(NEW, '--replace');
    assert.deepEqual([hooks.length, secretsAt(OURS)], [13, [NEW]]);
  });
});
