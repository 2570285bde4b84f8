// One signed call as a program in each language of the reference, with standard libraries only.

export interface SampleCall {
  readonly method: string;
  /** The signed path, with /v1. */
  readonly target: string;
  readonly body: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** With curl and openssl. */
export function inShell({ method, target, body, headers }: SampleCall): string {
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
export function inPython({ method, target, body, headers }: SampleCall): string {
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
export function inJavaScript({ method, target, body, headers }: SampleCall): string {
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
export function inGo({ method, target, body, headers }: SampleCall): string {
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
export function inJava({ method, target, body, headers }: SampleCall): string {
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
