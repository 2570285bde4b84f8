// The served contract has none of the forms on which generators of Go, Java and Python fail. Its answers are as open as
// the specification's tolerant reader demands, and its requests stay closed.
import assert from 'node:assert/strict';
import { openApiDocument } from '../../../contract/http/openapi.js';
import { ROUTES } from '../../../contract/http/routes.js';
import { servedDocument } from '../../../contract/http/served-document.js';

interface Found {
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Every object of a document with its path; examples are no schemas. */
function everyObject(value: unknown, path = ''): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [{ path, fields: value as Found['fields'] }];
  const below = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples');
  return [...own, ...below.flatMap(([name, inner]) => everyObject(inner, `${path}/${name}`))];
}

describe('the served contract', () => {
  const strict = openApiDocument(ROUTES, { environment: 'sandbox' });
  const served = servedDocument(strict);
  const objects = everyObject(served);
  const schemaOf = (name: string) => objects.find(({ path }) => path === `/components/schemas/${name}`)!;
  const below = (name: string) => objects.filter(({ path }) => path.startsWith(`/components/schemas/${name}/`));

  it('has no field that is only null, and no alternatives of formats', () => {
    const wrong = objects.filter(
      ({ path, fields }) =>
        (fields['type'] === 'null' && !path.includes('/anyOf/')) ||
        (Array.isArray(fields['anyOf']) && fields['anyOf'].every((one) => Object.keys(one).join() === 'format')),
    );
    assert.deepEqual(wrong, []);
  });

  for (const name of [
    'Deposit',
    'Withdrawal',
    'Ping',
    'Currency',
    'Event',
    'ReconciliationItem',
    'RuleChange',
    'Problem',
  ]) {
    it(`${name}: unknown values and fields are allowed`, () => {
      const closed = [schemaOf(name), ...below(name)].filter(
        ({ fields }) => 'enum' in fields || 'const' in fields || fields['additionalProperties'] === false,
      );
      assert.deepEqual(closed, []);
    });
  }

  it('still names the known values', () => {
    const { fields } = below('Deposit').find(({ path }) => path.endsWith('/Deposit/properties/status'))!;
    assert.equal(fields['type'], 'string');
    assert.ok((fields['x-extensible-enum'] as string[]).includes('chargeback'));
  });

  it('closes what the gateway refuses: unknown fields of requests, and of Money', () => {
    for (const name of ['CreateDeposit', 'CreateWithdrawal', 'Document', 'Money', 'PositiveMoney'])
      assert.equal(schemaOf(name).fields['additionalProperties'], false, name);
  });

  it('has one type of refusal, with its codes beside it', () => {
    const refusals = objects.filter(({ path }) => path.endsWith('/content/application/problem+json'));
    assert.ok(refusals.length > 20);
    for (const { path, fields } of refusals) {
      const schema = fields['schema'] as Record<string, unknown>;
      assert.equal(schema['$ref'], '#/components/schemas/Problem', path);
      assert.ok((schema['x-codes'] as string[]).length > 0, path);
    }
  });

  it('leaves the strict document as it is', () => {
    const { status } = (strict.components?.schemas?.['Deposit'] as { properties: Record<string, { enum?: unknown }> })
      .properties;
    assert.ok(Array.isArray(status?.enum));
  });
});
