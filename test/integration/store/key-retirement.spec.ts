// A sealing key is retired for good by two people in production, and only while nothing needs it: asked again when the
// second person approves.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { KeyStatus } from '../../../store/sealing/key-use.js';
import type { Actor } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import { decideRequest } from '../../../staff/acts/requests.js';
import { retire } from '../../../staff/acts/sealing.js';
import { useStore } from './fixtures.js';

const FREE: KeyStatus = { id: 'v1', sealed: {}, total: 0, lastUsedAt: null, olderWorkflowsOpen: 0, blocks: [] };
const IN_USE: KeyStatus = { ...FREE, blocks: ['seals_values'] };

describe('store: a sealing key is retired', () => {
  const fixture = useStore();
  let [ana, ben] = [] as unknown as [Actor, Actor];
  beforeEach(async () => {
    [ana, ben] = [await signedIn('ana'), await signedIn('ben')];
    await fixture.database.dataKey.create({
      data: { id: 'v1', purpose: 'payments', wrapped: 'vault:v1:AAAA', activeFrom: new Date() },
    });
  });

  async function signedIn(person: string): Promise<Actor> {
    const handle = await ensureClaimedPerson(fixture.database, person);
    const sessionId = `ses_${person}`;
    const tokenHash = Uint8Array.from(randomBytes(32));
    const session = { id: sessionId, tokenHash, staffHandle: handle, means: 'command_line' };
    await fixture.database.staffSession.create({ data: session });
    return { handle, means: 'command_line', sessionId };
  }
  const services = (deployment: 'sandbox' | 'production', status: KeyStatus) => ({
    database: fixture.database,
    sealer: () => assert.fail('no key is needed'),
    deployment,
    wake: () => assert.fail('nothing waits for it'),
    readStatus: async () => [status],
    retirementBlocks: async () => status.blocks,
  });
  const ask = (status = FREE, deployment: 'sandbox' | 'production' = 'production') =>
    retire(services(deployment, status), ana, 'v1');
  const approve = (requestId: string, by: Actor, status = FREE) =>
    decideRequest(services('production', status), by, { requestId, decision: 'approve' });
  const isRetired = async () => (await fixture.database.dataKey.findFirstOrThrow()).retiredAt !== null;
  const requested = async () => {
    const outcome = await ask();
    assert.equal(outcome.kind, 'requested');
    return outcome.kind === 'requested' ? outcome.request.id : '';
  };

  it('in production by two people: not by one, and not twice by the same', async () => {
    const id = await requested();
    assert.equal(await isRetired(), false);
    assert.equal((await approve(id, ana)).kind, 'same_person');
    assert.equal(await isRetired(), false);
    assert.equal((await approve(id, ben)).kind, 'approved');
    assert.equal(await isRetired(), true);
    const entries = await fixture.database.auditEntry.findMany({ orderBy: { sequence: 'asc' } });
    assert.deepEqual(
      entries.map(({ person, action }) => [person, action]),
      [
        ['ana', 'sealing.retire_request'],
        ['ben', 'request.approve'],
      ],
    );
  });

  it('not while something needs it, when it is asked for and when it is approved', async () => {
    assert.deepEqual(await ask(IN_USE), { kind: 'key_in_use', blocks: ['seals_values'] });
    assert.deepEqual(await ask({ ...FREE, id: 'v2' }), { kind: 'no_such_key' });
    const id = await requested();
    assert.deepEqual(await approve(id, ben, IN_USE), { kind: 'key_in_use', blocks: ['seals_values'] });
    assert.equal(await isRetired(), false);
  });

  it('in a sandbox by one person, at once', async () => {
    assert.deepEqual(await ask(FREE, 'sandbox'), { kind: 'done' });
    assert.equal(await isRetired(), true);
  });
});
