// The contract as each version keeps it: what a generator or a program relies on, without texts, samples and examples.
// `npm run docs` writes kept/<version>.yaml once; a test compares every kept one with what is served now.
import { stringify } from 'yaml';
import { CONTRACT_VERSION, openApiDocument } from './openapi.js';
import type { RouteDefinition } from './route.js';
import { servedDocument } from './served-document.js';

const TEXTS: readonly string[] = ['description', 'summary', 'title', 'example', 'examples', 'x-codeSamples'];

export const KEPT_FILE = `${CONTRACT_VERSION}.yaml`;

/** As YAML, with the routes of the sandbox. Deterministic. */
export function keptContract(routes: readonly RouteDefinition[]): string {
  const document = servedDocument(openApiDocument(routes, { environment: 'sandbox' }));
  return stringify(withoutTexts(document), { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}

/** `holds`: the name of the field that the value is in. Below `properties` every name is a field of an operator's. */
function withoutTexts(value: unknown, holds = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => holds === 'properties' || !TEXTS.includes(name));
  const bare = fields.map(([name, inner]) => [name, withoutTexts(inner, holds === 'properties' ? '' : name)]);
  return Object.fromEntries(holds === 'responses' ? bare.map(described) : bare);
}

/** OpenAPI wants a description of every response. */
function described([status, response]: unknown[]): unknown[] {
  return [status, { description: '', ...(response as object) }];
}
