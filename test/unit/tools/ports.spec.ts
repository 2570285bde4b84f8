// Port checks: the refusal names the port, who wants it, and the variable that moves it.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { findFreePort, portProblem, requireFreePorts } from '../../../tools/processes/ports.js';

describe('ports', () => {
  let taken: Server;
  let port: number;
  beforeEach(async () => {
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen({ host: '127.0.0.1', port: 0 }, resolve));
    port = (taken.address() as AddressInfo).port;
  });
  afterEach(async () => {
    if (taken.listening) await new Promise((resolve) => taken.close(resolve));
  });

  it('finds free ports, each once, that no connection is given', async () => {
    const found = await Promise.all(Array.from({ length: 50 }, findFreePort));
    for (const one of found) {
      assert.equal(await portProblem(one), undefined);
      assert.ok(one < 32_768, String(one));
    }
    assert.equal(new Set(found).size, found.length);
  });

  it('refuses a taken port in one line that says what to do', async () => {
    await assert.rejects(requireFreePorts([{ port, purpose: 'the API', variable: 'API_PORT' }]), (error: Error) => {
      assert.match(
        error.message,
        new RegExp(`^Port ${port} for the API is taken by another program\\. .*API_PORT.*GATEWAY_PORT_BASE`),
      );
      assert.equal(error.message.includes('\n'), false);
      return true;
    });
  });

  it('refuses one port for two purposes', async () => {
    const free = await findFreePort();
    const needed = [
      { port: free, purpose: 'the API', variable: 'API_PORT' },
      { port: free, purpose: 'the simulator', variable: 'SIMULATOR_PORT' },
    ];
    await assert.rejects(requireFreePorts(needed), /API_PORT and SIMULATOR_PORT both ask for port/);
  });
});
