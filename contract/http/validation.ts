// Turns zod's issues into `errors[]` with the specification's reasons (specification, "errors[].reason values").
//
// How a schema names a reason:
// - a refinement passes it: `.refine(isPositive, because('range', 'must be greater than zero'))`, or
//   `context.addIssue({ code: 'custom', path, ...because('one_of', 'exactly one destination') })`;
// - a built-in check takes it from the schema's metadata: `z.string().max(120).meta({ reason: 'range' })`. It replaces
//   the default reason of every problem with the value except a missing one and a wrong type;
// - otherwise the issue's own kind decides (`errorsOfIssue`).
import { z } from 'zod';
import { issueMessage } from '../../domain/issue-messages.js';
import { type FieldError, REASONS, type Reason } from './errors.js';

const MAX_ERRORS = 20;
const MAX_FIELD_LENGTH = 200;

/** The message of each reason when the schema has none. Never contains the rejected value. */
const MESSAGES: Readonly<Record<Reason, string>> = {
  unknown_field: 'is not a field of this request',
  duplicate_key: 'is given twice',
  invalid_utf8: 'is not valid UTF-8',
  syntax: 'is not valid JSON',
  trailing_data: 'has content after the JSON value',
  type: 'has the wrong type',
  format: 'has the wrong format',
  enum: 'is not one of the allowed values',
  range: 'is out of range',
  required: 'is required',
  one_of: 'must be exactly one',
  method_mismatch: 'differs from method',
  invalid: 'is invalid',
  invalid_json: 'is not valid JSON',
  currency_mismatch: 'differs in currency',
  unknown: 'is not known',
  too_large: 'is too large',
  required_by_operation: 'is required by the operation',
  max_length: 'is too long',
  reserved_domain_required: 'must be of a reserved domain outside production',
  hourly_limit: 'has reached a limit per hour',
};

/** Parameters of a refinement that name its reason. */
export function because(
  reason: Reason,
  message: string = MESSAGES[reason],
): { message: string; params: { reason: Reason } } {
  return { message, params: { reason } };
}

/** One error of one field. Without `message` it has the message of its reason. */
export function fieldError(field: string, reason: Reason, message: string = MESSAGES[reason]): FieldError {
  return { field: field.slice(0, MAX_FIELD_LENGTH), reason, message };
}

/** `['player', 'documents', 0]` → `player.documents.0`. */
export function fieldOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Parses `input` by `schema`. `known` are errors of the strict JSON scanner; an error of the schema for the same field
 * replaces them. Returns at most 20 errors, in the order of `inOrder`, then in the order of the schema's fields.
 */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  known: readonly FieldError[] = [],
): ValidationResult<z.output<Schema>> {
  const parsed = schema.safeParse(input, { error: issueMessage });
  if (parsed.success && known.length === 0) return { ok: true, value: parsed.data };
  const found = parsed.success
    ? []
    : parsed.error.issues.flatMap((issue) => errorsOfIssue({ schema, input }, issue, []));
  const fields = new Set(found.map(({ field }) => field));
  return { ok: false, errors: inOrder([...found, ...known.filter(({ field }) => !fields.has(field))]) };
}

/**
 * Sorts errors (stable): an unknown method first, then by the specification's table of reasons (`REASONS`). Keeps one
 * error per field and reason, and only `type` for a field of the wrong type.
 */
export function inOrder(errors: readonly FieldError[]): readonly FieldError[] {
  const mistyped = new Set(errors.filter(({ reason }) => reason === 'type').map(({ field }) => field));
  const kept = errors.filter(({ field, reason }) => reason === 'type' || !mistyped.has(field));
  const once = new Map(kept.map((error) => [`${error.reason} ${error.field}`, error] as const));
  return [...once.values()].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MAX_ERRORS);
}

/** An unknown method is `errors[0]`, even if other fields are wrong too (specification, "Method"). */
function rankOf({ field, reason }: FieldError): number {
  return field === 'method' && reason === 'enum' ? -1 : REASONS.indexOf(reason);
}

type Issue = z.core.$ZodIssue;
/** The schema and its input. Issues contain neither, so that no rejected value leaks. */
interface Subject {
  readonly schema: z.ZodType;
  readonly input: unknown;
}

