// Where webhooks may go: literal addresses in every spelling, names, and the connected socket itself.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import {
  assertAllowedTarget,
  createEgressAgent,
  ForbiddenTargetError,
  isAllowedAddress,
} from '../../../activities/webhooks/egress.js';

const INSIDE = [
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::FFFF:169.254.169.254',
  '64:ff9b::a00:1',
  '::ffff:a00:1',
  '::10.0.0.1',
  '::ffff:0:a00:1',
  '64:ff9b:1::a00:1',
  '2002:a00:1::',
  '2001:0:a00:1::',
  '2001:db8::1',
  'fec0::1',
  '4000::1',
  '100::1',
];
const LOOPBACK = ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'];
const OUTSIDE = [
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.0',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
];

const NONE = new BlockList();
const rulesOf = (environment: 'sandbox' | 'production', sandboxNetworks = NONE) => ({ environment, sandboxNetworks });

describe('egress of webhooks', () => {
  for (const environment of ['production', 'sandbox'] as const) {
    for (const address of INSIDE)
      it(`${environment}: ${address} → refused`, () =>
        assert.equal(isAllowedAddress(address, rulesOf(environment)), false));
    for (const address of OUTSIDE)
      it(`${environment}: ${address} → allowed`, () =>
        assert.equal(isAllowedAddress(address, rulesOf(environment)), true));
    for (const address of LOOPBACK)
      it(`${environment}: ${address} → ${environment === 'sandbox' ? 'allowed' : 'refused'}`, () =>
        assert.equal(isAllowedAddress(address, rulesOf(environment)), environment === 'sandbox'));
    for (const nonsense of ['', 'localhost', '10.0.0', '1.2.3.4.5'])
      it(`${environment}: "${nonsense}" is no address → refused`, () =>
        assert.equal(isAllowedAddress(nonsense, rulesOf(environment)), false));

    // A URL's parser makes one address of all of these.
    for (const host of [
      '10.0.0.1',
      '0xa.0.0.1',
      '167772161',
      '012.0.0.1',
      '[::ffff:10.0.0.1]',
      '[fd00::1]',
      '169.254.169.254',
    ]) {
      it(`${environment}: https://${host}/ → refused before anything is sent`, () =>
        assert.rejects(
          assertAllowedTarget(new URL(`https://${host}/hooks`), rulesOf(environment)),
          ForbiddenTargetError,
        ));
    }
  }

  it('production: http → refused, whatever the host', () =>
    assert.rejects(assertAllowedTarget(new URL('http://8.8.8.8/'), rulesOf('production')), ForbiddenTargetError));
  it('a resolver that never answers is waited for as long as the delivery may take, and no longer', async () => {
    const never = () => new Promise<string[]>(() => undefined);
    await assert.rejects(
      assertAllowedTarget(new URL('https://hooks.example/'), rulesOf('production'), AbortSignal.timeout(20), never),
      { name: 'TimeoutError' },
    );
  });
  it('production: a name that resolves inside → refused', () =>
    assert.rejects(assertAllowedTarget(new URL('https://localhost/'), rulesOf('production')), ForbiddenTargetError));
  it('a name that resolves to nothing → refused', () =>
    assert.rejects(
      assertAllowedTarget(new URL('https://hooks.example/'), rulesOf('production'), undefined, async () => []),
      ForbiddenTargetError,
    ));

  it('a refusal is known by its name', () => assert.equal(new ForbiddenTargetError('').name, 'ForbiddenTargetError'));

  it('a receiver that refuses the connection: its error, not ours', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const agent = createEgressAgent(rulesOf('sandbox'));
    try {
      await assert.rejects(agent.request({ origin: `http://127.0.0.1:${port}`, path: '/', method: 'POST' }), {
        code: 'ECONNREFUSED',
      });
    } finally {
      await agent.destroy();
    }
  });

  it('sandbox: http to loopback, by name or address → allowed', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      await assertAllowedTarget(new URL(`http://${host}:1/`), rulesOf('sandbox'));
  });

  it('sandbox: the networks of its configuration are allowed, and nothing else; production: not even those', async () => {
    const networks = new BlockList();
    networks.addSubnet('172.30.8.0', 24, 'ipv4');
    networks.addSubnet('fd00:8::', 64, 'ipv6');
    for (const address of ['172.30.8.1', '::ffff:172.30.8.254', 'fd00:8::1']) {
      assert.equal(isAllowedAddress(address, rulesOf('sandbox', networks)), true, address);
      assert.equal(isAllowedAddress(address, rulesOf('production', networks)), false, address);
    }
    for (const address of ['172.30.9.1', '10.0.0.1', 'fd00:9::1'])
      assert.equal(isAllowedAddress(address, rulesOf('sandbox', networks)), false, address);
    const resolve = () => Promise.resolve(['172.30.8.2', '172.30.9.2']);
    await assert.rejects(
      assertAllowedTarget(new URL('http://receiver/'), rulesOf('sandbox', networks), undefined, resolve),
      ForbiddenTargetError,
    );
  });

  it('the connected socket is checked too: a name that changes its answer does not get in', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const request = {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      path: '/',
      method: 'POST',
    } as const;
    const [strict, lenient] = [createEgressAgent(rulesOf('production')), createEgressAgent(rulesOf('sandbox'))];
    try {
      await assert.rejects(strict.request(request), ForbiddenTargetError);
      assert.equal(asked, 0);
      assert.equal((await lenient.request(request)).statusCode, 200);
    } finally {
      await Promise.all([strict.destroy(), lenient.destroy()]);
      server.closeAllConnections();
      server.close();
    }
  });
});
