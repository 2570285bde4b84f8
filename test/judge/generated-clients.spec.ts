// Clients that others' generators make from the served contract: they compile, and read a success, a refusal and a
// status of a later version. Each generator is pinned and installed for this run; without a registry it is skipped.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { presentDeposit } from '../../contract/http/presenters.js';
import { openApiYaml } from '../../contract/http/openapi.js';
import { ROUTES } from '../../contract/http/routes.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { depositSnapshotOf } from '../unit/http-schemas/snapshots.js';

const run = promisify(execFile);
const TIMEOUT_MS = 5 * 60_000;
const NPM_PACKAGES = ['openapi-typescript@7.13.0', '@hey-api/openapi-ts@0.99.0'];
const PYTHON_PACKAGES = ['openapi-python-client==0.29.1', 'httpx==0.28.1', 'attrs==26.1.0', 'python-dateutil==2.9.0'];
const OPENAPI_GENERATOR = 'openapi-generator-cli==7.26.0';
/** What the generated Python stands on. */
const PYTHON_DEPENDENCIES = [
  'urllib3==2.6.3',
  'python-dateutil==2.9.0',
  'pydantic==2.12.5',
  'typing-extensions==4.15.0',
];
const EXPECTED = 'pending later_status not_found';

const TYPES_ONLY = `
import type { components, paths } from './types.js';
type Read = paths['/deposits/{id}']['get']['responses'];
export const status = (deposit: Read[200]['content']['application/json']): string => deposit.status;
export const code = (problem: components['schemas']['Problem']): string => problem.code;
`;

const WITH_HEY_API = `
import { client } from './hey/client.gen.js';
import { getDeposit } from './hey/sdk.gen.js';
client.setConfig({ baseUrl: process.env['BASE_URL']! });
const words: unknown[] = [];
for (const id of ['dep_1', 'dep_2', 'dep_3']) {
  const { data, error } = await getDeposit({ path: { id } });
  words.push(data?.status ?? error?.code);
}
console.log(words.join(' '));
`;

const IN_PYTHON = `
import os
from python_client import Client
from python_client.api.deposits import get_deposit
client = Client(base_url=os.environ["BASE_URL"])
answers = [get_deposit.sync_detailed(one, client=client).parsed for one in ("dep_1", "dep_2", "dep_3")]
print(answers[0].status, answers[1].status, answers[2].code)
`;

const WITH_OPENAPI_GENERATOR = `
import os
import payments
client = payments.ApiClient(payments.Configuration(host=os.environ["BASE_URL"]))
words = []
for one in ("dep_1", "dep_2", "dep_3"):
    try:
        words.append(payments.DepositsApi(client).get_deposit(one).status)
    except payments.ApiException as refused:
        words.append(refused.data.code)
print(*words)
`;

const IN_GO = `
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	payments "example.test/payments"
)

func main() {
	configuration := payments.NewConfiguration()
	configuration.Servers = payments.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := payments.NewAPIClient(configuration)
	words := []any{}
	for _, id := range []string{"dep_1", "dep_2", "dep_3"} {
		deposit, _, err := client.DepositsAPI.GetDeposit(context.Background(), id).Execute()
		var refused *payments.GenericOpenAPIError
		if errors.As(err, &refused) {
			words = append(words, refused.Model().(payments.Problem).Code)
		} else if err != nil {
			panic(err)
		} else {
			words = append(words, deposit.Status)
		}
	}
	fmt.Println(words...)
}
`;

/** Without the second option its programs refuse answers with fields of a later version. */
const GO_OPTIONS = 'packageName=payments,disallowAdditionalPropertiesIfNotPresent=false';

const IN_JAVA = `
import java.util.*;
import test.payments.*;
import test.payments.api.DepositsApi;

public class Use {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    List<String> words = new ArrayList<>();
    for (String id : List.of("dep_1", "dep_2", "dep_3")) {
      try {
        words.add(new DepositsApi(client).getDeposit(id).getStatus());
      } catch (ApiException refused) {
        words.add(client.getObjectMapper().readTree(refused.getResponseBody()).get("code").asText());
      }
    }
    System.out.println(String.join(" ", words));
  }
}
`;

