// `gateway sign`: what it prints can be sent as it is, and verifies.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGateway } from '../../../cli/program.js';

const SECRET = "it's $ecret `x`";

interface Signed {
  readonly canonical: string[];
  readonly signature: string;
  readonly headers: Record<string, string>;
  readonly curl: string;
  readonly expires_at: string;
}

async function sign(...argv: string[]): Promise<{ signed: Signed; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const given = [
    'sign',
    ...argv,
    '--key-id',
    'key_test_abc',
    '--secret',
    SECRET,
    '--base-url',
    'http://127.0.0.1:7800/v1',
  ];
  const exitCode = await runGateway(given, {
    environment: {},
    writeOut: (text) => (stdout += text),
    writeError: (text) => (stderr += text),
  });
  assert.equal(exitCode, 0, stderr);
  return { signed: JSON.parse(stdout) as Signed, stderr };
}

/** The words that a shell passes to curl. */
function wordsOf(curl: string): string[] {
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${curl}`]).toString('utf8');
  return printed.split('\0').slice(0, -1);
}

function headersOf(words: readonly string[]): Record<string, string> {
  const lines = words.filter((_, index) => words[index - 1] === '--header');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
}

describe('gateway sign', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "gateway sign's "));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('prints six lines, of which the signature is the HMAC, and only JSON without --explain', async () => {
    const { signed, stderr } = await sign('get', '/v1/deposits?limit=5&cursor=a%20b');
    assert.equal(stderr, '');
    const [version, timestamp, nonce, ...rest] = signed.canonical;
    assert.equal(version, 'v1');
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 5);
    assert.match(nonce ?? '', /^[0-9a-f]{32}$/);
    assert.deepEqual(rest, ['GET', '/v1/deposits?limit=5&cursor=a%20b', createHash('sha256').digest('hex')]);
    assert.equal(signed.signature, createHmac('sha256', SECRET).update(signed.canonical.join('\n')).digest('hex'));
    assert.deepEqual(signed.headers, {
      'Svc-Key-Id': 'key_test_abc',
      'Svc-Timestamp': timestamp,
      'Svc-Nonce': nonce,
      'Svc-Signature': `v1=${signed.signature}`,
    });
    assert.equal(Date.parse(signed.expires_at), (Number(timestamp) + 300) * 1000);
  });

  it('puts /v1 in front of a path without it, and nowhere else', async () => {
    const pathOf = async (path: string) => (await sign('GET', path)).signed.canonical[4];
    assert.equal(await pathOf('/ping'), '/v1/ping');
    assert.equal(await pathOf('/v1/ping'), '/v1/ping');
    assert.equal(await pathOf('/v10/ping'), '/v1/v10/ping');
    assert.equal(await pathOf('/v1?x=1'), '/v1?x=1');
  });

  it('signs the body byte for byte; the curl sends exactly that, or an empty one, with headers of its own', async () => {
    const body = Buffer.from('{"a": "ç"}\r\n\n');
    const file = join(folder, 'the body.json');
    writeFileSync(file, body);
    const { signed } = await sign('POST', '/deposits', '--body', file);
    assert.equal(signed.canonical[5], createHash('sha256').update(body).digest('hex'));
    assert.match(signed.headers['Idempotency-Key'] ?? '', /^[A-Za-z0-9_.:-]{16,128}$/);
    assert.equal(signed.headers['Content-Type'], 'application/json; charset=utf-8');
    const words = wordsOf(signed.curl);
    assert.deepEqual(headersOf(words), signed.headers);
    assert.equal(words[words.indexOf('--request') + 1], 'POST');
    assert.equal(words[words.indexOf('--data-binary') + 1], `@${file}`);
    assert.equal(words.at(-1), 'http://127.0.0.1:7800/v1/deposits');
    const { signed: another } = await sign('POST', '/deposits');
    const empty = wordsOf(another.curl);
    assert.equal(empty[empty.indexOf('--data-binary') + 1], '');
    for (const name of ['Svc-Nonce', 'Idempotency-Key']) assert.notEqual(another.headers[name], signed.headers[name]);
  });

  it('the curl passes any path through the shell unchanged', async () => {
    const path = "/v1/x'y?z=$(id)&q=[1-2]{a,b}&b=`id`;|";
    assert.equal(wordsOf((await sign('GET', path)).signed.curl).at(-1), `http://127.0.0.1:7800${path}`);
  });

  it('--explain explains on standard error, without the secret', async () => {
    const { signed, stderr } = await sign('--explain', 'GET', '/ping');
    for (const line of signed.canonical) assert.ok(stderr.includes(line), line);
    assert.ok(stderr.includes(`v1=${signed.signature}`));
    assert.ok(!stderr.includes(SECRET) && !JSON.stringify(signed).includes(SECRET));
  });
});
