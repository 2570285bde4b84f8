// The OpenAPI 3.1 document, generated from the route table and its schemas. It contains only registered routes.
import { createHash, createHmac } from 'node:crypto';
import { stringify } from 'yaml';
import { z } from 'zod';
import {
  createDocument,
  createSchema,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';

type ZodOpenApiSchemas = NonNullable<NonNullable<Parameters<typeof createDocument>[0]['components']>['schemas']>;
import { codeSamplesOf } from './code-samples.js';
import { codesOf, type RouteDefinition } from './route.js';
import { ERRORS, type ErrorCode, REASONS } from './errors.js';
import { BESIDE_THE_TABLE, creationList } from './verdicts.js';
import { servedDocument } from './served-document.js';
import { externalRef } from './schemas/fields.js';
import { openApiWebhooks, WEBHOOKS_TAG } from './webhooks.js';

export const CONTRACT_VERSION = '1.1.0';

const SIGNATURE_HEADERS = {
  SvcKeyId: {
    name: 'Svc-Key-Id',
    description: '`key_test_` (sandbox) or `key_live_` (production) and 1 to 64 letters and digits.',
  },
  SvcTimestamp: {
    name: 'Svc-Timestamp',
    description: 'Unix seconds: digits only, within 300 s of the server’s clock.',
  },
  SvcNonce: { name: 'Svc-Nonce', description: '32 lower-case hex characters, random, new for every request.' },
  SvcSignature: { name: 'Svc-Signature', description: '`v1=` and 64 lower-case hex characters; see the introduction.' },
} as const;

/** The document as YAML, with the routes of that environment. Deterministic. */
export function openApiYaml(
  routes: readonly RouteDefinition[],
  { environment }: { environment: 'sandbox' | 'production' },
): string {
  // Many parsers still read YAML 1.1, where an unquoted time is a date and `NO` is false. `compat` quotes such values.
  return stringify(servedDocument(openApiDocument(routes, { environment })), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
  });
}

/** The strict document, which tests hold answers to. */
export function openApiDocument(
  routes: readonly RouteDefinition[],
  { environment }: { environment: 'sandbox' | 'production' },
): ReturnType<typeof createDocument> {
  const registered = routes.filter((route) => environment === 'sandbox' || route.sandboxOnly !== true);
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of registered) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Operator Payments Gateway', version: CONTRACT_VERSION, description: introduction(registered) },
      servers: [{ url: '/v1', description: 'The version is part of every signed path.' }],
      security: [Object.fromEntries(Object.keys(SIGNATURE_HEADERS).map((name) => [name, []]))],
      tags: [...[...new Set(registered.map(({ tag }) => tag))].map((name) => ({ name })), WEBHOOKS_TAG],
      paths,
      webhooks: openApiWebhooks(),
      components: {
        schemas: problemComponents(),
        securitySchemes: Object.fromEntries(
          Object.entries(SIGNATURE_HEADERS).map(([name, header]) => [
            name,
            { type: 'apiKey' as const, in: 'header' as const, ...header },
          ]),
        ),
      },
    },
    // `reason` in a schema's metadata is for validation.ts only.
    { override: ({ jsonSchema }) => void delete (jsonSchema as { reason?: unknown }).reason },
  );
}

