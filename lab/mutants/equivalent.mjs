// Mutants that no test can kill: the changed code gives the same results.

/**
 * By the end of the file's path: the reason, and each change, as the source text on one line and what replaces it.
 * @type {Readonly<Record<string, Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>>>}
 */
export const EQUIVALENT = {
  'webhooks/egress.ts': {
    'the deadline of the whole attempt ends a connection that hangs, too': [['{ timeout: 5_000 }', '{}']],
    'neither text is an address': [
      ["''", '"Stryker was here!"'],
      ['[]', '["Stryker was here"]'],
    ],
    'the host of a URL has brackets only around an IPv6 address': [
      ['/^\\[|\\]$/g', '/^\\[|\\]/g'],
      ['/^\\[|\\]$/g', '/\\[|\\]$/g'],
    ],
    'a signal aborts once': [
      ['{ once: true }', '{}'],
      ['true', 'false'],
    ],
  },
  'rules/risk-rules.ts': {
    'without a limit `aboveLimit` is off, too': [['limitMinor === null', 'false']],
    'without velocity its limit is null, which the same line asks': [['velocity === null', 'false']],
    'minus zero is zero': [['difference < 0n', 'difference <= 0n']],
  },
  'rules/local-time.ts': {
    'the format always has a date and a time; the default is for the compiler': [["''", '"Stryker was here!"']],
    'Node 20 refuses fixed offsets by itself; later versions take them': [['!/^[A-Za-z]/.test(name)', 'false']],
    'no name that begins otherwise and has a letter is a zone': [['/^[A-Za-z]/', '/[A-Za-z]/']],
    'a wrong guess is noticed in the next line, and the opening is searched': [
      ['minuteOf(hours.from) - minuteOfDay', 'minuteOf(hours.from) + minuteOfDay'],
      ['minutesAhead * MINUTE_MS', 'minutesAhead / MINUTE_MS'],
      ['localParts(expected, zone).minuteOfDay === minuteOf(hours.from)', 'false'],
    ],
    'every window opens before that': [['step <= SEARCH_LIMIT_MINUTES', 'step < SEARCH_LIMIT_MINUTES']],
    'hours that begin and end at the same time are refused': [['from < to', 'from <= to']],
    'the same formatter is made again instead of kept': [['formatter === undefined', 'true']],
  },
  'rules/lookup-values.ts': {
    'every kind but phone, CPF and CNPJ is spelled in lower case': [
      ["'email'", '""'],
      ["'random'", '""'],
    ],
    'an empty or missing group is no number, and as bytes zero like those it stands for': [
      ['[]', '["Stryker was here"]'],
      ["part === ''", 'false'],
      ["''", '"Stryker was here!"'],
      ['() => 0', '() => undefined'],
    ],
  },
  'rules/automatic-limits.ts': {
    'a split text has a first part': [["'0'", '""']],
    'zero is zero': [['remaining > 0n', 'remaining >= 0n']],
  },
  'rules/rule-set.ts': {
    'a refusal has an issue; the condition is for the compiler': [
      ['issue === undefined', 'false'],
      ["'not a rule set'", '""'],
    ],
    'an issue of unknown fields names one': [["''", '"Stryker was here!"']],
    'one currency is enabled': [["', '", '""']],
    '`isAmount` refuses what is not there, too': [
      ['min === undefined || max === undefined', 'false'],
      ['min === undefined || max === undefined', 'min === undefined && max === undefined'],
      ['min === undefined', 'false'],
      ['max === undefined', 'false'],
    ],
  },
  'client/client.ts': {
    'a parameter without a value is not sent': [['after === undefined', 'false']],
  },
  'proof/redecide.ts': {
    'only a withdrawal has a second decision, or an outcome that needs the directory': [
      ["subjectOf(asked) !== 'withdrawal'", 'false'],
    ],
    'without a player reference the rules have no tiers, as the line before says, and give none': [
      ['playerRef === null', 'false'],
    ],
  },
  'proof/report.ts': {
    'every key has these parts; the default is for the compiler': [["''", '"Stryker was here!"']],
    'what is not returned early is sorted behind the others and cut off': [
      ['flip.examples.length === EXAMPLES_PER_FLIP', 'false'],
      ['isFull && smallest !== undefined && byAmount(candidate, smallest) > 0', 'false'],
      ['smallest !== undefined', 'smallest === undefined'],
      ['byAmount(candidate, smallest) > 0', 'byAmount(candidate, smallest) >= 0'],
    ],
    'a full list has a last element; the condition is for the compiler': [['smallest !== undefined', 'true']],
    'the candidate is only compared; its reasons are set when it becomes an example': [['[]', '["Stryker was here"]']],
    'zero is excluded in the same line': [['difference > 0n', 'difference >= 0n']],
    'a sort asks only whether the result is negative, and equal elements keep their order': [
      ['one > other', 'true'],
      ['one > other', 'false'],
      ['one > other', 'one >= other'],
      ['one > other', 'one <= other'],
    ],
  },
  'domain/br-code.ts': {
    'every caller passes 1 to 99 characters: the lengths of names, amount and location are checked before': [
      ['value.length === 0 || value.length > 99', 'false'],
      ['value.length === 0 || value.length > 99', 'value.length === 0 && value.length > 99'],
      ['value.length === 0', 'false'],
      ['value.length > 99', 'false'],
    ],
    'an empty name is refused by `field` with the same error type': [
      ["plain === ''", 'false'],
      ["''", '"Stryker was here!"'],
    ],
    'the text has at most four characters, so that the match begins at the first': [
      ['/^(\\d{2})(\\d{2})/', '/(\\d{2})(\\d{2})/'],
    ],
  },
  'domain/documents.ts': {
    'the check-digit library refuses repeated digits, too': [
      ['/^(\\d)\\1*$/.test(number)', 'false'],
      ['/^(\\d)\\1*$/', '/^(\\D)\\1*$/'],
      ['/^(\\d)\\1*$/', '/^(\\d)\\1$/'],
    ],
  },
  'domain/money.ts': {
    'minus zero is zero': [['amountMinor < 0n', 'amountMinor <= 0n']],
  },
  'domain/trace-context.ts': {
    'the first element, the whole match, is not read': [['[]', '["Stryker was here"]']],
    'the expression’s groups are all there or none is': [
      [
        'traceId === undefined || spanId === undefined || flags === undefined',
        '(traceId === undefined || spanId === undefined) && flags === undefined',
      ],
      [
        'traceId === undefined || spanId === undefined || flags === undefined',
        'traceId === undefined && spanId === undefined || flags === undefined',
      ],
      ['traceId === undefined || spanId === undefined', 'false'],
      ['traceId === undefined || spanId === undefined', 'traceId === undefined && spanId === undefined'],
      ['traceId === undefined', 'false'],
      ['spanId === undefined', 'false'],
      ['flags === undefined', 'false'],
    ],
  },
  'middleware/signature.ts': {
    'both texts are no signature': [["''", '"Stryker was here!"']],
    'without a signature 32 zero bytes are compared, which no HMAC is': [['hex !== undefined', 'true']],
    'any text does the same work, and what it signs is refused': [
      ["'no key has this secret; it only keeps the work the same'", '""'],
    ],
  },
  'client/webhooks.ts': {
    'a list of one has its element; neither text is a header that is accepted': [["''", '"Stryker was here!"']],
    'the caller asks only whether there is an event': [['{ return null; }', '{}']],
  },
  'store/sealing/sealer.ts': {
    'bytes are copied instead of taken: Buffer ignores the encoding for them': [["typeof sealed === 'string'", 'true']],
  },
  'strict-json.ts': {
    'the scanner throws nothing else; other errors would be faults of its own': [
      ['error instanceof JsonRefusal', 'true'],
    ],
    'behind the end there is no character, and the same refusal follows': [
      ['index < this.text.length', 'index <= this.text.length'],
    ],
  },
  'rules/engine.ts': {
    'without hours no rule says `automatic_hours`; the condition is for the compiler': [
      ['autoHours === null', 'false'],
    ],
  },
  'rules/counterfactual.ts': {
    'a text that is no instant gives NaN, which is never later': [
      ['[]', '["Stryker was here"]'],
      ['facts.keyFirstUsedAt === null', 'false'],
    ],
    'one is set to one': [['passing < 1n', 'passing <= 1n']],
    'the amount asked for does not pass, which the next condition says': [['passing >= failing', 'passing > failing']],
    'the same facts at the same moment do not pass': [['ms > Date.parse(facts.at)', 'ms >= Date.parse(facts.at)']],
  },
};
