// client/types.ts, written from the served contract: `npm run docs` writes it, a test compares it. The names are the
// ones that read well in an operator's code; the shapes are the document's.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { openApiDocument } from '../../contract/http/openapi.js';
import { ROUTES } from '../../contract/http/routes.js';
import { SANDBOX_WITHDRAWAL_ACTIONS } from '../../contract/http/sandbox-routes.js';
import { METHODS } from '../../domain/currencies.js';
import { DEPOSIT_STATUSES } from '../../domain/payments/deposit.js';
import { WITHDRAWAL_STATUSES } from '../../domain/payments/withdrawal.js';

export const CLIENT_TYPES_FILE = join(projectRoot(), 'client', 'types.ts');

/** What the document's schemas are made of; anything else in one is a reason to extend this file. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** Components under another name. Several under one name have to be the same type. */
const NAMES: Readonly<Record<string, string>> = {
  CreateDeposit: 'NewDeposit',
  CreateWithdrawal: 'NewWithdrawal',
  DepositPlayer: 'Player',
  WithdrawalPlayer: 'Player',
  Document: 'PlayerDocument',
  PayerDocument: 'PlayerDocument',
  PositiveMoney: 'Money',
  PixMoney: 'Money',
  Event: 'GatewayEvent',
  ProposeRuleChange: 'RuleChangeProposal',
  RuleSet: 'ProposedRuleSet',
  RuleSetOutput: 'RuleSet',
  RecallWithdrawal: 'Recall',
  SandboxPayDeposit: 'SandboxPayment',
  WebhookDelivery: 'DeliveryLogEntry',
};

/** What is read, changed and sent back: its lists stay open, so that a value of a later version passes through. */
const SENT_BACK: ReadonlySet<string> = new Set(['RuleSet']);

const NAMED_LISTS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['Method', METHODS],
  ['DepositStatus', DEPOSIT_STATUSES],
  ['WithdrawalStatus', WITHDRAWAL_STATUSES],
  ['SandboxWithdrawalAction', SANDBOX_WITHDRAWAL_ACTIONS],
];

const HEAD = `// The resources of the gateway's contract as an operator sees them. Names and shapes are the wire's own.
// Lists that may grow are open: an unknown value is tolerated, is not terminal, and never moves money.
// Written by \`npm run docs\` from the served contract: change contract/http/schemas/, not this file.

/** One of the known values, or one that a later version of the service adds. */
export type Open<Known extends string> = Known | (string & {});

/** RFC 3339 in UTC. */
export type Timestamp = string;

/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}
`;

/** The whole file. Throws when two components that share a name differ, or a schema cannot be expressed. */
export function clientTypes(): string {
  const components = openApiDocument(ROUTES, { environment: 'sandbox' }).components?.schemas as Readonly<
    Record<string, Schema>
  >;
  const asked = reachable(components, (name) => isRequestBody(name));
  const written = new Map<string, string>();
  for (const [component, schema] of Object.entries(components)) {
    if (isPage(schema) || component === 'Empty') continue;
    const name = nameOf(component);
    // The same type with a narrower value, which TypeScript does not know.
    if (schema.$ref !== undefined && typeOf(schema, false, '') === name) continue;
    const declaration = declare(name, schema, !asked.has(component) || SENT_BACK.has(component));
    const other = written.get(name);
    if (other !== undefined && withoutComments(other) !== withoutComments(declaration))
      throw new Error(`two components called ${name} differ`);
    written.set(name, other ?? declaration);
  }
  const lists = NAMED_LISTS.map(([name, values]) => `export type ${name} = Open<${wrapped(values)}>;\n`);
  return [HEAD, ...lists, ...[...written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)].join('\n');
}

/** Writes the file. */
export function writeClientTypes(): void {
  writeFileSync(CLIENT_TYPES_FILE, clientTypes());
}

function isRequestBody(name: string): boolean {
  return ROUTES.some((route) => 'body' in route && (route.body.meta()?.id ?? '') === name);
}

/**
 * The components that are named, and everything below them. What an operator sends is closed, what it reads is open.
 */
function reachable(
  components: Readonly<Record<string, Schema>>,
  isStart: (name: string) => boolean,
): ReadonlySet<string> {
  const found = new Set(Object.keys(components).filter(isStart));
  for (const name of found) {
    for (const [, below] of JSON.stringify(components[name]).matchAll(/"#\/components\/schemas\/([A-Za-z]+)"/g))
      found.add(below!);
  }
  return found;
}

const isPage = ({ properties }: Schema) =>
  properties?.['data'] !== undefined && properties['next_cursor'] !== undefined;
const nameOf = (component: string) => NAMES[component] ?? component;
/** A union on as many lines as it needs. */
const wrapped = (values: readonly string[]) => union(values).replace(/(.{60,80}?) \| /g, '$1\n  | ');

const union = (values: readonly string[]) => values.map((value) => `'${value}'`).join(' | ');
const withoutComments = (text: string) => text.replaceAll(/ *\/\*\*.*\*\/\n/g, '');

function declare(name: string, schema: Schema, isOpen: boolean): string {
  const body = typeOf(schema, isOpen, '');
  const comment = commentOf(schema, '');
  return schema.properties === undefined
    ? `${comment}export type ${name} = ${body};\n`
    : `${comment}export interface ${name} ${body}\n`;
}

function commentOf({ description }: Schema, indent: string): string {
  return description === undefined
    ? ''
    : `${indent}/** ${description.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /')} */\n`;
}

function typeOf(schema: Schema, isOpen: boolean, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split('/').at(-1)!);
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (schema.enum !== undefined) return listOf(schema.enum, isOpen);
  // Alternatives of `format` for one text are one type in TypeScript.
  if (schema.anyOf !== undefined && schema.type === undefined)
    return schema.anyOf.map((one) => typeOf(one, isOpen, indent)).join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeOf({ ...schema, type }, isOpen, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? 'Timestamp' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, isOpen, indent));
    case 'object':
      return objectOf(schema, isOpen, indent);
    case undefined:
      if (Object.keys(schema).every((key) => key === 'description')) return 'unknown';
  }
  throw new Error(`this cannot be written as a type yet: ${JSON.stringify(schema)}`);
}

function listOf(values: readonly string[], isOpen: boolean): string {
  const named = NAMED_LISTS.find(
    ([, known]) => known.length === values.length && known.every((value) => values.includes(value)),
  );
  if (named !== undefined) return named[0];
  return isOpen ? `Open<${union(values)}>` : union(values);
}

function arrayOf(item: string): string {
  return /^[A-Za-z]+(<.*>)?$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  isOpen: boolean,
  indent: string,
): string {
  const more = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const deeper = `${indent}  `;
  if (Object.keys(properties).length === 0)
    return `Readonly<Record<string, ${more === undefined ? 'unknown' : typeOf(more, isOpen, indent)}>>`;
  const fields = Object.entries(properties).map(([name, schema]) => {
    // A field that is always null today is one that a later version fills.
    const type = schema.type === 'null' ? 'unknown' : typeOf(schema, isOpen, deeper);
    return `${commentOf(schema, deeper)}${deeper}readonly ${name}${required.includes(name) ? '' : '?'}: ${type};\n`;
  });
  const rest = more === undefined ? '' : `${deeper}readonly [field: string]: unknown;\n`;
  return `{\n${fields.join('')}${rest}${indent}}`;
}
