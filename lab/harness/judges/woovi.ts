// Woovi's OpenAPI document as a judge of recorded traffic. It is not part of the project: an environment variable names
// its file, and without one nothing is judged. Its own slips are mended here, each with its reason.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Exchange } from '../recorder.js';

/** The file of `https://developers.woovi.com`'s OpenAPI document. */
export const WOOVI_DOCUMENT = 'WOOVI_DOCUMENT';

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}
type Path = Readonly<Record<string, Operation>> & { readonly parameters?: Operation['parameters'] };
interface OpenApi {
  readonly paths: Readonly<Record<string, Path>>;
  readonly components: {
    readonly schemas: Record<string, { properties: Record<string, { enum?: string[]; type?: string }> }>;
  };
}

/** Where the document contradicts its own examples. */
export const SLIPS: Readonly<Record<string, (document: OpenApi) => void>> = {
  'Transaction: the enumerations of type and status are interchanged': ({ components: { schemas } }) => {
    const { type, status } = schemas['Transaction']!.properties;
    [type!.enum, status!.enum] = [status!.enum!, type!.enum!];
  },
  'Charge.expiresIn is a text, and a number in every example': ({ components: { schemas } }) => {
    schemas['Charge']!.properties['expiresIn']!.type = 'number';
  },
  'Payment.status lacks APPROVED, which the examples of its approval have': ({ components: { schemas } }) => {
    schemas['Payment']!.properties['status']!.enum!.push('APPROVED');
  },
  'GET /dispute/{id}: value is a text, and a number in its example': ({ paths }) => {
    const answer = paths['/api/v1/dispute/{id}']?.['get']?.responses['200'] as unknown as DisputeAnswer;
    answer.content['application/json'].schema.properties.dispute.properties.value.type = 'number';
  },
};

interface DisputeAnswer {
  content: { 'application/json': { schema: { properties: { dispute: { properties: { value: { type: string } } } } } } };
}

/** Statuses that the document leaves out everywhere: a missing credential, load, and faults. */
const ANYWHERE = [401, 429, 500];

export interface Judge {
  /** The faults of an exchange; none if all is right. */
  faultsOf(exchange: Exchange): readonly string[];
  /** The same of a webhook about a received PIX. */
  faultsOfPix(body: unknown): readonly string[];
}

/** `mended`: of `SLIPS`. */
export function judgeBy(file: string, mended: readonly string[] = Object.keys(SLIPS)): Judge {
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
  for (const slip of mended) SLIPS[slip]?.(document);
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  (addFormats as unknown as (one: Ajv) => void)(ajv);
  ajv.addSchema(document, 'woovi');
  const faults = (pointer: string, value: unknown, what: string): string[] => {
    const validate = ajv.getSchema(`woovi#${pointer}`) ?? ajv.compile({ $ref: `woovi#${pointer}` });
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath}: ${message ?? 'wrong'}`);
  };
  return {
    faultsOf(exchange) {
      const { method, path, query, body, status, answer } = exchange;
      const templates = Object.keys(document.paths).filter((one) => patternOf(one).test(path));
      // A name as it is goes before a name for anything.
      const template = templates.toSorted((one, other) => placesIn(one) - placesIn(other))[0];
      const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
      if (template === undefined || operation === undefined) return [`${method} ${path}: is not in the document`];
      const at = `${method} ${template}`;
      const known = [...(document.paths[template]?.parameters ?? []), ...(operation.parameters ?? [])];
      const strange = Object.keys(query).filter(
        (name) => !known.some((one) => one.in === 'query' && one.name === name),
      );
      const pointer = `/paths/${escaped(template)}/${method.toLowerCase()}`;
      const content = 'content/application~1json/schema';
      const answered = operation.responses[String(status)];
      return [
        ...strange.map((name) => `${at}: the query ${name} is not in the document`),
        ...(operation.requestBody === undefined ? [] : faults(`${pointer}/requestBody/${content}`, body, `${at} asks`)),
        ...(answered === undefined
          ? ANYWHERE.includes(status)
            ? []
            : [`${at}: the status ${status} is not in the document`]
          : faults(`${pointer}/responses/${status}/${content}`, answer, `${at} answers ${status}`)),
      ];
    },
    faultsOfPix(body) {
      const hook = escaped('{$request.body#/webhook.url}');
      const pointer = `/paths/~1api~1v1~1webhook/post/callbacks/receivedPix/${hook}/post/requestBody/content`;
      return faults(
        `${pointer}/application~1json/schema/properties/charge`,
        (body as { charge: unknown }).charge,
        'charge',
      );
    },
  };
}

const placesIn = (template: string) => template.split('{').length;

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/[.$]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

/** A JSON pointer's token in an URI fragment. */
function escaped(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}