function errorsOfIssue(subject: Subject, issue: Issue, parents: readonly PropertyKey[]): FieldError[] {
  const path = [...parents, ...issue.path];
  const one = (reason: Reason, message?: string) => [
    fieldError(fieldOf(path), reason, withExample(subject.schema, path, reason, message)),
  ];
  const named = () => namedReason(subject.schema, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => fieldError(fieldOf([...path, key]), 'unknown_field'));
    case 'invalid_type':
    case 'invalid_element':
      return one(valueAt(subject.input, path) === undefined ? 'required' : 'type', issue.message);
    case 'invalid_value':
      return one(reasonOfValue(issue.values, valueAt(subject.input, path)) ?? named() ?? 'enum', issue.message);
    case 'invalid_format':
    case 'invalid_key':
      // The key of a map (a metadata name, a currency code) counts as a field.
      return one(named() ?? 'format', issue.message);
    case 'too_small':
    case 'too_big':
    case 'not_multiple_of':
      return one(named() ?? 'range', issue.message);
    case 'invalid_union':
      return errorsOfUnion(subject, issue, path);
    case 'custom': {
      const reason = reasonOf(issue.params?.['reason']) ?? named() ?? 'invalid';
      return one(reason, issue.message === 'Invalid input' ? undefined : issue.message);
    }
  }
}

/** Adds the example of the field's schema to the message of a wrong format. */
function withExample(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  reason: Reason,
  message: string = MESSAGES[reason],
): string {
  if (reason !== 'format' || /example|such as/.test(message)) return message;
  const example = schemasAt(schema, path)
    .map((layer) => z.globalRegistry.get(layer)?.['example'])
    .find((one) => typeof one === 'string');
  return example === undefined ? message : `${message}, for example ${example}`;
}

/** The errors of the best alternative: the first one with the fewest errors. */
function errorsOfUnion(
  subject: Subject,
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: readonly PropertyKey[],
): FieldError[] {
  const fallback =
    valueAt(subject.input, path) === undefined ? 'required' : issue.discriminator === undefined ? 'type' : 'enum';
  const [best] = issue.errors.filter((branch) => branch.length > 0).sort((a, b) => a.length - b.length);
  if (best === undefined || fallback === 'required') return [fieldError(fieldOf(path), fallback)];
  return best.flatMap((inner) => errorsOfIssue(subject, inner, path));
}

/**
 * Why a value is not in the enumeration: missing or of the wrong type. Undefined: of the right type, but not allowed.
 */
function reasonOfValue(allowed: readonly unknown[], value: unknown): Reason | undefined {
  if (value === undefined) return 'required';
  return allowed.some((one) => typeof one === typeof value && (one === null) === (value === null)) ? undefined : 'type';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function reasonOf(value: unknown): Reason | undefined {
  return REASONS.find((reason) => reason === value);
}

/** The reason that the schema at `path` names in its metadata, if any. */
function namedReason(schema: z.ZodType, path: readonly PropertyKey[]): Reason | undefined {
  return schemasAt(schema, path)
    .map((layer) => reasonOf(z.globalRegistry.get(layer)?.['reason']))
    .find((reason) => reason !== undefined);
}

/** The schemas of the field at `path`, with the schemas that they wrap. */
function schemasAt(schema: z.ZodType, path: readonly PropertyKey[]): z.core.$ZodType[] {
  let layers = layersOf(schema);
  for (const key of path) layers = layers.flatMap((layer) => childOf(layer, key) ?? []).flatMap(layersOf);
  return layers;
}

/** A schema and the schemas that it wraps: optional, nullable, default, readonly, pipe, lazy, union, intersection. */
function layersOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const definition = (schema as z.core.$ZodTypes)._zod.def;
  if ('innerType' in definition) return [schema, ...layersOf(definition.innerType)];
  if (definition.type === 'pipe') return [schema, ...layersOf(definition.in), ...layersOf(definition.out)];
  if (definition.type === 'lazy') return [schema, ...layersOf(definition.getter())];
  if (definition.type === 'union') return [schema, ...definition.options.flatMap(layersOf)];
  if (definition.type === 'intersection') return [schema, ...layersOf(definition.left), ...layersOf(definition.right)];
  return [schema];
}

function childOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const definition = (schema as z.core.$ZodTypes)._zod.def;
  if (definition.type === 'object')
    return Object.hasOwn(definition.shape, key) ? definition.shape[String(key)] : undefined;
  if (definition.type === 'record') return definition.valueType;
  return definition.type === 'array' ? definition.element : undefined;
}
