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

const EARLY_RETURN = 'what is not returned early is sorted behind the others and cut off';
const WRONG_GUESS = 'a wrong guess is noticed in the next line, and the opening is searched';
const NO_GROUP = 'an empty or missing group is no number, and as bytes zero like those it stands for';
const NO_AMOUNT = '`isAmount` refuses what is not there, too';
const NO_INSTANT = 'a text that is no instant gives NaN, which is never later';

/** @type {readonly Equivalent[]} */
export const EQUIVALENT = [
  {
    file: 'webhooks/egress.ts',
    from: '{ timeout: 5_000 }',
    to: ['{}'],
    reason: 'the deadline of the whole attempt ends a connection that hangs, too',
  },
  {
    file: 'rules/risk-rules.ts',
    from: 'limitMinor === null',
    to: ['false'],
    reason: 'without a limit `aboveLimit` is off, too',
  },
  {
    file: 'rules/risk-rules.ts',
    from: 'velocity === null',
    to: ['false'],
    reason: 'without velocity its limit is null, which the same line asks',
  },
  { file: 'rules/risk-rules.ts', from: 'difference < 0n', to: ['difference <= 0n'], reason: 'minus zero is zero' },
  {
    file: 'rules/local-time.ts',
    from: "''",
    to: ['"Stryker was here!"'],
    reason: 'the format always has a date and a time; the default is for the compiler',
  },
  {
    file: 'rules/local-time.ts',
    from: '!/^[A-Za-z]/.test(name)',
    to: ['false'],
    reason: 'Node 20 refuses fixed offsets by itself; later versions take them',
  },
  {
    file: 'rules/local-time.ts',
    from: '/^[A-Za-z]/',
    to: ['/[A-Za-z]/'],
    reason: 'no name that begins otherwise and has a letter is a zone',
  },
  {
    file: 'rules/local-time.ts',
    from: 'minuteOf(hours.from) - minuteOfDay',
    to: ['minuteOf(hours.from) + minuteOfDay'],
    reason: WRONG_GUESS,
  },
  {
    file: 'rules/local-time.ts',
    from: 'minutesAhead * MINUTE_MS',
    to: ['minutesAhead / MINUTE_MS'],
    reason: WRONG_GUESS,
  },
  {
    file: 'rules/local-time.ts',
    from: 'localParts(expected, zone).minuteOfDay === minuteOf(hours.from)',
    to: ['false'],
    reason: WRONG_GUESS,
  },
  {
    file: 'rules/local-time.ts',
    from: 'step <= SEARCH_LIMIT_MINUTES',
    to: ['step < SEARCH_LIMIT_MINUTES'],
    reason: 'every window opens before that',
  },
  {
    file: 'rules/local-time.ts',
    from: 'from < to',
    to: ['from <= to'],
    reason: 'hours that begin and end at the same time are refused',
  },
  {
    file: 'rules/local-time.ts',
    from: 'formatter === undefined',
    to: ['true'],
    reason: 'the same formatter is made again instead of kept',
  },
  {
    file: 'rules/lookup-values.ts',
    from: "'email'",
    to: ['""'],
    reason: 'every kind but phone, CPF and CNPJ is spelled in lower case',
  },
  {
    file: 'rules/lookup-values.ts',
    from: "'random'",
    to: ['""'],
    reason: 'every kind but phone, CPF and CNPJ is spelled in lower case',
  },
  { file: 'rules/lookup-values.ts', from: '[]', to: ['["Stryker was here"]'], reason: NO_GROUP },
  { file: 'rules/lookup-values.ts', from: "part === ''", to: ['false'], reason: NO_GROUP },
  { file: 'rules/lookup-values.ts', from: "''", to: ['"Stryker was here!"'], reason: NO_GROUP },
  { file: 'rules/lookup-values.ts', from: '() => 0', to: ['() => undefined'], reason: NO_GROUP },
  { file: 'rules/automatic-limits.ts', from: "'0'", to: ['""'], reason: 'a split text has a first part' },
  { file: 'rules/automatic-limits.ts', from: 'remaining > 0n', to: ['remaining >= 0n'], reason: 'zero is zero' },
  {
    file: 'rules/rule-set.ts',
    from: 'issue === undefined',
    to: ['false'],
    reason: 'a refusal has an issue; the condition is for the compiler',
  },
  {
    file: 'rules/rule-set.ts',
    from: "'not a rule set'",
    to: ['""'],
    reason: 'a refusal has an issue; the condition is for the compiler',
  },
  {
    file: 'rules/rule-set.ts',
    from: "''",
    to: ['"Stryker was here!"'],
    reason: 'an issue of unknown fields names one',
  },
  { file: 'rules/rule-set.ts', from: "', '", to: ['""'], reason: 'one currency is enabled' },
  {
    file: 'rules/rule-set.ts',
    from: 'min === undefined || max === undefined',
    to: ['false', 'min === undefined && max === undefined'],
    reason: NO_AMOUNT,
  },
  { file: 'rules/rule-set.ts', from: 'min === undefined', to: ['false'], reason: NO_AMOUNT },
  { file: 'rules/rule-set.ts', from: 'max === undefined', to: ['false'], reason: NO_AMOUNT },
  {
    file: 'client/client.ts',
    from: 'after === undefined',
    to: ['false'],
    reason: 'a parameter without a value is not sent',
  },
  {
    file: 'proof/redecide.ts',
    from: "subjectOf(asked) !== 'withdrawal'",
    to: ['false'],
    reason: 'only a withdrawal has a second decision, or an outcome that needs the directory',
  },
  {
    file: 'proof/redecide.ts',
    from: 'playerRef === null',
    to: ['false'],
    reason: 'without a player reference the rules have no tiers, as the line before says, and give none',
  },
  {
    file: 'proof/report.ts',
    from: "''",
    to: ['"Stryker was here!"'],
    reason: 'every key has these parts; the default is for the compiler',
  },
  {
    file: 'proof/report.ts',
    from: 'flip.examples.length === EXAMPLES_PER_FLIP',
    to: ['false'],
    reason: EARLY_RETURN,
  },
  {
    file: 'proof/report.ts',
    from: 'isFull && smallest !== undefined && byAmount(candidate, smallest) > 0',
    to: ['false'],
    reason: EARLY_RETURN,
  },
  { file: 'proof/report.ts', from: 'smallest !== undefined', to: ['smallest === undefined'], reason: EARLY_RETURN },
  {
    file: 'proof/report.ts',
    from: 'byAmount(candidate, smallest) > 0',
    to: ['byAmount(candidate, smallest) >= 0'],
    reason: EARLY_RETURN,
  },
  {
    file: 'proof/report.ts',
    from: 'smallest !== undefined',
    to: ['true'],
    reason: 'a full list has a last element; the condition is for the compiler',
  },
  {
    file: 'proof/report.ts',
    from: '[]',
    to: ['["Stryker was here"]'],
    reason: 'the candidate is only compared; its reasons are set when it becomes an example',
  },
  {
    file: 'proof/report.ts',
    from: 'difference > 0n',
    to: ['difference >= 0n'],
    reason: 'zero is excluded in the same line',
  },
  {
    file: 'proof/report.ts',
    from: 'one > other',
    to: ['true', 'false', 'one >= other', 'one <= other'],
    reason: 'a sort asks only whether the result is negative, and equal elements keep their order',
  },
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
    from: 'error instanceof JsonRefusal',
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
  {
    file: 'rules/engine.ts',
    from: 'autoHours === null',
    to: ['false'],
    reason: 'without hours no rule says `automatic_hours`; the condition is for the compiler',
  },
  { file: 'webhooks/egress.ts', from: 'true', to: ['false'], reason: 'a signal aborts once' },
  { file: 'rules/counterfactual.ts', from: '[]', to: ['["Stryker was here"]'], reason: NO_INSTANT },
  { file: 'rules/counterfactual.ts', from: 'facts.keyFirstUsedAt === null', to: ['false'], reason: NO_INSTANT },
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
