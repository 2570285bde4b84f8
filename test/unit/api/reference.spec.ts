// The API reference and the documentation site: their own files and no others, nothing from elsewhere, no inline script
// that the build did not make.
import assert from 'node:assert/strict';
import Koa from 'koa';
import { pino } from 'pino';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { gunzipSync, gzipSync } from 'node:zlib';
import { loadReferencePage, referencePage } from '../../../api/reference/files.js';
import { reference } from '../../../api/reference/serve.js';
import { builtSite, type Site, SITE_LIST, type SiteList } from '../../../api/reference/site.js';
import { startServer } from '../../../api/app.js';
import type { RunningServer } from '../../../platform/http/server.js';
import type { RequestState } from '../../../api/middleware/request.js';
import { trace } from '../../../api/middleware/trace.js';
import { ERRORS } from '../../../contract/http/errors.js';
import { openApiDocument } from '../../../contract/http/openapi.js';
import { ROUTES } from '../../../contract/http/routes.js';

const DOCS_URL = 'http://docs.test/docs';
const page = referencePage(Buffer.from('export function init() {}\n'));

describe('the API reference', () => {
  let open: RunningServer;
  let closed: RunningServer;
  before(async () => {
    [open, closed] = await Promise.all([serve(page), serve(undefined)]);
  });
  after(() => Promise.all([open.close(), closed.close()]));

  for (const [path, { contentType }] of page) {
    it(`GET ${path} is ${contentType}`, async () => {
      const answer = await get(open, path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], contentType);
      assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/);
      const missing = await get(closed, path);
      assert.equal(missing.status, 404);
      assert.equal((JSON.parse(missing.text) as { code: string }).code, 'not_found');
    });
  }

  it('names no other server, so that opening it calls nobody', () => {
    for (const [path, { body }] of page) assert.doesNotMatch(body.toString(), /(?:https?:)?\/\/[a-z]/i, path);
  });

  it('the renderer fetches no picture from its maker, which the page’s policy would refuse', () => {
    const renderer = loadReferencePage().get('/docs/redoc.js')!.body.toString();
    assert.ok(renderer.includes('redocly logo'), 'the place of the logo');
    assert.ok(!renderer.includes('cdn.redoc.ly'));
  });

  it('configures the renderer to report to nobody', () =>
    assert.match(page.get('/docs/page.js')!.body.toString(), /"disableTelemetry":true/));

  it('has a page for every error, so that `type` of a problem leads somewhere', async () => {
    for (const code of Object.keys(ERRORS))
      assert.ok((await get(open, `/docs/errors/${code}`)).text.includes(`<code>${code}</code>`));
  });

  it('has the webhooks under their own tag, signed samples for every call, and no unnamed case of a schema', () => {
    const document = openApiDocument(ROUTES, { environment: 'sandbox' }) as unknown as {
      tags: { name: string }[];
      webhooks: Record<string, { post: { tags: string[] } }>;
      paths: Record<string, Record<string, { tags: string[]; 'x-codeSamples': { lang: string }[] }>>;
    };
    assert.ok(document.tags.some(({ name }) => name === 'Webhooks'));
    for (const { post } of Object.values(document.webhooks)) assert.deepEqual(post.tags, ['Webhooks']);
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    for (const { tags, 'x-codeSamples': samples } of operations) {
      assert.ok(!tags.includes('Webhooks'));
      assert.ok([1, 5].includes(new Set(samples.map(({ lang }) => lang)).size));
    }
    const walk = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { if: condition, else: otherwise } = schema as { if?: { title?: string }; else?: { title?: string } };
      // The renderer calls a way without a title "case 1" or "case 2".
      if (condition !== undefined)
        assert.deepEqual([typeof condition.title, typeof otherwise?.title], ['string', 'string']);
      for (const inner of Object.values(schema)) walk(inner);
    };
    walk(document);
  });

  it('answers from memory of the client what has not changed', async () => {
    const { headers } = await get(open, '/docs');
    assert.equal((await get(open, '/docs', { 'if-none-match': String(headers['etag']) })).status, 304);
  });

  it('packs what is large for a client that can unpack', async () => {
    const { body, headers } = await request(`http://127.0.0.1:${open.port}/docs/redoc.js`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(Buffer.from(await body.arrayBuffer())).toString(), 'export function init() {}\n');
  });

  for (const path of ['/docs/', '/docs/other', '/docs/signing', '/docs/errors/none', '/docs/page.css/']) {
    it(`${path}: 404`, async () => assert.equal((await get(open, path)).status, 404));
  }

  it('HEAD, POST: 404', async () => {
    for (const method of ['HEAD', 'POST'] as const)
      assert.equal((await request(`http://127.0.0.1:${open.port}/docs`, { method })).statusCode, 404);
  });

  it('leaves every other path to the API', async () => {
    for (const path of ['/', '/docsx', '/v1/docs', '/DOCS']) assert.equal((await get(open, path)).status, 418, path);
  });
});