function operationOf(route: RouteDefinition): ZodOpenApiOperationObject {
  const scopes =
    typeof route.access === 'string'
      ? { public: 'Public: unsigned.', any_key: 'Any valid key.' }[route.access]
      : `Scope: ${route.access.map((scope) => `\`${scope}\``).join(' or ')}.`;
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    description: [
      route.description,
      scopes,
      route.listing === true ? 'At most 5 requests per second and key.' : undefined,
    ]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    ...(route.access === 'public' ? { security: [] } : {}),
    requestParams: parametersOf(route),
    ...(route.body === undefined || route.body === 'none'
      ? {}
      : {
          requestBody: {
            required: route.bodyOptional !== true,
            content: { 'application/json': { schema: route.body } },
          },
        }),
    responses: Object.fromEntries([...successResponsesOf(route), ...problemResponsesOf(route)]),
    'x-codeSamples': codeSamplesOf(route),
  };
}

function successResponsesOf(route: RouteDefinition): [string, ZodOpenApiResponseObject][] {
  return Object.entries(route.success).map(
    ([status, { description, schema, contentType = 'application/json', headers = {} }]): [
      string,
      ZodOpenApiResponseObject,
    ] => [
      status,
      {
        description,
        headers: {
          ...TRACE_HEADER,
          ...(route.method === 'POST' ? REPLAYED_HEADER : {}),
          ...Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, stringHeader(text)])),
        },
        ...(schema === undefined ? {} : { content: { [contentType]: { schema } } }),
      },
    ],
  );
}

function parametersOf(route: RouteDefinition): ZodOpenApiParameters {
  const names = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name]) => name!);
  const path = Object.fromEntries(names.map((name) => [name, pathParameter(route.params?.[name])]));
  const header = {
    ...(route.method === 'POST' ? { 'Idempotency-Key': idempotencyKey } : {}),
    ...(route.errors.includes('etag_mismatch')
      ? { 'If-Match': z.string().regex(/\S/).meta({ description: 'The `ETag` of `GET /rules`.', example: '"1"' }) }
      : {}),
  };
  return {
    ...(names.length === 0 ? {} : { path: z.object(path) }),
    ...(route.query === undefined ? {} : { query: route.query }),
    ...(Object.keys(header).length === 0 ? {} : { header: z.object(header) }),
  };
}

const idempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{16,128}$/)
  .meta({
    description: 'New for every intent. A retry sends the same key and the same body, byte for byte. Kept for 30 days.',
    example: '7d9f3c1e-5b2a-4c8d-9e0f-1a2b3c4d5e6f',
  });

function pathParameter(pattern: RegExp | undefined): z.ZodType {
  return pattern === undefined ? externalRef : z.string().regex(pattern);
}

function problemResponsesOf(route: RouteDefinition): [string, ZodOpenApiResponseObject][] {
  const byStatus = new Map<number, readonly ErrorCode[]>();
  for (const code of codesOf(route))
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  byStatus.set(413, ['validation_failed']);
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => {
      const shared = SHARED_PROBLEMS.find(
        (one) =>
          one.status === status && one.codes.length === codes.length && codes.every((code) => one.codes.includes(code)),
      );
      return [String(status), shared?.response ?? problemResponse(status, codes)];
    });
}

function problemResponse(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const retry = status === 429 || status === 503 || codes.includes('day_open');
  return {
    description: codes
      .map((code) => `\`${code}\`: ${status === 413 ? 'The body is over 64 KiB.' : ERRORS[code].detail}`)
      .join('\n\n'),
    headers: {
      ...TRACE_HEADER,
      ...(REPLAYED_REFUSALS.includes(status) ? REPLAYED_HEADER : {}),
      ...(retry ? { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } } : {}),
    },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { status: { const: status }, code: { enum: [...codes] } } },
          ],
        },
        example: problemExample(status, codes[0]!),
      },
    },
  };
}

function problemExample(status: number, code: ErrorCode): Record<string, unknown> {
  const { retryable, detail } = ERRORS[code];
  const errors =
    code !== 'validation_failed'
      ? {}
      : {
          errors: [
            status === 413
              ? { field: '', message: 'the body is over 64 KiB', reason: 'too_large' }
              : { field: 'external_id', message: 'is required', reason: 'required' },
          ],
        };
  return {
    type: `https://docs.example/errors/${code}`,
    title: code,
    status,
    code,
    detail,
    trace_id: '3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c',
    retryable,
    ...errors,
  };
}

const fieldErrorSchema = z
  .object({
    field: z.string(),
    message: z.string(),
    reason: z
      .string()
      .meta({ examples: [...REASONS], description: 'Open list; an unknown reason is a general validation error.' }),
  })
  .meta({ id: 'FieldError' });

const problemSchema = z
  .object({
    type: z.string().meta({ format: 'uri-reference', description: '`{docs_url}/errors/<code>`' }),
    title: z.string().meta({ description: 'Equals `code`.' }),
    status: z.int(),
    code: z
      .string()
      .meta({ description: 'Stable; the only field to test. An unknown code is handled by its HTTP class.' }),
    detail: z.string(),
    trace_id: z
      .string()
      .meta({ description: 'Also in the header `Svc-Trace-Id`; on a replayed response, that of the first run.' }),
    retryable: z.boolean(),
    existing: z
      .unknown()
      .optional()
      .meta({
        description: 'On `duplicate_external_id` and `invalid_state_transition`: the deposit or withdrawal as it is.',
        override: { anyOf: [{ $ref: '#/components/schemas/Deposit' }, { $ref: '#/components/schemas/Withdrawal' }] },
      }),
    errors: z.array(fieldErrorSchema).optional(),
  })
  .meta({ description: 'RFC 9457 problem details.' });

