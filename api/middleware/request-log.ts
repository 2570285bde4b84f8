// Logs the operations' own calls for their programmers: what was signed, and why it was refused. Written beside the
// requests, so that no payment waits for it; what comes too fast is left out.
import { createHash } from 'node:crypto';
import { isIdOfOurs } from '../../domain/identifiers.js';
import type { BatchedLog } from '../../platform/telemetry/batched-log.js';
import { sourceAddressOf, type TrustedProxies } from '../../platform/http/peer-address.js';
import type { LoggedCall } from '../../store/requests/request-log.js';
import { nonceFault } from './credential-faults.js';
import type { RouteMatch, RouteMatcher } from './route-matcher.js';
import { headerOf, type Middleware, type RequestContext, targetOf } from './request-context.js';
import { canonicalRequest } from './signature.js';

const KEY_ID = /^key_(?:test|live)_[A-Za-z0-9]{1,64}$/;
const TIMESTAMP = /^[0-9]{1,15}$/;
/** Where the sender chose the field's name, which could be anything. */
const NAMED_BY_SENDER = new Set(['unknown_field', 'duplicate_key']);

export interface CallLogOptions {
  readonly calls: Pick<BatchedLog<LoggedCall>, 'add'>;
  readonly nowMs: () => number;
  readonly edge: TrustedProxies | undefined;
  readonly match: RouteMatcher;
}

/** Outside of `trace`, which gives every request its id and its answer. */
export function logCalls({ calls, nowMs, edge, match }: CallLogOptions): Middleware {
  return async (context, next) => {
    const receivedMs = nowMs();
    await next();
    const keyId = headerOf(context, 'svc-key-id');
    // Whoever only knows the key's id must not fill the log.
    const isFlood = context.status === 429 && context.state.isSigned !== true;
    if (keyId === undefined || !KEY_ID.test(keyId) || isFlood || !targetOf(context).startsWith('/v1/')) return;
    const call = { keyId, receivedMs, durationMs: nowMs() - receivedMs, address: sourceAddressOf(context.req, edge) };
    // A call that is refused early names its route, too.
    calls.add(callOf(context, match(context.method, targetOf(context)), call));
  };
}

interface Call {
  readonly keyId: string;
  readonly receivedMs: number;
  readonly durationMs: number;
  readonly address: string;
}

function callOf(
  context: RequestContext,
  match: RouteMatch,
  { keyId, receivedMs, durationMs, address }: Call,
): LoggedCall {
  const { objectId, traceId, isSigned = false, body = Buffer.alloc(0) } = context.state;
  const { route = null, params = {} } = match.kind === 'route' ? match : {};
  const timestamp = headerOf(context, 'svc-timestamp');
  const nonce = headerOf(context, 'svc-nonce');
  const signedTimestamp = timestamp !== undefined && TIMESTAMP.test(timestamp) ? timestamp : null;
  const signedNonce = nonce !== undefined && nonceFault(nonce) === undefined ? nonce : null;
  const id = objectId ?? params['id'];
  const { method } = context;
  return {
    keyId,
    traceId,
    receivedAt: new Date(receivedMs).toISOString(),
    isSigned,
    method: /^[A-Z]{1,10}$/.test(method) ? method : 'OTHER',
    route: route === null ? null : `/v1${route.path.replaceAll(/:([a-z_]+)/g, '{$1}')}`,
    objectId: id !== undefined && isIdOfOurs(id) ? id : null,
    status: context.status,
    ...refusalOf(context),
    isReplayed: context.response.get('Idempotent-Replayed') === 'true',
    durationMs: Math.round(durationMs),
    address,
    signedTimestamp,
    signedNonce,
    bodySha256: sha256(body),
    canonicalSha256:
      signedTimestamp === null || signedNonce === null
        ? null
        : sha256(
            canonicalRequest({
              timestamp: signedTimestamp,
              nonce: signedNonce,
              method,
              target: targetOf(context),
              body,
            }),
          ),
  };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Why it was refused, as the answer says it: also a recorded one. Our own words, and names of our fields, only. */
function refusalOf(context: RequestContext): Pick<LoggedCall, 'code' | 'detail' | 'errors'> {
  const { status, body } = context;
  if (status < 400 || !Buffer.isBuffer(body)) return { code: null, detail: null, errors: [] };
  const { code, detail, errors } = JSON.parse(body.toString('utf8')) as {
    readonly code: string;
    readonly detail?: string;
    readonly errors?: readonly { readonly field: string; readonly reason: string }[];
  };
  const named = (errors ?? []).map(({ field, reason }) => ({
    field: NAMED_BY_SENDER.has(reason) || field.startsWith('metadata.') ? null : field,
    reason,
  }));
  return { code, detail: detail ?? null, errors: named };
}
