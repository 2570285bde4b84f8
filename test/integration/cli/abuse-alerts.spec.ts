// An alert of abuse, in production: nobody ends the alert that is about them, by whatever session.
import assert from 'node:assert/strict';
import { createTestGateway, productionVariables, type TestGateway } from './support.js';

describe('alerts of abuse', function () {
  this.timeout(30_000);
  let gateway: TestGateway;
  before(async () => {
    gateway = await createTestGateway(productionVariables());
  });
  after(() => gateway.close());

  it('attack 52: the session that broke the glass cannot resolve its own alert, nor can another of the person', async () => {
    const [ana, ben] = [await gateway.signedIn('ana'), await gateway.signedIn('ben')];
    await ana.json('staff', 'break-glass', '--ticket', 'INC-1', '--reason', 'the panel is down');
    const [alert] = (await ben.json('alerts'))['alerts'];
    assert.equal(alert.kind, 'BREAK_GLASS');
    await ana.fails(1, /it is about you; another person resolves it/, 'alerts', 'resolve', alert.id);
    const signedInAgain = await gateway.signedIn('ana');
    await signedInAgain.fails(1, /it is about you; another person resolves it/, 'alerts', 'resolve', alert.id);
    assert.equal((await ben.json('alerts'))['alerts'][0].resolved_at, null);
    await ben.json('alerts', 'resolve', alert.id);
    const resolved = await gateway.rows('SELECT resolved_by FROM alert WHERE id = $1', alert.id);
    assert.deepEqual(resolved, [{ resolved_by: 'ben' }]);
  });
});
