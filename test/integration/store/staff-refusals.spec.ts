// Acts of the command that belong to no payment: a person without a role for them is refused first, and neither the
// vault, Temporal nor a place of seals is asked for anything.
import assert from 'node:assert/strict';
import type { Actor } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import { closeDay } from '../../../staff/acts/days.js';
import { refreshOpen } from '../../../staff/acts/open-refresh.js';
import { exportMissingSeals } from '../../../staff/acts/seal-export.js';
import { makeFirstKeys, makeNextKeys, reseal, retire, rewrapKeys } from '../../../staff/acts/sealing.js';
import { importStatement } from '../../../staff/acts/statements.js';
import { moveOpen, promote } from '../../../staff/acts/worker-builds.js';
import { useStore } from './fixtures.js';

const never = () => assert.fail('asked');
const STATUS = { id: 'k1', sealed: {}, total: 0, lastUsedAt: null, olderWorkflowsOpen: 0, blocks: [] };

describe('store: acts of people without a role for them', () => {
  const fixture = useStore('once');
  let ana: Actor;
  before(async () => {
    ana = { handle: await ensureClaimedPerson(fixture.database, 'ana'), means: 'claim', sessionId: null };
    await fixture.database.staffRole.deleteMany({ where: { role: { not: 'auditor' } } });
  });

  const ACTS: Readonly<Record<string, () => Promise<{ readonly kind: string }>>> = {
    'first keys': () => makeFirstKeys({ database: fixture.database, withTransit: never }, ana, never),
    'further keys': () => makeNextKeys({ database: fixture.database, withTransit: never }, ana),
    'another wrapping': () => rewrapKeys({ database: fixture.database, withTransit: never }, ana),
    'values sealed anew': () => reseal({ database: fixture.database, sealer: never, onProgress: never }, ana),
    'a key retired': () => {
      const { database } = fixture;
      const services = { database, sealer: never, deployment: 'sandbox', wake: never } as const;
      return retire({ ...services, readStatus: () => Promise.resolve([STATUS]) }, ana, 'k1');
    },
    'a statement': () => importStatement(fixture.database, ana, { provider: 'a', day: '2026-11-23' }, []),
    'seals exported': () => exportMissingSeals(fixture.database, ana, null),
    'a day closed': () => {
      const { database, operationId } = fixture;
      return closeDay(database, ana, { operationId, currency: 'BRL', date: '2026-01-02' });
    },
    'open payments asked': () => refreshOpen({ database: fixture.database, withTemporal: never }, ana, never),
    'a build promoted': () => {
      const services = { database: fixture.database, withDeployment: never };
      return promote(services, ana, { buildId: '1', ramp: null, waitSeconds: 0 });
    },
    'payments moved': () =>
      moveOpen({ database: fixture.database, withDeployment: never }, ana, { from: '1', to: '2', ids: [] }),
  };
  for (const [what, act] of Object.entries(ACTS))
    it(`${what}: not permitted, and nothing on record`, async () => {
      assert.deepEqual(await act(), { kind: 'not_permitted' });
      assert.equal(await fixture.database.auditEntry.count(), 0);
    });
});
