// Checks 3, 4, 6 and 6b of a creation, and that the earlier one answers when two would refuse.
import assert from 'node:assert/strict';
import {
  type CreationBody,
  type CreationContext,
  DEPOSIT_CHECKS,
  firstRefusal,
  WITHDRAWAL_CHECKS,
} from '../../../api/routes/creation-checks.js';
import { hasReservedDomain, isEmail } from '../../../contract/http/schemas/player.js';
import { NO_LIMITS } from '../../../providers/dialect-entry.js';

const BODY: CreationBody = {
  method: 'pix',
  amount: { amount: '5000', currency: 'BRL' },
  player: { document: { type: 'CPF', number: '52998224725', country: 'BR' } },
};
const TRAITS = { depositRequirements: [], sendsPayouts: true, limits: NO_LIMITS } as const;
const FREE: CreationContext = { environment: 'sandbox', traits: TRAITS };
const PROVIDER_A: CreationContext = {
  environment: 'sandbox',
  traits: { ...TRAITS, depositRequirements: ['player.name', 'player.email'] },
};

type Player = Partial<CreationBody['player']>;
const withPlayer = (player: Player): CreationBody => ({ ...BODY, player: { ...BODY.player, ...player } });

/** `code` or `field reason, field reason` of the refusal. */
function refusalOf(body: CreationBody, context = FREE, checks = DEPOSIT_CHECKS): string | null {
  const refusal = firstRefusal(checks, body, context);
  if (refusal === null) return null;
  const { code, errors } = refusal.problem;
  return errors === undefined ? code : errors.map(({ field, reason }) => `${field} ${reason}`).join(', ');
}

