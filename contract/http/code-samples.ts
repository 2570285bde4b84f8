// A signed call of each route for the API reference, in five languages. A test runs them.
import type { z } from 'zod';
import type { RouteDefinition } from './route.js';

export interface SampleCall {
  readonly method: string;
  /** The signed path, with /v1. */
  readonly target: string;
  readonly body: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** With curl and openssl. */
function inShell({ method, target, body, headers }: SampleCall): string {
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

/** With its standard library only. */
function inPython({ method, target, body, headers }: SampleCall): string {
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

/** With its standard library only. */
function inJavaScript({ method, target, body, headers }: SampleCall): string {
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

/** With its standard library only. */
function inGo({ method, target, body, headers }: SampleCall): string {
  const more = headers
    .map(([name, value]) => `\n\trequest.Header.Set(${JSON.stringify(name)}, ${goText(value)})`)
    .join('');
  return `package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	// KEY_ID and SECRET are your operation's; BASE is the address before /v1.
	base, keyID, secret := os.Getenv("BASE"), os.Getenv("KEY_ID"), os.Getenv("SECRET")
	body := []byte(${goText(body)})
	target := ${goText(target)}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	random := make([]byte, 16)
	rand.Read(random)
	nonce := hex.EncodeToString(random)
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "v1\\n%s\\n%s\\n${method}\\n%s\\n%x", timestamp, nonce, target, sha256.Sum256(body))
	request, err := http.NewRequest("${method}", base+target, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Svc-Key-Id", keyID)
	request.Header.Set("Svc-Timestamp", timestamp)
	request.Header.Set("Svc-Nonce", nonce)
	request.Header.Set("Svc-Signature", "v1="+hex.EncodeToString(mac.Sum(nil)))${more}
	answer, err := (&http.Client{Timeout: 10 * time.Second}).Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.StatusCode, string(text))
}`;
}

/** A raw string, in which nothing is escaped. */
const goText = (text: string): string => (text === '' || text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

/** With its standard library only, from version 17. */
function inJava({ method, target, body, headers }: SampleCall): string {
  const more = headers
    .map(([name, value]) => `\n            .header(${JSON.stringify(name)}, ${JSON.stringify(value)})`)
    .join('');
  const publisher = method === 'POST' ? 'BodyPublishers.ofByteArray(body)' : 'BodyPublishers.noBody()';
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Sample {
    public static void main(String[] arguments) throws Exception {
        // KEY_ID and SECRET are your operation's; BASE is the address before /v1.
        String base = System.getenv("BASE"), keyId = System.getenv("KEY_ID"), secret = System.getenv("SECRET");
        byte[] body = ${JSON.stringify(body)}.getBytes(StandardCharsets.UTF_8);
        String target = ${JSON.stringify(target)};
        String timestamp = Long.toString(Instant.now().getEpochSecond());
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String nonce = HexFormat.of().formatHex(random);
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        String lines = String.join("\\n", "v1", timestamp, nonce, "${method}", target, hash);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signature = HexFormat.of().formatHex(mac.doFinal(lines.getBytes(StandardCharsets.UTF_8)));
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + target))
            .timeout(Duration.ofSeconds(10))
            .header("Svc-Key-Id", keyId)
            .header("Svc-Timestamp", timestamp)
            .header("Svc-Nonce", nonce)
            .header("Svc-Signature", "v1=" + signature)${more}
            .method("${method}", ${publisher})
            .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body());
    }
}`;
}

export interface CodeSample {
  readonly lang: 'Shell' | 'Python' | 'JavaScript' | 'Go' | 'Java';
  readonly label: string;
  readonly source: string;
}

/** Example values of path and query parameters. */
const VALUES: Readonly<Record<string, string>> = {
  external_ref: 'player-1001',
  action: 'approve',
  decision: 'approve',
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
  const call: SampleCall = {
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
    { lang: 'Go', label: 'Go', source: inGo(call) },
    { lang: 'Java', label: 'Java', source: inJava(call) },
  ];
}

/** The example of a route's body from its schema; undefined for a call without a body. */
export function sampleBodyOf({ body }: Pick<RouteDefinition, 'body'>): unknown {
  if (body === undefined || body === 'none') return undefined;
  const example = (body as z.ZodType).meta()?.['example'];
  return JSON.stringify(example) === '{}' ? undefined : example;
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

function sampleHeaders(route: RouteDefinition): SampleCall['headers'] {
  if (route.method === 'GET') return [];
  const ifMatch = route.errors.includes('etag_mismatch') ? [['If-Match', '"rules-1"'] as const] : [];
  return [['Idempotency-Key', sampleKey(route)], ['Content-Type', 'application/json; charset=utf-8'], ...ifMatch];
}

/** Derived from the intent, as the guide recommends, so that no two routes share one: the second would get 409. */
function sampleKey(route: RouteDefinition): string {
  const action = route.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const body = sampleBodyOf(route) as { readonly external_id?: string } | undefined;
  const id = sampleTarget(route)
    .split('/')
    .find((part) => Object.values<string>(IDS).includes(part));
  return `${action}:${body?.external_id ?? id ?? '20261121-0001'}`;
}
