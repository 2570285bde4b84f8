// Equal things must be spelled equally before they are hashed; different things must not.
import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import fc from 'fast-check';
import {
  addressLookupValue,
  documentLookupValue,
  networkLookupValue,
  networksContaining,
  pixKeyLookupValue,
} from '../../../domain/rules/lookup-values.js';

describe('look-up values', () => {
  for (const [given, expected] of [
    ['529.982.247-25', '52998224725'],
    ['52998224725', '52998224725'],
    ['11.222.333/0001-81', '11222333000181'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ] as const) {
    it(`document ${given}`, () => assert.equal(documentLookupValue(given), expected));
  }

  for (const [given, expected] of [
    ['Player@Example.TEST', 'player@example.test'],
    [' player@example.test ', 'player@example.test'],
    ['+Player@Example.TEST', '+player@example.test'],
    ['+55 (11) 99999-8888', '+5511999998888'],
    ['(11) 99999-8888', '+5511999998888'],
    ['+1 (202) 555-0100', '+12025550100'],
    ['529.982.247-25', '52998224725'],
    ['529 982 247/25', '52998224725'],
    ['x52998224725', 'x52998224725'],
    ['52998224725x', '52998224725x'],
    ['11.222.333/0001-81', '11222333000181'],
    ['123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ] as const) {
    it(`PIX key "${given}" of a list`, () => assert.equal(pixKeyLookupValue(given), expected));
  }

  for (const [type, given, expected] of [
    ['phone', '119999988', '119999988'],
    ['phone', '1199999888', '+551199999888'],
    ['phone', '11999998888', '+5511999998888'],
    ['phone', '551199999888', '+551199999888'],
    ['phone', '5511999998888', '+5511999998888'],
    ['phone', '+119', '+119'],
    ['cpf', '529.982.247-25', '52998224725'],
    ['cnpj', '11.222.333/0001-81', '11222333000181'],
    ['email', 'A@B.TEST', 'a@b.test'],
    ['random', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
  ] as const) {
    it(`PIX key ${given} of type ${type}, and again of what it becomes`, () => {
      assert.equal(pixKeyLookupValue(given, type), expected);
      assert.equal(pixKeyLookupValue(expected, type), expected);
    });
  }

  for (const [given, expected] of [
    ['203.0.113.77/24', '203.0.113.0/24'],
    ['203.0.113.77', '203.0.113.77/32'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::ffff:203.0.113.9', '203.0.113.9/32'],
    [' 203.0.113.0/24 ', '203.0.113.0/24'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8/128'],
  ] as const) {
    it(`network ${given}`, () => assert.equal(networkLookupValue(given), expected));
  }

  it('an address is in 25 networks, or 113', () => {
    const [four, six] = [networksContaining('203.0.113.77'), networksContaining(' 2001:db8::1 ')];
    assert.deepEqual([four.length, four[0], four.at(-1)], [25, '203.0.113.77/32', '203.0.0.0/8']);
    assert.deepEqual([six.length, six[0], six.at(-1)], [113, '2001:db8::1/128', '2001::/16']);
  });

  for (const [given, expected] of [
    [' 192.0.2.1 ', '192.0.2.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['0.0.0.0', '0.0.0.0'],
    ['256.0.0.1', null],
    ['1.2.3.4.', null],
    ['1.2.3.4.5', null],
    ['x1.2.3.4', null],
    ['nobody', null],
    ['::1]/x', null],
    ['::1]@[::1', null],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:0DB8:0000::0001', '2001:db8::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::ff:102:304', '::ff:102:304'],
    ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
    ['1::ffff:1.2.3.4', '1::ffff:102:304'],
    ['::fffe:1.2.3.4', '::fffe:102:304'],
    ['ABCD:EF01:2345:6789:abcd:ef01:2345:6789', 'abcd:ef01:2345:6789:abcd:ef01:2345:6789'],
    [':::', null],
    ['1:2:3:4:5:6:7:8:9', null],
  ] as const) {
    it(`address "${given}": ${expected}`, () => assert.equal(addressLookupValue(given), expected));
  }

  for (const bad of [
    '',
    'x',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.1/33',
    '203.0.113.1/-1',
    '203.0.113.1/08',
    '203.0.113.1/24/1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '01.2.3.4',
    '[::1]',
    '1:2',
  ]) {
    it(`"${bad}" is no network`, () => {
      assert.equal(networkLookupValue(bad), null);
      assert.deepEqual(networksContaining(bad), []);
    });
  }

  it('a network contains an address exactly when node:net says so', () => {
    const families = [
      { address: fc.ipV4(), type: 'ipv4', widest: 8, narrowest: 32 },
      { address: fc.ipV6(), type: 'ipv6', widest: 16, narrowest: 128 },
    ] as const;
    for (const { address, type, widest, narrowest } of families) {
      fc.assert(
        fc.property(
          address,
          address,
          fc.integer({ min: widest, max: narrowest }),
          fc.boolean(),
          (inside, other, prefix, isNear) => {
            const probe = isNear ? inside : other;
            // Mapped addresses count as IPv4 here; node keeps the families apart.
            fc.pre(
              addressLookupValue(inside)?.includes(':') === (type === 'ipv6') &&
                addressLookupValue(probe)?.includes(':') === (type === 'ipv6'),
            );
            const judge = new BlockList();
            judge.addSubnet(inside, prefix, type);
            const network = networkLookupValue(`${inside}/${prefix}`);
            assert.ok(network !== null);
            assert.equal(networksContaining(probe).includes(network), judge.check(probe, type));
          },
        ),
        { numRuns: 300 },
      );
    }
  });
});
