// The published document of API Pix as a judge: which schema a request or an answer must satisfy. The project does not
// hold the document: an environment variable names its file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { API_PIX } from '../../../providers/pix-api/banks.js';

interface Operation {
  readonly requestBody?: { readonly $ref: string };
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Judge {
  readonly version: string;
  /** The faults of a body that is sent; `undefined`: the document has no such request. */
  request(method: string, path: string, body: unknown): readonly string[] | undefined;
  /** The faults of an answer; of a status or a type of refusal that the document does not have there, that. */
  answer(method: string, path: string, status: number, body: unknown): readonly string[] | undefined;
  /** The faults of one of the document's own bodies, by name. */
  body(name: string, body: unknown): readonly string[];
  /** The faults of the payload of an immediate charge, to which a code points. */
  payload(payload: unknown): readonly string[];
}

/** What is known to be wrong in the document itself, and how it is read here. */
export const SLIPS = [
  {
    what: 'patterns of CPF with slashes around them, which no CPF satisfies',
    of: '"/^\\\\d{11}$/"',
    is: '"^\\\\d{11}$"',
  },
  { what: 'Pix.txid both of 26 to 35 characters (TxId) and of 1 to 35', of: 'Pix.txid', is: 'of 1 to 35' },
  {
    what: 'a location is a uri, and every example is one without a scheme',
    of: '"maxLength":77,"format":"uri"',
    is: '"maxLength":77',
  },
  {
    what: 'a charge of a list needs an idCob, which no schema and no example has',
    of: '["status","txid","idCob"]',
    is: '["status","txid"]',
  },
  { what: 'PixConsultados requires cobs, and holds pix', of: '["parametros","cobs"]', is: '["parametros"]' },
  {
    what: 'lists answer no 400, and the text has CobConsultaInvalida and PixConsultaInvalida with 400',
    of: 'GET /cob, GET /pix',
    is: '400, a Problema',
  },
] as const;

/** The variable that names the document's file. */
export const API_PIX_DOCUMENT = 'API_PIX_DOCUMENT';

/** @param path of the document */
export function openJudge(path: string): Judge {
  const document = mended(parse(readFileSync(path, 'utf8')) as Document);
  assert.equal(API_PIX.contract, `api-pix ${document.info.version}`, 'the adapter is written from another version');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'api-pix');
  const faultsOf = (pointer: string, body: unknown): readonly string[] => {
    const validate = ajv.getSchema(`api-pix#${pointer}`) as ValidateFunction | undefined;
    if (validate === undefined) throw new Error(`the document has no ${pointer}`);
    return validate(body) === true
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message ?? ''}`);
  };
  const kinds = refusalsOf(document.info.description);
  const operationOf = (method: string, called: string) => {
    const template = Object.keys(document.paths).find((one) => isOf(one, called));
    const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
    return template === undefined || operation === undefined ? undefined : { template, operation };
  };
  const schemaOf = (place: string, content: unknown): string => {
    const [type] = Object.keys(content as object);
    return `${place}/content/${escaped(type ?? '')}/schema`;
  };
  return {
    version: document.info.version,
    request(method, called, body) {
      const found = operationOf(method, called);
      const reference = found?.operation.requestBody?.$ref;
      if (found === undefined) return undefined;
      if (reference === undefined) return body === undefined ? [] : ['a body where the document has none'];
      const place = reference.replace('#', '');
      return faultsOf(schemaOf(place, contentAt(document, place)), body);
    },
    answer(method, called, status, body) {
      const found = operationOf(method, called);
      if (found === undefined) return undefined;
      const given = found.operation.responses[String(status)] as { $ref?: string; content?: unknown } | undefined;
      if (given === undefined) return [`status ${status} is not in the document`];
      const place =
        given.$ref?.replace('#', '') ?? `/paths/${escaped(found.template)}/${method.toLowerCase()}/responses/${status}`;
      const faults = faultsOf(schemaOf(place, contentAt(document, place)), body);
      return status < 400 ? faults : [...faults, ...typeFaults(kinds, method, found.template, status, body)];
    },
    payload: (payload) => faultsOf('/components/schemas/CobPayload', payload),
    body: (name, body) =>
      faultsOf(
        schemaOf(`/components/requestBodies/${name}`, contentAt(document, `/components/requestBodies/${name}`)),
        body,
      ),
  };
}

/** A type of refusal: its status, and the calls that may answer it; `null` for every call. */
interface RefusalKind {
  readonly type: string;
  readonly status: number;
  readonly calls: readonly { readonly methods: readonly string[]; readonly path: string }[] | null;
}

/**
 * The types of refusals, which the document describes in prose: a heading, a status, calls (`[GET|PATCH] /cob/{txid}`).
 */
function refusalsOf(description: string): readonly RefusalKind[] {
  return description
    .split(/^### /m)
    .slice(1)
    .flatMap((section): RefusalKind[] => {
      const type = /^`(\w+)`/.exec(section)?.[1];
      const status = /__HTTP Status Code__: \[(\d{3})/.exec(section)?.[1];
      if (type === undefined || status === undefined) return [];
      const calls = /__endpoints__: (.*)/.exec(section)?.[1];
      const named = [...(calls ?? '').matchAll(/`\[?([A-Z|]+)\]? ([^`]+)`/g)];
      return [
        {
          type,
          status: Number(status),
          calls:
            calls === undefined
              ? null
              : named.map(([, methods = '', path = '']) => ({ methods: methods.split('|'), path })),
        },
      ];
    });
}

const TYPE_PREFIX = 'https://pix.bcb.gov.br/api/v2/error/';

function typeFaults(
  kinds: readonly RefusalKind[],
  method: string,
  template: string,
  status: number,
  body: unknown,
): readonly string[] {
  const { type = '' } = (body ?? {}) as { type?: string };
  const kind = kinds.find((one) => TYPE_PREFIX + one.type === type);
  if (kind === undefined) return [`type ${type} is not in the document`];
  if (kind.status !== status) return [`type ${type} goes with ${kind.status}`];
  const isOfCall =
    kind.calls === null || kind.calls.some((call) => call.path === template && call.methods.includes(method));
  return isOfCall ? [] : [`type ${type} is not one of this call`];
}

/** Its slips mended, each of which must be there: a corrected document needs no mending. */
function mended(document: Document): Document {
  const text = JSON.stringify(document);
  const slips = SLIPS.filter(({ of }) => of.includes('"'));
  for (const { of } of slips)
    if (!text.includes(of)) throw new Error(`the document no longer has the slip ${of}: mend nothing`);
  const read = JSON.parse(slips.reduce((left, { of, is }) => left.replaceAll(of, is), text)) as Document;
  const pix = read.components['schemas']?.['Pix'] as { properties: { txid: unknown } };
  for (const path of ['/cob', '/pix']) {
    const responses = read.paths[path]?.['get']?.responses as Record<string, unknown>;
    assert.equal(responses['400'], undefined, `the document has 400 for GET ${path}: mend nothing`);
    responses['400'] = { $ref: '#/components/responses/NaoEncontrado' };
  }
  pix.properties.txid = { type: 'string', pattern: '^[a-zA-Z0-9]{1,35}$' };
  return read;
}

function isOf(template: string, path: string): boolean {
  // Payload locations are not part of the interface between bank and receiver.
  if (/^\/\{|^\/cobv\//.test(template)) return false;
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

function contentAt(document: unknown, pointer: string): unknown {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = parts.reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document);
  return (found as { content?: unknown } | undefined)?.content ?? {};
}

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
