// Zod issues in plain words: "is required", "must be a whole number from 1 to 200". For files and variables that people
// write. A schema's own message has precedence, and no message repeats a value.
import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** The error map for every zod parse whose messages people read. */
export function issueMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected] ?? numberText(issue.schema)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${alternatives(issue.values.map(String))}`;
    case 'too_small':
      return issue.origin in UNITS
        ? `must have at least ${issue.minimum} ${UNITS[issue.origin]}`
        : `must be ${numberText(issue.schema)}`;
    case 'too_big':
      return issue.origin in UNITS
        ? `must have at most ${issue.maximum} ${UNITS[issue.origin]}`
        : `must be ${numberText(issue.schema)}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'must be a URL' : 'has the wrong format';
    case 'invalid_key':
      return issue.issues[0]?.message ?? 'is not an expected name';
    case 'unrecognized_keys':
      return `has unknown fields (${issue.keys.join(', ')})`;
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_element':
    case 'custom':
      return 'is not valid';
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };

/** "a whole number from 1 to 200". */
function numberText(schema: unknown): string {
  const { isInt, minValue, maxValue } = (schema ?? {}) as Partial<z.ZodNumber>;
  const kind = isInt === true ? 'a whole number' : 'a number';
  if (!isBound(minValue)) return isBound(maxValue) ? `${kind} up to ${maxValue}` : kind;
  return `${kind} from ${minValue}${isBound(maxValue) ? ` to ${maxValue}` : ''}`;
}

/** Whether the schema sets the bound. The default bounds of whole numbers are JavaScript's. */
function isBound(value: number | null | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

/** "a", "a or b", "a, b or c". */
function alternatives(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
