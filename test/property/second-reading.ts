// An independent reading of a POST body: another JSON parser, the specification's words on values, and the published
// document judged by another validator.
import { isUtf8 } from 'node:buffer';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../contract/http/openapi.js';
import type { RouteDefinition } from '../../contract/http/route.js';
import { ROUTES } from '../../contract/http/routes.js';
import { secondOpinion } from '../support/second-json-parser.js';

const MAX_DEPTH = 64;

const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
ajv.addSchema(JSON.parse(JSON.stringify(openApiDocument(ROUTES, { environment: 'sandbox' }))) as object, 'contract');

/** Whether the document allows the body; what it cannot say (`one_of`, …) is not looked at. */
export function isAllowed(route: RouteDefinition, body: Buffer): boolean {
  if (body.length === 0) return route.bodyOptional === true;
  if (!isUtf8(body)) return false;
  const text = body.toString('utf8');
  const { valid, duplicate, depth } = secondOpinion(text);
  if (!valid || duplicate || depth > MAX_DEPTH) return false;
  const value = JSON.parse(text) as unknown;
  return isKeepable(value, 0) && matches(route, withoutOperationId(value));
}

function matches({ path }: RouteDefinition, value: unknown): boolean {
  const pointer = path
    .replaceAll(/:([a-z_]+)/g, '{$1}')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1');
  const reference = `contract#/paths/${encodeURIComponent(pointer)}/post/requestBody/content/application~1json/schema`;
  const validate = ajv.getSchema(reference);
  if (validate === undefined) throw new Error(`the document has no body at ${reference}`);
  return validate(value) === true;
}

/** No NUL, no half of a surrogate pair, no number that is not exact, no `__proto__`, no `operation_id` below the root. */
function isKeepable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !/[\0\p{Cs}]/u.test(value);
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => isKeepable(item, depth + 1));
  return Object.entries(value).every(([key, inner]) => {
    if (key === 'operation_id' && depth === 0) return isKeepableText(inner);
    return key !== '__proto__' && key !== 'operation_id' && isKeepable(key, depth) && isKeepable(inner, depth + 1);
  });
}

/** What is discarded may hold its own `operation_id`, nothing else that is refused. */
function isKeepableText(value: unknown): boolean {
  return (
    JSON.stringify(value) === undefined ||
    isKeepable(JSON.parse(JSON.stringify(value).replaceAll('"operation_id"', '"x"')), 0)
  );
}

function withoutOperationId(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'operation_id'));
}
