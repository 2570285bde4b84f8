// The verification of webhooks that docs/webhooks.md shows, in each language that this machine has: it accepts the test
// vectors, and refuses what has one thing wrong.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../platform/config/project-root.js';

interface Delivery {
  readonly verifying_secrets: readonly string[];
  readonly headers: Readonly<Record<'Svc-Event-Id' | 'Svc-Timestamp' | 'Svc-Signature', string>>;
  readonly body: string;
}

interface Case {
  readonly secrets: readonly string[];
  readonly timestamp: string;
  readonly eventId: string;
  readonly signature: string;
  readonly body: string;
  readonly now: number;
  readonly genuine: boolean;
}

const read = (...path: string[]) => readFileSync(join(projectRoot(), ...path), 'utf8');
const page = read('docs', 'webhooks.md');
const sample = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``).exec(page)?.[1] ?? assert.fail(`no sample in ${language}`);

function cases(): readonly Case[] {
  const { webhooks } = JSON.parse(read('client', 'test-vectors.json')) as { webhooks: readonly Delivery[] };
  const genuine = webhooks.map(({ verifying_secrets: secrets, headers, body }) => ({
    secrets,
    timestamp: headers['Svc-Timestamp'],
    eventId: headers['Svc-Event-Id'],
    signature: headers['Svc-Signature'],
    body,
    now: Number(headers['Svc-Timestamp']),
    genuine: true,
  }));
  const [first] = genuine;
  assert.ok(first);
  const wrong: readonly Partial<Case>[] = [
    { body: `${first.body} ` },
    { eventId: `${first.eventId}0` },
    { timestamp: String(first.now + 1) },
    { timestamp: '' },
    { timestamp: `${first.timestamp} ` },
    { now: first.now + 301 },
    { now: first.now - 301 },
    { secrets: ['another'] },
    { secrets: [] },
    { signature: '' },
    { signature: 'v1=' },
    { signature: first.signature.slice(3) },
    { signature: first.signature.toUpperCase() },
    { signature: first.signature.replace('v1=', 'v2=') },
    { signature: first.signature.slice(0, -1) },
  ];
  return [...genuine, ...wrong.map((change) => ({ ...first, ...change, genuine: false }))];
}

/** Text as a literal of Go and Java. */
const literal = (text: string) => JSON.stringify(text);

/** A program that prints one line of true or false for each case. */
const PROGRAMS: Readonly<
  Record<
    string,
    { file: string; command: readonly string[]; version: string; program: (all: readonly Case[]) => string }
  >
> = {
  js: {
    file: 'sample.mjs',
    command: [process.execPath],
    version: '--version',
    program: (all) => `${sample('js')}
for (const { secrets, timestamp, eventId, signature, body, now } of ${JSON.stringify(all)}) {
  const headers = { 'svc-timestamp': timestamp, 'svc-event-id': eventId, 'svc-signature': signature };
  console.log(isGenuine(secrets, headers, Buffer.from(body), now));
}`,
  },
  python: {
    file: 'sample.py',
    command: ['python3'],
    version: '--version',
    program: (all) => `${sample('python')}
import json
for one in json.loads(${JSON.stringify(JSON.stringify(all))}):
    headers = {"svc-timestamp": one["timestamp"], "svc-event-id": one["eventId"], "svc-signature": one["signature"]}
    print(str(is_genuine(one["secrets"], headers, one["body"].encode("utf-8"), one["now"])).lower())
`,
  },
  go: {
    file: 'sample.go',
    command: ['go', 'run'],
    version: 'version',
    program: (all) => `${sample('go')}

func main() {
${all
  .map(
    ({ secrets, timestamp, eventId, signature, body, now }) =>
      `\tfmt.Println(isGenuine([]string{${secrets.map(literal).join(', ')}}, ${literal(timestamp)}, ${literal(eventId)}, ` +
      `${literal(signature)}, []byte(${literal(body)}), ${now}))`,
  )
  .join('\n')}
}`,
  },
  java: {
    file: 'Sample.java',
    command: ['java', '-Dfile.encoding=UTF-8'],
    version: '-version',
    // A single file runs its first class.
    program: (all) => {
      const [imports = '', verification = ''] = sample('java').split('\nfinal class');
      const calls = all.map(
        ({ secrets, timestamp, eventId, signature, body, now }) =>
          `System.out.println(Webhooks.isGenuine(List.of(${secrets.map(literal).join(', ')}), ${literal(timestamp)}, ` +
          `${literal(eventId)}, ${literal(signature)}, ${literal(body)}.getBytes(StandardCharsets.UTF_8), ${now}L));`,
      );
      return `${imports}
public class Sample { public static void main(String[] a) throws Exception {\n${calls.join('\n')}\n} }
final class${verification}`;
    },
  },
};

describe('the samples of docs/webhooks.md', function () {
  this.timeout(90_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-samples-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [language, { file, command, version, program }] of Object.entries(PROGRAMS)) {
    it(`${language}: accepts what is genuine, and nothing else`, async function () {
      const [name = '', ...args] = command;
      if (spawnSync(name, [version]).status !== 0) this.skip();
      const all = cases();
      const path = join(folder, file);
      writeFileSync(path, program(all));
      const { stdout } = await promisify(execFile)(name, [...args, path], { timeout: 80_000 });
      assert.deepEqual(
        stdout.trim().split('\n'),
        all.map(({ genuine }) => String(genuine)),
      );
    });
  }
});
