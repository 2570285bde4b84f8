// The whole route table in production: the sandbox does not exist there, whatever is asked of it.
import assert from 'node:assert/strict';
import { createRouteMatcher } from '../../../api/middleware/request.js';
import { ROUTES } from '../../../contract/http/routes.js';

describe('routes in production', () => {
  const [sandbox, production] = [createRouteMatcher(ROUTES, 'sandbox'), createRouteMatcher(ROUTES, 'production')];

  for (const { method, path } of ROUTES) {
    const target = `/v1${path.replaceAll(/:[a-z_]+/g, 'x')}`;
    const isSandbox = path.startsWith('/sandbox/');
    it(`${method} ${path}: ${isSandbox ? 'an unknown path, with every method' : 'served'}`, () => {
      assert.equal(sandbox(method, target).kind, 'route');
      // An unknown path is 404 by check 12: before the Idempotency-Key, the query and the body are looked at.
      if (isSandbox)
        for (const asked of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
          assert.deepEqual(production(asked, target), { kind: 'unknown_path', prefix: 'once' });
      else assert.equal(production(method, target).kind, 'route');
    });
  }
});