describe('the documentation site', () => {
  const DIGEST = 'sha256-abc=';
  let folder: string;
  let server: RunningServer;
  const write = (files: Readonly<Record<string, string>>, listed = files) => {
    mkdirSync(join(folder, 'assets'), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(join(folder, file), content);
      writeFileSync(join(folder, `${file}.gz`), gzipSync(content));
    }
    const addresses = (file: string) => (file === 'index.html' ? ['/docs', '/docs/'] : [`/docs/${file}`]);
    const list: SiteList = {
      files: Object.fromEntries(
        Object.keys(listed).flatMap((file) =>
          addresses(file).map((address) => [address, { file, type: 'text/html', etag: 'e1', gzip: true }] as const),
        ),
      ),
      scripts: [DIGEST],
    };
    writeFileSync(join(folder, SITE_LIST), JSON.stringify(list));
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'site-'));
    server = await serve(page, builtSite(folder));
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('is there from the moment in which its build ends; before, /docs is the reference', async () => {
    assert.match((await get(server, '/docs')).text, /API reference/);
    write({ 'index.html': 'the site' });
    for (const path of ['/docs', '/docs/']) assert.equal((await get(server, path)).text, 'the site');
    assert.match((await get(server, '/docs/reference')).text, /API reference/);
  });

  it('may run the inline scripts of its build, and no others', async () => {
    write({ 'index.html': 'the site' });
    const policy = String((await get(server, '/docs')).headers['content-security-policy']);
    assert.ok(policy.includes(`script-src 'self' '${DIGEST}';`), policy);
    assert.ok(!String((await get(server, '/docs/reference')).headers['content-security-policy']).includes(DIGEST));
  });

  it('has only what the build listed', async () => {
    write({ 'index.html': 'the site', 'secret.html': 'not listed' }, { 'index.html': '' });
    for (const path of [`/docs/${SITE_LIST}`, '/docs/secret.html', '/docs/..%2fpackage.json', '/docs/constructor'])
      assert.equal((await get(server, path)).status, 404, path);
    assert.equal((await request(`http://127.0.0.1:${server.port}/docs/../package.json`)).statusCode, 418);
  });

  it('answers what has not changed from memory of the client, and lets it keep what never changes', async () => {
    write({ 'index.html': 'the site', 'assets/a.js': '1' });
    const { headers } = await get(server, '/docs');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal((await get(server, '/docs', { 'if-none-match': String(headers['etag']) })).status, 304);
    assert.match(String((await get(server, '/docs/assets/a.js')).headers['cache-control']), /immutable/);
  });

  it('is packed for a client that can unpack', async () => {
    write({ 'index.html': 'the site' });
    const { headers, body } = await request(`http://127.0.0.1:${server.port}/docs`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(Buffer.from(await body.arrayBuffer())).toString(), 'the site');
  });

  it('outlives a build that replaces its files', async () => {
    write({ 'index.html': 'the site', 'old.html': 'old' });
    assert.equal((await get(server, '/docs/old.html')).status, 200);
    rmSync(join(folder, 'old.html'));
    write({ 'index.html': 'the next', 'new.html': 'new' });
    assert.equal((await get(server, '/docs/old.html')).status, 404);
    assert.equal((await get(server, '/docs/new.html')).text, 'new');
  });
});

function serve(files: typeof page | undefined, site?: Site): Promise<RunningServer> {
  const app = new Koa<RequestState>();
  app.use(trace({ log: pino({ level: 'silent' }), docsUrl: DOCS_URL, nowMs: Date.now, edge: undefined }));
  app.use(reference(files, site, DOCS_URL));
  app.use((context) => {
    context.status = 418;
  });
  return startServer(app, { host: '127.0.0.1', port: 0, docsUrl: DOCS_URL });
}

async function get(server: RunningServer, path: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: answered, body } = await request(`http://127.0.0.1:${server.port}${path}`, { headers });
  return { status: statusCode, headers: answered, text: await body.text() };
}