/** What the generated Java stands on, in versions of its time. */
const JAVA_DEPENDENCIES = [
  ['com.fasterxml.jackson.core', 'jackson-databind', '2.21.1'],
  ['com.fasterxml.jackson.datatype', 'jackson-datatype-jsr310', '2.21.1'],
  ['org.openapitools', 'jackson-databind-nullable', '0.2.8'],
  ['com.google.code.findbugs', 'jsr305', '3.0.2'],
  ['jakarta.annotation', 'jakarta.annotation-api', '1.3.5'],
] as const;
const JAVA_POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>test</artifactId><version>1</version>
  <dependencies>${JAVA_DEPENDENCIES.map(
    ([group, artifact, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>` +
      `<version>${version}</version></dependency>`,
  ).join('')}</dependencies>
</project>`;

describe('clients that others generate from the contract', function () {
  this.timeout(TIMEOUT_MS);
  let folder: string;
  let server: Server;
  let environment: NodeJS.ProcessEnv;
  const inFolder = (program: string, args: readonly string[]) => run(program, args, { cwd: folder, env: environment });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'generated-clients-'));
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    writeFileSync(join(folder, 'openapi.yaml'), openApiYaml(ROUTES, { environment: 'sandbox' }));
    server = createServer(({ url }, response) => {
      const deposit = { ...presentDeposit(depositSnapshotOf({ status: 'pending' }), null), later_field: { any: 1 } };
      const problem = {
        type: 'x',
        title: 'x',
        status: 404,
        code: 'not_found',
        detail: 'x',
        trace_id: 'x',
        retryable: false,
      };
      const [status, body] =
        url === '/v1/deposits/dep_1'
          ? [200, deposit]
          : url === '/v1/deposits/dep_2'
            ? [200, { ...deposit, status: 'later_status' }]
            : [404, problem];
      response.writeHead(status, { 'Content-Type': status === 200 ? 'application/json' : 'application/problem+json' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], BASE_URL: baseUrl };
  });
  after(() => {
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('openapi-typescript and hey-api, compiled under strict rules', async function () {
    try {
      await inFolder('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...NPM_PACKAGES]);
    } catch {
      process.stderr.write('skipped: the generators cannot be installed here\n');
      this.skip();
    }
    const bin = (name: string) => join(folder, 'node_modules', '.bin', name);
    await inFolder(bin('openapi-typescript'), ['openapi.yaml', '-o', 'types.d.ts']);
    await inFolder(bin('openapi-ts'), ['-i', 'openapi.yaml', '-o', 'hey', '-c', '@hey-api/client-fetch']);
    writeFileSync(join(folder, 'types-only.ts'), TYPES_ONLY);
    writeFileSync(join(folder, 'use.ts'), WITH_HEY_API);
    const compiler = join(projectRoot(), 'node_modules', 'typescript-7', 'bin', 'tsc');
    const typeRoots = join(projectRoot(), 'node_modules', '@types');
    const strict = [
      '--strict',
      '--noEmit',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--target',
      'es2022',
    ];
    await inFolder(process.execPath, [
      compiler,
      ...strict,
      ...['--types', 'node', '--typeRoots', typeRoots, '--skipLibCheck', 'types-only.ts', 'use.ts'],
    ]);
    const esbuild = join(projectRoot(), 'node_modules', '.bin', 'esbuild');
    await inFolder(esbuild, ['use.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=bundled.js']);
    const { stdout } = await inFolder(process.execPath, ['bundled.js']);
    assert.equal(stdout.trim(), EXPECTED);
  });

  it('openapi-python-client', async function () {
    const python = join(folder, 'venv', 'bin', 'python');
    try {
      await inFolder('python3', ['-m', 'venv', 'venv']);
      await inFolder(python, ['-m', 'pip', 'install', '--quiet', ...PYTHON_PACKAGES]);
    } catch {
      process.stderr.write('skipped: the generator cannot be installed here\n');
      this.skip();
    }
    const meta = ['--meta', 'none', '--output-path', 'python_client'];
    const made = await inFolder(join(folder, 'venv', 'bin', 'openapi-python-client'), [
      ...['generate', '--path', 'openapi.yaml', ...meta],
    ]);
    // It leaves out what it does not understand: no answer of a payment may be among that.
    assert.doesNotMatch(made.stdout, /application\/problem\+json|\/(deposits|withdrawals|events)/);
    writeFileSync(join(folder, 'use.py'), IN_PYTHON);
    const { stdout } = await inFolder(python, ['use.py']);
    assert.equal(stdout.trim(), EXPECTED);
  });

  describe('openapi-generator', () => {
    const generate = (...args: string[]) =>
      inFolder(join(folder, 'generator', 'bin', 'openapi-generator-cli'), ['generate', '-i', 'openapi.yaml', ...args]);

    before(async function () {
      try {
        await inFolder('java', ['-version']);
        await inFolder('python3', ['-m', 'venv', 'generator']);
        const pip = ['-m', 'pip', 'install', '--quiet', OPENAPI_GENERATOR, ...PYTHON_DEPENDENCIES];
        await inFolder(join(folder, 'generator', 'bin', 'python'), pip);
      } catch {
        process.stderr.write('skipped: the generator cannot be installed here\n');
        this.skip();
      }
    });

    it('in Go', async () => {
      await generate('-g', 'go', '-o', 'go', `--additional-properties=${GO_OPTIONS}`);
      const within = { cwd: join(folder, 'go'), env: environment };
      await run('go', ['mod', 'edit', '-module', 'example.test/payments'], within);
      mkdirSync(join(folder, 'go', 'use'));
      writeFileSync(join(folder, 'go', 'use', 'main.go'), IN_GO);
      const { stdout } = await run('go', ['run', './use'], within);
      assert.equal(stdout.trim(), EXPECTED);
    });

    it('in Python', async () => {
      await generate('-g', 'python', '-o', 'python', '--additional-properties=packageName=payments');
      writeFileSync(join(folder, 'python', 'use.py'), WITH_OPENAPI_GENERATOR);
      const python = join(folder, 'generator', 'bin', 'python');
      const { stdout } = await run(python, ['use.py'], { cwd: join(folder, 'python'), env: environment });
      assert.equal(stdout.trim(), EXPECTED);
    });

    it('in Java', async () => {
      const packages = 'invokerPackage=test.payments,apiPackage=test.payments.api,modelPackage=test.payments.model';
      await generate('-g', 'java', '--library', 'native', '-o', 'java', `--additional-properties=${packages}`);
      writeFileSync(join(folder, 'deps.xml'), JAVA_POM);
      const libraries = join(folder, 'lib');
      const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
      await inFolder('mvn', ['-q', '-B', '-f', 'deps.xml', ...copy]);
      writeFileSync(join(folder, 'Use.java'), IN_JAVA);
      const main = join(folder, 'java', 'src', 'main', 'java');
      const sources = readdirSync(main, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.java'))
        .map((name) => join(main, name));
      const classpath = join(libraries, '*');
      await inFolder('javac', ['-nowarn', '-encoding', 'UTF-8', '-d', 'out', '-cp', classpath, ...sources, 'Use.java']);
      const { stdout } = await inFolder('java', ['-cp', `out:${classpath}`, 'Use']);
      assert.equal(stdout.trim(), EXPECTED);
    });
  });
});
