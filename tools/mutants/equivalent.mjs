// Mutants that no test can kill: the changed code gives the same results. One row for each, with the reason.

/**
 * @typedef {object} Equivalent
 * @property {string} file the end of its path
 * @property {string} from the source text that is replaced, on one line
 * @property {readonly string[]} to what replaces it
 * @property {string} reason
 */

const BOUNDED_FIELDS =
  'every caller passes 1 to 99 characters: the lengths of names, amount and location are checked before';
const ALL_OR_NONE = 'the expression’s groups are all there or none is';
const EMPTY_NAME = 'an empty name is refused by `field` with the same error type';
const REPEATED_DIGIT = 'the check-digit library refuses repeated digits, too';
const NO_SIGNATURE = 'both texts are no signature';

const NO_INSTANT = 'a text that is no instant gives NaN, which is never later';

/** @type {readonly Equivalent[]} */
export const EQUIVALENT = [
  {
    file: 'domain/br-code.ts',
    from: 'value.length === 0 || value.length > 99',
    to: ['false', 'value.length === 0 && value.length > 99'],
    reason: BOUNDED_FIELDS,
  },
  { file: 'domain/br-code.ts', from: 'value.length === 0', to: ['false'], reason: BOUNDED_FIELDS },
  { file: 'domain/br-code.ts', from: 'value.length > 99', to: ['false'], reason: BOUNDED_FIELDS },
  { file: 'domain/br-code.ts', from: "plain === ''", to: ['false'], reason: EMPTY_NAME },
  { file: 'domain/br-code.ts', from: "''", to: ['"Stryker was here!"'], reason: EMPTY_NAME },
  {
    file: 'domain/br-code.ts',
    from: '/^(\\d{2})(\\d{2})/',
    to: ['/(\\d{2})(\\d{2})/'],
    reason: 'the text has at most four characters, so that the match begins at the first',
  },
  {
    file: 'domain/documents.ts',
    from: '/^(\\d)\\1*$/.test(number)',
    to: ['false'],
    reason: REPEATED_DIGIT,
  },
  {
    file: 'domain/documents.ts',
    from: '/^(\\d)\\1*$/',
    to: ['/^(\\D)\\1*$/', '/^(\\d)\\1$/'],
    reason: REPEATED_DIGIT,
  },
  { file: 'domain/money.ts', from: 'amountMinor < 0n', to: ['amountMinor <= 0n'], reason: 'minus zero is zero' },
  {
    file: 'domain/people.ts',
    from: "person .normalize('NFKD') .replace(/[^\\p{L}\\p{N}]/gu, '') .toLowerCase()",
    to: ["person.normalize('NFKD').replace(/[^\\p{L}\\p{N}]/gu, '').toUpperCase()"],
    reason: 'differs only for letters whose capital is that of others (ß, ı); nothing says which they are',
  },
  {
    file: 'domain/trace-context.ts',
    from: '[]',
    to: ['["Stryker was here"]'],
    reason: 'the first element, the whole match, is not read',
  },
  {
    file: 'domain/trace-context.ts',
    from: 'traceId === undefined || spanId === undefined || flags === undefined',
    to: [
      '(traceId === undefined || spanId === undefined) && flags === undefined',
      'traceId === undefined && spanId === undefined || flags === undefined',
    ],
    reason: ALL_OR_NONE,
  },
  {
    file: 'domain/trace-context.ts',
    from: 'traceId === undefined || spanId === undefined',
    to: ['false', 'traceId === undefined && spanId === undefined'],
    reason: ALL_OR_NONE,
  },
  { file: 'domain/trace-context.ts', from: 'traceId === undefined', to: ['false'], reason: ALL_OR_NONE },
  { file: 'domain/trace-context.ts', from: 'spanId === undefined', to: ['false'], reason: ALL_OR_NONE },
  { file: 'domain/trace-context.ts', from: 'flags === undefined', to: ['false'], reason: ALL_OR_NONE },
  {
    file: 'middleware/signature.ts',
    from: "''",
    to: ['"Stryker was here!"'],
    reason: NO_SIGNATURE,
  },
  {
    file: 'middleware/signature.ts',
    from: 'hex !== undefined',
    to: ['true'],
    reason: 'without a signature 32 zero bytes are compared, which no HMAC is',
  },
  {
    file: 'middleware/signature.ts',
    from: "'no key has this secret; it only keeps the work the same'",
    to: ['""'],
    reason: 'any text does the same work, and what it signs is refused',
  },
  {
    file: 'client/webhooks.ts',
    from: "''",
    to: ['"Stryker was here!"'],
    reason: 'a list of one has its element; neither text is a header that is accepted',
  },
  {
    file: 'store/sealing/sealer.ts',
    from: "typeof sealed === 'string'",
    to: ['true'],
    reason: 'bytes are copied instead of taken: Buffer ignores the encoding for them',
  },
  {
    file: 'client/webhooks.ts',
    from: '{ return null; }',
    to: ['{}'],
    reason: 'the caller asks only whether there is an event',
  },
  {
    file: 'strict-json.ts',
    from: 'error instanceof Refused',
    to: ['true'],
    reason: 'the scanner throws nothing else; other errors would be faults of its own',
  },
  {
    file: 'strict-json.ts',
    from: 'index < this.text.length',
    to: ['index <= this.text.length'],
    reason: 'behind the end there is no character, and the same refusal follows',
  },
  {
    file: 'webhooks/egress.ts',
    from: "''",
    to: ['"Stryker was here!"'],
    reason: 'neither text is an address',
  },
  {
    file: 'webhooks/egress.ts',
    from: '[]',
    to: ['["Stryker was here"]'],
    reason: 'neither text is an address',
  },
  {
    file: 'webhooks/egress.ts',
    from: '/^\\[|\\]$/g',
    to: ['/^\\[|\\]/g', '/\\[|\\]$/g'],
    reason: 'the host of a URL has brackets only around an IPv6 address',
  },
  {
    file: 'webhooks/egress.ts',
    from: '{ once: true }',
    to: ['{}'],
    reason: 'a signal aborts once',
  },
  { file: 'webhooks/egress.ts', from: 'true', to: ['false'], reason: 'a signal aborts once' },
  { file: 'rules/counterfactual.ts', from: '[]', to: ['["Stryker was here"]'], reason: NO_INSTANT },
  { file: 'rules/counterfactual.ts', from: 'facts.keyFirstUsedAt === null', to: ['false'], reason: NO_INSTANT },
  { file: 'rules/counterfactual.ts', from: "'1'", to: ['""'], reason: 'zero is raised to one in the next line' },
  { file: 'rules/counterfactual.ts', from: "'0'", to: ['""'], reason: 'an empty text is zero as a bigint' },
  { file: 'rules/counterfactual.ts', from: 'passing < 1n', to: ['passing <= 1n'], reason: 'one is set to one' },
  {
    file: 'rules/counterfactual.ts',
    from: 'passing >= failing',
    to: ['passing > failing'],
    reason: 'the amount asked for does not pass, which the next condition says',
  },
  {
    file: 'rules/counterfactual.ts',
    from: 'ms > Date.parse(facts.at)',
    to: ['ms >= Date.parse(facts.at)'],
    reason: 'the same facts at the same moment do not pass',
  },
];
