// A signed call of each route for the API reference: in a shell, in Python and in Node.js, with their standard
// libraries only. A test runs them.
import type { z } from 'zod';
import type { RouteDefinition } from './route.js';

export interface CodeSample {
  readonly lang: 'Shell' | 'Python' | 'JavaScript';
  readonly label: string;
  readonly source: string;
}

const IDEMPOTENCY_KEY = '7d9f3c1e-5b2a-4c8d-9e0f-1a2b3c4d5e6f';
/** Example values of path and query parameters. */
const VALUES: Readonly<Record<string, string>> = {
  external_ref: 'player-1001',
  action: 'approve',
  date: '2026-11-20',
  currency: 'BRL',
};
const IDS = {
  deposits: 'dep_0f6c2f4a9d3b4e5f8a7b6c5d4e3f2a1b',
  withdrawals: 'wdr_7d1f0c2b3a4958677869504132231405',
  quotes: 'fxq_1',
  receipts: 'rcv_1',
} as const;

/** The sample calls of a route. */
export function codeSamplesOf(route: RouteDefinition): readonly CodeSample[] {
  const call: Call = {
    method: route.method,
    target: sampleTarget(route),
    body: sampleBodyText(route),
    headers: sampleHeaders(route),
  };
  if (route.access === 'public') return [{ lang: 'Shell', label: 'curl', source: `curl -sS "$BASE${call.target}"` }];
  return [
    { lang: 'Shell', label: 'curl', source: inShell(call) },
    { lang: 'Python', label: 'Python', source: inPython(call) },
    { lang: 'JavaScript', label: 'Node.js', source: inJavaScript(call) },
  ];
}

/** The example of a route's body from its schema; undefined for a call without a body. */
export function sampleBodyOf({ body }: Pick<RouteDefinition, 'body'>): unknown {
  if (body === undefined || body === 'none') return undefined;
  const example = (body as z.ZodType).meta()?.['example'];
  return JSON.stringify(example) === '{}' ? undefined : example;
}

interface Call {
  readonly method: string;
  /** The signed path, with /v1. */
  readonly target: string;
  readonly body: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

function sampleBodyText(route: RouteDefinition): string {
  const body = sampleBodyOf(route);
  return body === undefined ? '' : JSON.stringify(body);
}

function sampleTarget({ path, query }: RouteDefinition): string {
  const filled = path.replaceAll(
    /\/([a-z-]+)\/:([a-z_]+)/g,
    (_, folder: string, name: string) => `/${folder}/${valueOf(folder, name)}`,
  );
  const required = Object.entries(query?.shape ?? {})
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => `${name}=${VALUES[name] ?? ''}`);
  const target = filled.replaceAll(/:([a-z_]+)/g, (_, name: string) => VALUES[name] ?? '');
  return `/v1${target}${required.length === 0 ? '' : `?${required.join('&')}`}`;
}

function valueOf(folder: string, name: string): string {
  return name === 'id' ? ((IDS as Readonly<Record<string, string>>)[folder] ?? '') : (VALUES[name] ?? '');
}

function sampleHeaders(route: RouteDefinition): Call['headers'] {
  if (route.method === 'GET') return [];
  const ifMatch = route.errors.includes('etag_mismatch') ? [['If-Match', '"rules-1"'] as const] : [];
  return [['Idempotency-Key', IDEMPOTENCY_KEY], ['Content-Type', 'application/json; charset=utf-8'], ...ifMatch];
}

function inShell({ method, target, body, headers }: Call): string {
  const data = method === 'POST' ? ' \\\n  --data-binary "$BODY"' : '';
  const more = headers.map(([name, value]) => ` \\\n  -H '${name}: ${value}'`).join('');
  return `# KEY_ID and SECRET are your operation's; BASE is the address before /v1.
BODY='${body}'
TARGET='${target}'
TIMESTAMP=$(date +%s)
NONCE=$(openssl rand -hex 16)
HASH=$(printf '%s' "$BODY" | openssl dgst -sha256 -r | cut -d' ' -f1)
SIGNATURE=$(printf 'v1\\n%s\\n%s\\n${method}\\n%s\\n%s' "$TIMESTAMP" "$NONCE" "$TARGET" "$HASH" |
  openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
curl -sS -X ${method} "$BASE$TARGET" \\
  -H "Svc-Key-Id: $KEY_ID" -H "Svc-Timestamp: $TIMESTAMP" \\
  -H "Svc-Nonce: $NONCE" -H "Svc-Signature: v1=$SIGNATURE"${more}${data}`;
}

function inPython({ method, target, body, headers }: Call): string {
  const data = method === 'POST' ? ', data=body' : '';
  const more = headers.map(([name, value]) => `\n    ${JSON.stringify(name)}: ${JSON.stringify(value)},`).join('');
  return `import hashlib, hmac, os, secrets, time, urllib.error, urllib.request

# KEY_ID and SECRET are your operation's; BASE is the address before /v1.
base, key_id, secret = os.environ["BASE"], os.environ["KEY_ID"], os.environ["SECRET"]
body = ${JSON.stringify(body)}.encode("utf-8")
target = ${JSON.stringify(target)}
timestamp, nonce = str(int(time.time())), secrets.token_hex(16)
lines = "\\n".join(["v1", timestamp, nonce, "${method}", target, hashlib.sha256(body).hexdigest()])
headers = {
    "Svc-Key-Id": key_id,
    "Svc-Timestamp": timestamp,
    "Svc-Nonce": nonce,
    "Svc-Signature": "v1=" + hmac.new(secret.encode("utf-8"), lines.encode("utf-8"), hashlib.sha256).hexdigest(),${more}
}
request = urllib.request.Request(base + target, method="${method}", headers=headers${data})
try:
    answer = urllib.request.urlopen(request, timeout=10)
except urllib.error.HTTPError as error:
    answer = error
print(answer.status, answer.read().decode("utf-8"))`;
}

function inJavaScript({ method, target, body, headers }: Call): string {
  const more = headers.map(([name, value]) => `\n  '${name}': '${value}',`).join('');
  return `import { createHash, createHmac, randomBytes } from 'node:crypto';
import { env } from 'node:process';

// KEY_ID and SECRET are your operation's; BASE is the address before /v1.
const { BASE, KEY_ID, SECRET } = env;
const body = ${body === '' ? "''" : `'${body}'`};
const target = '${target}';
const timestamp = String(Math.floor(Date.now() / 1000));
const nonce = randomBytes(16).toString('hex');
const hash = createHash('sha256').update(body).digest('hex');
const lines = ['v1', timestamp, nonce, '${method}', target, hash].join('\\n');
const headers = {
  'Svc-Key-Id': KEY_ID,
  'Svc-Timestamp': timestamp,
  'Svc-Nonce': nonce,
  'Svc-Signature': 'v1=' + createHmac('sha256', SECRET).update(lines).digest('hex'),${more}
};
const answer = await fetch(BASE + target, { method: '${method}', headers${method === 'POST' ? ', body' : ''} });
console.log(answer.status, await answer.text());`;
}
