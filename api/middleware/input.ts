// What a request brings: its body's bytes (check 1), and its parsed and validated query, body and path parameters.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../platform/http/request.js';
import { BODY_LIMIT_BYTES } from './limits.js';
import { bodyTooLarge } from './checks.js';
import { type RequestContext, type Middleware, headerOf, type Input, targetOf } from './request.js';
import { type Reply, replyOfProblem } from './reply.js';
import { z } from 'zod';
import { type FieldError, invalidField, isProblem, type Problem, problem } from '../../contract/http/errors.js';
import type { RouteDefinition } from '../../contract/http/route.js';
import { DISCARDED_FIELD, parseStrictJson, UNSTORABLE_TEXT } from '../../contract/http/strict-json.js';
import { check, fieldError, fieldOf, inOrder } from '../../contract/http/validation.js';

/** How long to drain a refused body, so that the client can read the answer. */
const DRAIN_MS = 3_000;

/** Reads the raw body into the state, or answers 413 and closes the connection. */
export function receiveBody(docsUrl: string): Middleware {
  return async (context, next) => {
    const body = await readBody(context.req, BODY_LIMIT_BYTES);
    if (body === 'aborted') {
      // The client has disconnected.
      context.respond = false;
      return;
    }
    if (body === 'too_large') {
      await refuseAndClose(context, replyOfProblem(bodyTooLarge(), context.state.traceId, docsUrl));
      return;
    }
    context.state.body = body;
    await next();
  };
}

/** Sends the answer at once and closes after the client stops sending: closing earlier would reset the connection. */
async function refuseAndClose(context: RequestContext, reply: Reply): Promise<void> {
  const { req, res } = context;
  context.respond = false;
  context.status = reply.status;
  res.setHeader('Connection', 'close');
  for (const [name, value] of Object.entries(reply.headers)) res.setHeader(name, value);
  res.setHeader('Content-Type', reply.contentType);
  res.setHeader('Content-Length', reply.body.length);
  res.write(reply.body);
  await drained(req, res);
  res.end();
}

function drained(request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, DRAIN_MS);
    function done(): void {
      clearTimeout(timer);
      resolve();
    }
    request.once('end', done).once('close', done);
    response.once('close', done);
    request.resume();
  });
}

export interface RawInput {
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

const JSON_CONTENT_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;
const GIVEN_TWICE = 'is given twice; give it once, for example limit=50';
const NOT_ENCODED = 'is not properly percent-encoded, for example %20 for a space';
const NO_BODY = z.strictObject({});

/** The input of a request to that route, or its refusal. */
export function inputOf(context: RequestContext, route: RouteDefinition, params: RawInput['params']): Input | Problem {
  return readInput(route, {
    target: targetOf(context),
    params,
    contentType: headerOf(context, 'content-type'),
    body: context.state.body,
  });
}

/** Everything that can be refused without I/O: query, then body, then path parameters. */
function readInput(route: RouteDefinition, raw: RawInput): Input | Problem {
  const query = readQuery(route, raw.target);
  if (isProblem(query)) return query;
  const body = route.method === 'GET' ? { value: undefined } : readJsonBody(route, raw);
  if (isProblem(body)) return body;
  const strange = Object.entries(route.params ?? {}).some(([name, pattern]) => !pattern.test(raw.params[name] ?? ''));
  return strange ? problem('not_found') : { query: query.value, body: body.value };
}

/**
 * Known query parameters, each at most once. Unknown ones are ignored: the specification closes bodies, not queries,
 * and intermediaries add parameters. A `+` stays a plus: the query is decoded as a URI, not as a form.
 */
function readQuery({ query: schema }: RouteDefinition, target: string): { value: unknown } | Problem {
  if (schema === undefined) return { value: {} };
  const [, text = ''] = /\?(.*)$/s.exec(target) ?? [];
  const values: Record<string, string> = {};
  const errors: FieldError[] = [];
  for (const part of text.split('&').filter((item) => item !== '')) {
    const split = part.indexOf('=');
    const name = decode(split < 0 ? part : part.slice(0, split));
    const value = split < 0 ? '' : decode(part.slice(split + 1));
    if (name === undefined || !Object.hasOwn(schema.shape, name)) continue;
    if (Object.hasOwn(values, name)) errors.push(fieldError(name, 'format', GIVEN_TWICE));
    else if (value === undefined) errors.push(fieldError(name, 'format', NOT_ENCODED));
    else if (value.includes('\u0000')) errors.push(fieldError(name, 'format', UNSTORABLE_TEXT));
    values[name] = value ?? '';
  }
  const checked = check(schema, values);
  if (checked.ok && errors.length === 0) return { value: checked.value };
  // A parameter given twice is reported once, with any values.
  const wrong = new Set(errors.map(({ field }) => field));
  return refusal(inOrder([...errors, ...(checked.ok ? [] : checked.errors.filter(({ field }) => !wrong.has(field)))]));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readJsonBody(route: RouteDefinition, { body: bytes, contentType }: RawInput): { value: unknown } | Problem {
  const schema = route.body === undefined || route.body === 'none' ? NO_BODY : route.body;
  if (bytes.length === 0 && (schema === NO_BODY || route.bodyOptional === true)) return { value: undefined };
  if (bytes.length > 0 && !JSON_CONTENT_TYPE.test(contentType ?? '')) {
    return invalidField('Content-Type', 'format', 'must be JSON in UTF-8, for example application/json; charset=utf-8');
  }
  const json = parseStrictJson(bytes);
  if (!json.ok) return refusal([json.error]);
  const nested = nestedOperationIds(json.value);
  const checked = check(schema, withoutOperationId(json.value), [...json.problems, ...nested]);
  return checked.ok ? { value: checked.value } : refusal(checked.errors);
}

function refusal(errors: readonly FieldError[]): Problem {
  return problem('validation_failed', { errors });
}

/** The tenant comes from the credential alone; `operation_id` at the root is discarded. */
function withoutOperationId(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, DISCARDED_FIELD))
    return value;
  const { [DISCARDED_FIELD]: _discarded, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** Below the root, `operation_id` is an unknown field, even in maps with free keys. */
function nestedOperationIds(value: unknown, path: readonly (string | number)[] = []): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    const here = key === DISCARDED_FIELD && path.length > 0 && !Array.isArray(value);
    return [
      ...(here ? [fieldError(fieldOf(at), 'unknown_field')] : []),
      ...(path.length === 0 && key === DISCARDED_FIELD ? [] : nestedOperationIds(inner, at)),
    ];
  });
}
