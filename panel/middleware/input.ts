// A request's parameters, query and body, parsed by the schemas of its route.
import type { z } from 'zod';
import { parseStrictJson } from '../../contract/http/strict-json.js';
import type { PanelRoute } from '../../contract/panel/route.js';
import { issueMessage } from '../../domain/issue-messages.js';
import { readBody } from '../../platform/http/request.js';
import { bounded, TimeoutError } from '../../platform/http/bounded.js';
import { type Refusal, refuse } from '../refusal.js';
import type { RequestContext } from '../request.js';

export const BODY_LIMIT_BYTES = 16 * 1024;
const BODY_TIMEOUT_MS = 5_000;

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export async function readInput(context: RequestContext, route: PanelRoute): Promise<Input | Refusal> {
  const { params, query, body } = route;
  const named = parsed(params, context.state.params, 'not_found');
  if ('refused' in named) return named;
  const asked = parsed(query, onceEach(context.query), 'invalid');
  if ('refused' in asked) return asked;
  if (body === undefined) return { params: named.value, query: asked.value, body: undefined };
  const received = isSent(context) || !body.safeParse(undefined).success ? await receive(context) : NOTHING_SENT;
  if ('refused' in received) return received;
  const sent = parsed(body, received.value, 'invalid');
  return 'refused' in sent ? sent : { params: named.value, query: asked.value, body: sent.value };
}

/** Without a body: nothing of it is declared. Routes may do without one. */
function isSent(context: RequestContext): boolean {
  const declared = [context.get('Content-Type'), context.get('Transfer-Encoding')].some((text) => text !== '');
  return declared || !['', '0'].includes(context.get('Content-Length'));
}

const NOTHING_SENT: Value = { value: undefined };

interface Value {
  readonly value: unknown;
}

function parsed(schema: z.ZodType | undefined, given: unknown, code: 'not_found' | 'invalid'): Value | Refusal {
  if (schema === undefined) return { value: undefined };
  const { success, data, error } = schema.safeParse(given, { error: issueMessage });
  if (success) return { value: data };
  if (code === 'not_found') return refuse(code);
  return refuse(code, {
    issues: error.issues.map(({ path, message }) => ({ path: path.join('.'), problem: message })),
  });
}

/** A repeated parameter is a list, which no schema accepts. */
function onceEach(query: RequestContext['query']): Record<string, unknown> {
  return { ...query };
}

async function receive(context: RequestContext): Promise<Value | Refusal> {
  if (!/^application\/json(;\s*charset=utf-8)?$/i.test(context.get('Content-Type'))) return refuse('not_json');
  const body = await bounded(readBody(context.req, BODY_LIMIT_BYTES), BODY_TIMEOUT_MS, 'the body').catch(
    (error: unknown) => {
      if (error instanceof TimeoutError) return 'too_slow' as const;
      throw error;
    },
  );
  if (typeof body === 'string') {
    // The rest of the body is not read: the connection closes with the answer.
    context.set('Connection', 'close');
    return refuse(body === 'too_large' ? 'too_large' : 'body_too_slow');
  }
  const json = parseStrictJson(body);
  if (json.ok && json.problems.length === 0) return { value: json.value };
  return refuse('invalid', { issues: [{ path: '', problem: 'is not well-formed JSON' }] });
}
