// What the `gateway` command takes from its command line, as tables.
import assert from 'node:assert/strict';
import { readId, readName, readPerson, readReason } from '../../../cli/inputs/identifiers.js';
import { readNetworks } from '../../../cli/inputs/networks.js';
import { readScopes } from '../../../cli/inputs/scopes.js';
import { readWebhookUrlForm } from '../../../cli/inputs/webhook-url.js';

/** The read must be refused as bad input of `field`. */
function assertRefused(read: () => unknown, field: string, line: RegExp = /./): void {
  assert.throws(read, (error: Error & { exitCode?: number }) => {
    assert.equal(error.name, 'CommandProblem');
    assert.equal(error.exitCode, 2);
    assert.ok(error.message.startsWith(`${field}: `), error.message);
    assert.match(error.message, line);
    return true;
  });
}

describe('networks of an allowlist', () => {
  const taken: Record<string, string> = {
    '203.0.113.7': '203.0.113.7/32',
    '203.0.113.0/24': '203.0.113.0/24',
    '2001:DB8:0:0:0:0:0:1': '2001:db8::1/128',
    '2001:db8:0:ff00::/56': '2001:db8:0:ff00::/56',
    '::ffff:203.0.113.7': '203.0.113.7/32',
  };
  for (const [text, network] of Object.entries(taken)) {
    it(`takes ${text}`, () => assert.deepEqual(readNetworks('CIDR', [text]), [network]));
  }

  const refused: Record<string, RegExp> = {
    '203.0.113.0/23': /wider than \/24/,
    '2001:db8::/55': /wider than \/56/,
    '203.0.113.7/24': /the network is 203\.0\.113\.0\/24/,
    '2001:db8:0:1::/56': /the network is 2001:db8::\/56/,
    '203.0.113.0/33': /is not a network/,
    '203.0.113.0/024': /is not a network/,
    '203.0.113.0/24/1': /is not a network/,
    '010.0.0.1': /is not a network/,
    '::ffff:203.0.113.7/128': /is not a network/,
    'fe80::1%eth0': /is not a network/,
    localhost: /is not a network/,
  };
  for (const [text, line] of Object.entries(refused)) {
    it(`refuses "${text}"`, () => assertRefused(() => readNetworks('CIDR', [text]), 'CIDR', line));
  }

  it('keeps each once and in order, and takes at most 100', () => {
    assert.deepEqual(readNetworks('CIDR', ['10.0.0.1', '10.0.0.0/24', '10.0.0.1/32']), ['10.0.0.1/32', '10.0.0.0/24']);
    const many = Array.from({ length: 101 }, (_, index) => `10.0.${index}.0/24`);
    assert.equal(readNetworks('CIDR', many.slice(1)).length, 100);
    assertRefused(() => readNetworks('CIDR', many), 'CIDR', /at most 100/);
  });
});

describe('webhook URLs', () => {
  it('takes http and https in the sandbox, https in production, unchanged', () => {
    for (const url of ['http://127.0.0.1:7803/webhooks', 'https://acme.example', 'https://acme.example/h?a=1'])
      assert.equal(readWebhookUrlForm('URL', url, 'sandbox'), url);
    assert.equal(readWebhookUrlForm('URL', 'https://acme.example/h', 'production'), 'https://acme.example/h');
  });

  const refused: readonly [string, RegExp][] = [
    ['ftp://acme.example/', /http or https/],
    ['https://user:hunter2@acme.example/', /user name or password/],
    ['https://acme.example/#hunter2', /fragment/],
    ['https://acme.example/hunter2 x', /must be a URL/],
    [' https://acme.example/hunter2', /must be a URL/],
    [`https://acme.example/${'hunter2'.repeat(300)}`, /at most 2048/],
  ];
  for (const [url, line] of refused) {
    it(`refuses ${url.slice(0, 60)}, without repeating it`, () => {
      assertRefused(() => readWebhookUrlForm('URL', url, 'sandbox'), 'URL', line);
      assert.throws(
        () => readWebhookUrlForm('URL', url, 'sandbox'),
        (error: Error) => !error.message.includes('hunter2'),
      );
    });
  }
  it('refuses http in production', () =>
    assertRefused(() => readWebhookUrlForm('URL', 'http://acme.example/', 'production'), 'URL', /https in production/));
});

describe('names, people, reasons, ids, scopes', () => {
  it("an operation's name is 1 to 80 characters on one line", () => {
    assert.equal(readName('--name', ' Ação & Cia '), 'Ação & Cia');
    for (const text of ['', '  ', 'a\nb', 'x'.repeat(81)]) assertRefused(() => readName('--name', text), '--name');
  });

  it('a person is a name, never an e-mail address; without --as the operating-system user', () => {
    assert.equal(readPerson('  ana   sofia '), 'ana sofia');
    for (const text of ['ana@acme.example', '']) assertRefused(() => readPerson(text), '--as');
    assert.ok(readPerson(undefined).length > 0);
  });

  it('a reason holds nothing personal', () => {
    assert.deepEqual([readReason('statement checked'), readReason(undefined)], ['statement checked', '']);
    assertRefused(() => readReason('ask maria@acme.example'), '--reason');
  });

  it('an id is of its kind', () => {
    assert.equal(readId('operation', '--operation', 'op_0a'), 'op_0a');
    for (const text of ['dep_0a', 'op_', 'op_0-a', '', `op_${'0'.repeat(100)}`])
      assertRefused(() => readId('operation', '--operation', text), '--operation', /op_…/);
  });

  it("scopes are each once, in the catalogue's order", () => {
    assert.deepEqual(readScopes('--scopes', 'rules:propose, read,read'), ['read', 'rules:propose']);
    for (const text of ['', 'read,', 'write', 'READ'])
      assertRefused(() => readScopes('--scopes', text), '--scopes', /is not a scope/);
  });
});