/** Generated for output only: by default the library also generates an input variant of each schema. */
function problemComponents(): ZodOpenApiSchemas {
  const { schema, components } = createSchema(problemSchema, { io: 'output' });
  return { Problem: schema, ...components } as ZodOpenApiSchemas;
}

const stringHeader = (description: string) => ({ description, schema: { type: 'string' as const } });
const TRACE_HEADER = { 'Svc-Trace-Id': stringHeader('Identifies this response in the service’s logs.') };
const REPLAYED_HEADER = {
  'Idempotent-Replayed': {
    description: '`true` when this is the recorded response of an earlier run of the POST.',
    schema: { type: 'string' as const, const: 'true' },
  },
};

/** Statuses of errors that can follow the check of the `Idempotency-Key` and are recorded under it. */
const REPLAYED_REFUSALS = [400, 404, 409, 412, 422];

/** Answers that many routes share. They are the same objects, so that the document contains each once. */
const SHARED_PROBLEMS = (
  [
    ['ValidationFailed', 400, ['validation_failed']],
    ['Unauthorized', 401, ['invalid_signature', 'timestamp_out_of_window', 'replayed_nonce', 'unknown_key']],
    ['Forbidden', 403, ['ip_not_allowed', 'insufficient_scope', 'operation_suspended']],
    ['NotFound', 404, ['not_found']],
    ['BodyTooLarge', 413, ['validation_failed']],
    ['RateLimited', 429, ['rate_limited']],
    ['InternalError', 500, ['internal_error']],
    ['ServiceUnavailable', 503, ['service_unavailable']],
  ] as const
).map(([id, status, codes]) => ({
  status,
  codes: codes as readonly ErrorCode[],
  response: { ...problemResponse(status, codes), id },
}));

/** A computed example of a signature. */
function signingExample(): string {
  const secret = 'example-secret-do-not-use';
  const body = '{"external_id":"order-1"}';
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const canonical = ['v1', '1795262400', '00112233445566778899aabbccddeeff', 'POST', '/v1/deposits', bodyHash].join(
    '\n',
  );
  const signature = createHmac('sha256', secret).update(canonical).digest('hex');
  return [
    '```',
    `secret:     ${secret}`,
    `body:       ${body}`,
    'canonical request:',
    ...canonical.split('\n').map((line) => `  ${line}`),
    `Svc-Signature: v1=${signature}`,
    '```',
  ].join('\n');
}

const introduction = (
  routes: readonly RouteDefinition[],
) => `Deposits (cash-in) and withdrawals (cash-out) for operators, over PIX in BRL.

## Signing

Every request except \`GET /openapi.yaml\` carries \`Svc-Key-Id\`, \`Svc-Timestamp\`, \`Svc-Nonce\` and
\`Svc-Signature\`. The canonical request is six lines separated by LF, with none at the end: \`v1\`, the timestamp, the
nonce, the method in upper case, the path with \`/v1\` and the query exactly as sent, and the lower-case hex SHA-256 of
the raw body (of the empty string without a body). The signature is the lower-case hex HMAC-SHA256 of these bytes. The
secret is used as the UTF-8 bytes of the string that you received. Sign exactly the bytes that you send. A retry is a
new request with a new timestamp, nonce and signature.

${signingExample()}

## Repeating

Every POST carries an \`Idempotency-Key\`. Store it **with the bytes of the body** before the first attempt. A repeat,
also after a crash, sends the same key and the same body byte for byte, with a new signature. What an error of
\`POST /deposits\` or \`POST /withdrawals\` says about the payment depends on its \`code\`:

${creationList(routes)}

${BESIDE_THE_TABLE} No other endpoint decides a payment: a refused cancel changes nothing. Keys are kept for 30 days.

## Bodies and queries

Bodies are strict: an unknown field, a repeated key or content after the JSON value is an error. Unknown query
parameters are ignored; a known one may appear once. \`errors[]\` lists every invalid field, sorted by reason, at
most 20.

## Open lists

Accept unknown values of \`status\`, event \`type\`, \`method\`, \`rail\` and \`kind\`, and unknown fields. An
unknown status is non-terminal and never moves money.`;
