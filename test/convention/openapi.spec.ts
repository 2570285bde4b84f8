// The served contract: valid by the linter, and the same routes as the router, both ways.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import { createRouteMatcher } from '../../api/middleware/request.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { ERRORS } from '../../contract/http/errors.js';
import { codesOf } from '../../contract/http/route.js';
import { openApiDocument, openApiYaml } from '../../contract/http/openapi.js';
import { ROUTES } from '../../contract/http/routes.js';
import { servedDocument } from '../../contract/http/served-document.js';
import { DEPOSIT_TRANSITIONS } from '../../domain/payments/deposit.js';
import { WITHDRAWAL_TRANSITIONS } from '../../domain/payments/withdrawal.js';

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean }[];
  responses: Record<
    string,
    {
      $ref?: string;
      content?: Record<string, { schema: { allOf?: { properties?: { code?: { enum: string[] } } }[] } }>;
    }
  >;
}

describe('the OpenAPI document', () => {
  const document = openApiDocument(ROUTES, { environment: 'sandbox' });
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const of = (name: string) => operations.find(({ operation }) => operation.operationId === name)!.operation;

  it('passes the linter', async function () {
    this.timeout(60_000);
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      for (const environment of ['sandbox', 'production'] as const) {
        const file = join(folder, `${environment}.yaml`);
        await writeFile(file, openApiYaml(ROUTES, { environment }));
        const cli = join(projectRoot(), 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
        const environmentVariables = {
          ...process.env,
          REDOCLY_TELEMETRY: 'off',
          REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        };
        const args = [cli, 'lint', file, '--config', join(projectRoot(), 'redocly.yaml'), '--format', 'json'];
        const { stdout } = await promisify(execFile)(process.execPath, args, {
          env: environmentVariables,
          timeout: 50_000,
          maxBuffer: 16 * 1024 * 1024,
        }).catch((error: { stdout: string }) => error);
        const { problems } = JSON.parse(stdout) as {
          problems: { severity: string; ruleId: string; message: string; location: { pointer?: string }[] }[];
        };
        assert.deepEqual(
          problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`),
          [],
        );
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('says the same to readers of YAML 1.1 and of YAML 1.2', () => {
    const text = openApiYaml(ROUTES, { environment: 'sandbox' });
    const plain = servedDocument(document);
    assert.deepEqual(parse(text, { version: '1.2' }), plain);
    assert.deepEqual(parse(text, { version: '1.1' }), plain);
  });

  it('has every registered route, once', () => {
    assert.deepEqual(
      operations.map(({ operation }) => operation.operationId).sort(),
      ROUTES.map(({ name }) => name).sort(),
    );
  });

  it('has no path that the router does not answer', () => {
    const match = createRouteMatcher(ROUTES, 'sandbox');
    for (const { path, method, operation } of operations) {
      const found = match(method, `/v1${path.replaceAll(/\{[a-z_]+\}/g, 'dep_1')}`);
      assert.equal(found.kind === 'route' ? found.route.name : found.kind, operation.operationId);
    }
  });

  it('describes every event that a transition publishes as a webhook, with its object', () => {
    const webhooks = document.webhooks as unknown as Record<
      string,
      {
        post: {
          requestBody: {
            content: Record<
              string,
              {
                schema: {
                  allOf: {
                    properties: { type: { const: string }; data: { properties: { object: { $ref: string } } } };
                  }[];
                };
              }
            >;
          };
        };
      }
    >;
    const published = [...Object.values(DEPOSIT_TRANSITIONS), ...Object.values(WITHDRAWAL_TRANSITIONS)].map(
      ({ event }) => event as string,
    );
    assert.deepEqual(Object.keys(webhooks).sort(), [...new Set([...published, 'rules.updated'])].sort());
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { properties } = post.requestBody.content['application/json']!.schema.allOf[1]!;
      assert.equal(properties.type.const, type);
      const component = properties.data.properties.object.$ref.split('/').at(-1)!;
      assert.ok(document.components?.schemas?.[component] !== undefined, component);
    }
  });

  it('hides the sandbox in production', () => {
    assert.ok(!openApiYaml(ROUTES, { environment: 'production' }).includes('/sandbox/'));
    assert.ok(openApiYaml(ROUTES, { environment: 'sandbox' }).includes('/sandbox/'));
  });

  for (const route of ROUTES) {
    it(`${route.name}: every error code under its status, the key of a POST, the scopes`, () => {
      const operation = of(route.name);
      for (const code of codesOf(route)) {
        const response = operation.responses[String(ERRORS[code].status)]!;
        const resolved =
          response.$ref === undefined
            ? response
            : (document.components?.responses?.[response.$ref.split('/').at(-1)!] as typeof response);
        assert.ok(
          resolved.content?.['application/problem+json']?.schema.allOf?.[1]?.properties?.code?.enum.includes(code),
          code,
        );
      }
      assert.equal(
        operation.parameters?.some(({ name, required }) => name === 'Idempotency-Key' && required === true) ?? false,
        route.method === 'POST',
      );
      assert.equal(operation.security?.length === 0, route.access === 'public');
      assert.ok(
        operation.responses['413'] !== undefined &&
          operation.responses['429'] !== undefined &&
          operation.responses['503'] !== undefined,
      );
    });
  }

  it('keeps to itself how schemas name their reasons', () => {
    const named: string[] = [];
    const walk = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        // A property that is called `reason` has a schema, not a text.
        if (key === 'reason' && typeof inner === 'string') named.push(`${path}.${key}`);
        else if (key !== 'example' && key !== 'examples') walk(inner, `${path}.${key}`);
      }
    };
    const body = z.strictObject({ name: z.string().max(3).meta({ reason: 'max_length' }) });
    const route = {
      name: 'r',
      method: 'POST',
      path: '/r',
      tag: 'T',
      summary: 'S',
      access: 'any_key',
      body,
      success: {},
      errors: [],
    } as const;
    for (const one of [document, openApiDocument([route], { environment: 'sandbox' })]) walk(one, '');
    assert.deepEqual(named, []);
  });
  it('is the same text every time', () =>
    assert.equal(openApiYaml(ROUTES, { environment: 'sandbox' }), openApiYaml(ROUTES, { environment: 'sandbox' })));
});