describe('creation checks', () => {
  it('nothing to refuse', () => assert.equal(refusalOf(BODY), null));
  it('3: a method that is not enabled', () =>
    assert.equal(refusalOf({ ...BODY, method: 'swift' }), 'method_not_enabled'));
  for (const [type, number] of [
    ['CPF', '12345678900'],
    ['CPF', '11111111111'],
    ['CNPJ', '11222333000180'],
    ['PASSPORT', 'AB123456'],
    ['NATIONAL_ID', '1'],
    ['TAX_ID', '52998224725'],
  ] as const) {
    it(`4: ${type} ${number}`, () => {
      const body = withPlayer({ document: { type, number, country: 'BR' } });
      assert.equal(refusalOf(body), 'document_invalid');
      assert.equal(refusalOf(body, FREE, WITHDRAWAL_CHECKS), 'document_invalid');
    });
  }
  it('4: a valid CNPJ passes', () =>
    assert.equal(refusalOf(withPlayer({ document: { type: 'CNPJ', number: '11222333000181', country: 'BR' } })), null));
  it('6: a currency that is not enabled', () =>
    assert.equal(refusalOf({ ...BODY, amount: { amount: '5000', currency: 'USD' } }), 'currency_not_enabled'));

  it('6: a slot that only receives takes deposits and no withdrawals, after a duplicate has answered', () => {
    const receives = { ...FREE, traits: { ...TRAITS, sendsPayouts: false } };
    assert.equal(refusalOf(BODY, receives), null);
    assert.equal(refusalOf(BODY, FREE, WITHDRAWAL_CHECKS), null);
    assert.equal(refusalOf(BODY, receives, WITHDRAWAL_CHECKS), 'method_not_enabled');
    assert.equal(firstRefusal(WITHDRAWAL_CHECKS, BODY, receives)?.afterDuplicate, true);
  });

  describe("7: the limits of the account's contract, both ends inclusive", () => {
    const limits = {
      deposit: { minMinor: 100n, maxMinor: 50_000n },
      withdrawal: { minMinor: null, maxMinor: 2_000n },
    };
    const limited: CreationContext = { ...FREE, traits: { ...TRAITS, limits } };
    const withAmount = (amount: string): CreationBody => ({ ...BODY, amount: { amount, currency: 'BRL' } });
    for (const [amount, deposit, withdrawal] of [
      ['99', 'amount_below_minimum', null],
      ['100', null, null],
      ['2000', null, null],
      ['2001', null, 'amount_above_maximum'],
      ['50000', null, 'amount_above_maximum'],
      ['50001', 'amount_above_maximum', 'amount_above_maximum'],
    ] as const) {
      it(`an amount of ${amount}`, () => {
        assert.equal(refusalOf(withAmount(amount), limited), deposit);
        assert.equal(refusalOf(withAmount(amount), limited, WITHDRAWAL_CHECKS), withdrawal);
      });
    }
    it('a duplicate answers first, and a requirement before the limit', () => {
      assert.equal(firstRefusal(DEPOSIT_CHECKS, withAmount('99'), limited)?.afterDuplicate, true);
      const both = { ...limited, traits: { ...limited.traits, depositRequirements: ['player.name'] as const } };
      assert.equal(refusalOf(withAmount('99'), both), 'player.name required_by_operation');
    });
  });

  describe('6b: operation requirements', () => {
    const long = `${'m'.repeat(245)}@x.example`;
    const cases: readonly [title: string, player: Player, context: CreationContext, expected: string | null][] = [
      [
        'both missing, in canonical order',
        {},
        PROVIDER_A,
        'player.name required_by_operation, player.email required_by_operation',
      ],
      [
        'only spaces are missing',
        { name: '  ', email: ' ' },
        PROVIDER_A,
        'player.name required_by_operation, player.email required_by_operation',
      ],
      ['both sent', { name: 'Maria', email: 'm@x.test' }, PROVIDER_A, null],
      ['a name of spaces is fine where none is required', { name: ' ' }, FREE, null],
      ['an e-mail of spaces is no e-mail', { email: ' ' }, FREE, 'player.email format'],
      ['an empty e-mail is no e-mail', { email: '' }, FREE, 'player.email format'],
      ['254 characters', { email: long.slice(1) }, FREE, null],
      ['255 characters', { email: long }, FREE, 'player.email max_length'],
      ['a real domain in the sandbox', { email: 'm@gmail.com' }, FREE, 'player.email reserved_domain_required'],
      ['a real domain in production', { email: 'm@gmail.com' }, { ...FREE, environment: 'production' }, null],
      ['a reserved domain in capitals', { email: 'm@X.TEST' }, FREE, null],
      ['a name of 120 characters', { name: 'ã'.repeat(120) }, FREE, null],
      ['a name of 121 characters', { name: 'ã'.repeat(121) }, FREE, 'player.name max_length'],
      [
        'an ip where it is required',
        {},
        { ...FREE, traits: { ...TRAITS, depositRequirements: ['player.ip'] } },
        'player.ip required_by_operation',
      ],
    ];
    for (const [title, player, context, expected] of cases)
      it(title, () => assert.equal(refusalOf(withPlayer(player), context), expected));
  });

  it('a withdrawal asks for a reserved domain too, and for nothing else', () => {
    assert.equal(
      refusalOf(withPlayer({ email: 'm@gmail.com' }), PROVIDER_A, WITHDRAWAL_CHECKS),
      'player.email reserved_domain_required',
    );
    assert.equal(refusalOf(BODY, PROVIDER_A, WITHDRAWAL_CHECKS), null);
  });

  it('of two faults the earlier check answers', () => {
    const faults: readonly [string, Partial<CreationBody>][] = [
      ['method_not_enabled', { method: 'wire' }],
      ['document_invalid', { player: { document: { type: 'CPF', number: '12345678900', country: 'BR' } } }],
      ['currency_not_enabled', { amount: { amount: '5000', currency: 'USD' } }],
      ['player.name required_by_operation, player.email required_by_operation', {}],
    ];
    for (const [index, [expected, fault]] of faults.entries()) {
      for (const [, later] of faults.slice(index))
        assert.equal(refusalOf({ ...BODY, ...later, ...fault }, PROVIDER_A), expected);
    }
  });
});

describe('e-mail addresses', () => {
  for (const text of ['m@x.test', 'a.b+c@sub.x.example', "o'hara@x-y.invalid", 'M_1@X.CO'])
    it(`${text}: yes`, () => assert.ok(isEmail(text)));
  for (const text of [
    'm',
    'm@x',
    '@x.test',
    'm@',
    'm@.test',
    'm@x.',
    'a@b@c.test',
    '"m"@x.test',
    'Maria <m@x.test>',
    'm @x.test',
    'm@x .test',
    '.m@x.test',
    'm..n@x.test',
    'm@-x.test',
    'm@x.t',
    'm@x.123',
    'mã@x.test',
    ' m@x.test',
    'm@x.test\n',
  ]) {
    it(`${JSON.stringify(text)}: no`, () => assert.ok(!isEmail(text)));
  }
  it('reserved are exactly the three top levels', () => {
    assert.deepEqual(
      ['m@x.test', 'm@x.invalid', 'm@x.example', 'm@test.com', 'm@x.testing', 'm@example.com'].map(hasReservedDomain),
      [true, true, true, false, false, false],
    );
  });
});
