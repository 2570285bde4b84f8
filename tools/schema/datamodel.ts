// What prisma/schema.prisma says a database has: read from the models that `prisma generate` writes as data.
import { readFileSync } from 'node:fs';
import type { GeneratorOptions } from '@prisma/generator-helper';
import { inRoot } from '../bootstrap/root.mjs';
import type { Catalogue, Column, ForeignKey, Index, Table } from './catalogue.js';

type Datamodel = GeneratorOptions['dmmf']['datamodel'];
type Model = Datamodel['models'][number];
type Field = Model['fields'][number];

const SCHEMA = inRoot('prisma', 'schema.prisma');
const DATAMODEL = inRoot('prisma', 'generated', 'datamodel.json');

/** PostgreSQL's types, as `format_type` spells them, of fields without an `@db` attribute. */
const TYPES: Record<string, string> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Boolean: 'boolean',
  Bytes: 'bytea',
  Json: 'jsonb',
};

/** The tables that the schema describes, by name. Throws for a part of Prisma's language that it does not know. */
export function describedCatalogue(file = DATAMODEL): Catalogue {
  const { schema, datamodel } = JSON.parse(readFileSync(file, 'utf8')) as { schema: string; datamodel: Datamodel };
  if (schema !== readFileSync(SCHEMA, 'utf8'))
    throw new Error('prisma/schema.prisma was edited after "prisma generate": run "npx prisma generate"');
  if (datamodel.enums.length > 0 || datamodel.types.length > 0) throw new Error('enums and types are not compared');
  const models = new Map(datamodel.models.map((model) => [model.name, model]));
  return new Map(datamodel.models.map((model) => [tableOf(model), describeTable(model, models, datamodel)]));
}

function describeTable(model: Model, models: ReadonlyMap<string, Model>, { indexes }: Datamodel): Table {
  const isColumn = ({ kind }: Field) => kind !== 'object';
  const columnsOf = (names: readonly string[]) => names.map((name) => columnOf(fieldOf(model, name)));
  return {
    columns: new Map(model.fields.filter(isColumn).map((field) => [columnOf(field), describeColumn(field)])),
    indexes: indexes
      .filter((index) => index.model === model.name)
      .map(({ type, algorithm, fields }): Index => {
        if (type === 'fulltext') throw new Error(`the full-text index of ${model.name} is not compared`);
        const method = algorithm?.toLowerCase() ?? 'btree';
        return { kind: type === 'normal' ? 'index' : type, method, columns: columnsOf(fields.map(({ name }) => name)) };
      }),
    foreignKeys: model.fields
      .filter(({ relationFromFields }) => (relationFromFields?.length ?? 0) > 0)
      .map((field) => describeForeignKey(field, columnsOf(field.relationFromFields ?? []), models)),
  };
}

function describeColumn(field: Field): Column {
  const type = `${typeOf(field)}${field.isList ? '[]' : ''}`;
  // A list has no nullability in Prisma: it reads null as an empty list.
  return { type, nullable: field.isList ? undefined : !field.isRequired, default: defaultOf(field) };
}

function typeOf({ name, type, nativeType }: Field): string {
  const [native, args = []] = nativeType ?? [];
  switch (native) {
    case undefined: {
      const known = TYPES[type];
      if (known === undefined) throw new Error(`the type ${type} of the field ${name} needs an @db attribute`);
      return known;
    }
    case 'Timestamptz':
      return `timestamp(${args[0]}) with time zone`;
    case 'Decimal':
      return `numeric(${args.join(',')})`;
    case 'Date':
    case 'Uuid':
      return native.toLowerCase();
    default:
      throw new Error(`the type @db.${native} of the field ${name} is not compared`);
  }
}

/** As {@link Column.default} spells it. */
function defaultOf({ name, default: value }: Field): string | null {
  if (value === undefined) return null;
  if (Array.isArray(value)) {
    if (value.length > 0) throw new Error(`the default of the list ${name} is not compared`);
    return '[]';
  }
  if (typeof value !== 'object') return String(value);
  const { name: generator } = value as { name: string };
  if (generator !== 'now' && generator !== 'autoincrement')
    throw new Error(`the default ${generator}() of the field ${name} is not compared`);
  return `${generator}()`;
}

function describeForeignKey(field: Field, columns: string[], models: ReadonlyMap<string, Model>): ForeignKey {
  const target = models.get(field.type);
  if (target === undefined) throw new Error(`the relation ${field.name} names no model`);
  return {
    columns,
    table: tableOf(target),
    references: (field.relationToFields ?? []).map((name) => columnOf(fieldOf(target, name))),
    // Prisma's default for a relation.
    onDelete: field.relationOnDelete ?? (field.isRequired ? 'Restrict' : 'SetNull'),
    onUpdate: field.relationOnUpdate ?? 'Cascade',
  };
}

function fieldOf(model: Model, name: string): Field {
  const field = model.fields.find((one) => one.name === name);
  if (field === undefined) throw new Error(`the model ${model.name} has no field ${name}`);
  return field;
}

const tableOf = ({ name, dbName }: Model) => dbName ?? name;
const columnOf = ({ name, dbName }: Field) => dbName ?? name;
