// `gateway provider pause|resume`: one person stops what goes to a provider; in production two let it go again.
import assert from 'node:assert/strict';
import { createTestGateway, productionVariables, type TestGateway } from './support.js';

const requestOf = ({ requests }: { requests?: { id: string }[] }) => requests?.[0]?.id ?? '';

describe('pausing a provider', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.close());

  it('production: paused by one, resumed by two; a pause outlasts a request that was made before it', async () => {
    gateway = await createTestGateway(productionVariables());
    const [ana, ben] = [await gateway.signedIn('ana'), await gateway.signedIn('ben')];
    assert.deepEqual(await ana.json('provider', 'pause', 'b', '--reason', 'an incident'), {
      provider: 'b',
      provider_status: 'paused',
    });
    const pauses = async () => (await ana.json('provider', 'pauses'))['pauses'] as Record<string, string>[];
    const [{ paused_by, reason } = {}] = await pauses();
    assert.deepEqual([paused_by, reason], ['ana', 'an incident']);
    const [first, ofAnother] = [await ana.json('provider', 'resume', 'b'), await ana.json('provider', 'resume', 'a')];
    assert.equal(first['provider_status'], 'paused');
    await ben.json('provider', 'pause', 'b', '--reason', 'still');
    await ben.fails(1, /was rejected before by ben/, 'request', 'approve', requestOf(first));
    const second = await ana.json('provider', 'resume', 'b');
    await ana.fails(1, /another person must approve it/, 'request', 'approve', requestOf(second));
    assert.equal((await ben.json('request', 'approve', requestOf(second)))['provider_status'], 'active');
    assert.deepEqual(await pauses(), []);
    // The pause of b left it alone.
    assert.equal((await ben.json('request', 'approve', requestOf(ofAnother)))['provider'], 'a');
    const entries = await gateway.rows(
      `SELECT person, action, subject FROM audit_entry WHERE action LIKE 'provider.%' ORDER BY sequence`,
    );
    assert.deepEqual(
      entries.map(({ person, action, subject }) => [person, action, subject === 'b']),
      [
        ['ana', 'provider.pause', true],
        ['ana', 'provider.resume_request', false],
        ['ana', 'provider.resume_request', false],
        ['ben', 'provider.pause', true],
        ['ana', 'provider.resume_request', false],
      ],
    );
  });

  it('the sandbox takes one person; a pause without a reason, or of no slot, is refused', async () => {
    gateway = await createTestGateway();
    const by = (...argv: string[]) => gateway.json('provider', ...argv, '--as', 'ana');
    await by('pause', 'a', '--reason', 'a drill');
    assert.equal((await by('resume', 'a'))['provider_status'], 'active');
    assert.equal((await gateway.rows('SELECT 1 FROM approval_request')).length, 0);
    await gateway.fails(2, /--reason/, 'provider', 'pause', 'a', '--as', 'ana');
    await gateway.fails(2, /SLOT/, 'provider', 'pause', 'c', '--reason', 'x', '--as', 'ana');
  });
});
