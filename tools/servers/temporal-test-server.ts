// Finds Temporal's time-skipping test server for the workflow tests: named in the environment, on PATH, downloaded by
// the SDK, or assembled from its pinned Maven artifact.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { say, step } from '../bootstrap/progress.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import { runCommand } from '../bootstrap/run-command.mjs';
import { downloadWithSdk } from './sdk-download.js';
import { cachedTool } from '../bootstrap/tool-cache.mjs';
import { findOnPath, isExecutable } from '../bootstrap/programs.mjs';
import type { Environment, Tool } from '../bootstrap/programs.mjs';

const VERSION = '1.38.0';
const EXECUTABLE = 'temporal-test-server';
const MAIN_CLASS = 'io.temporal.testserver.TestServer';
const JVM_FLAGS = '-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k';
const FETCH_TIMEOUT_MS = 15 * 60_000;
const HOW_TO_CHOOSE = 'Install a JDK and Maven, or name an executable with TEMPORAL_TEST_SERVER_PATH.';

/** The test server's executable; it takes a port as its argument. Throws a {@link Failure} that says how to get one. */
export async function resolveTestServer(environment: Environment): Promise<Tool> {
  const named = environment['TEMPORAL_TEST_SERVER_PATH'];
  if (named) {
    if (!isExecutable(named))
      throw new Failure(`TEMPORAL_TEST_SERVER_PATH names ${named}, which is not an executable file.`);
    return { path: named, origin: 'TEMPORAL_TEST_SERVER_PATH' };
  }
  const onPath = findOnPath(EXECUTABLE, environment);
  if (onPath !== undefined) return { path: onPath, origin: 'PATH' };
  return cachedTool(
    {
      name: EXECUTABLE,
      version: VERSION,
      executable: EXECUTABLE,
      make: (folder) => make(folder, environment),
      runs: isExecutable,
    },
    environment,
  );
}

async function make(folder: string, environment: Environment): Promise<string> {
  const problem = await step("trying the Temporal SDK's own download of the test server", () =>
    downloadWithSdk('time-skipping', folder, EXECUTABLE),
  );
  if (problem === undefined) return "the Temporal SDK's download";
  say(`    the SDK could not fetch it: ${problem}`);
  const java = findOnPath('java', environment);
  const maven = findOnPath('mvn', environment);
  if (java === undefined || maven === undefined) {
    const missing = [java ?? '"java"', maven ?? '"mvn"'].filter((name) => name.startsWith('"')).join(' and no ');
    throw new Failure(
      `There is no Temporal test server: no "${EXECUTABLE}" on PATH, no download, and no ${missing} to assemble ` +
        `it. ${HOW_TO_CHOOSE}`,
    );
  }
  await step(`fetching the Temporal test server ${VERSION} with Maven (once)`, () => fetchWithMaven(folder, maven));
  writeLauncher(folder, java);
  return `Maven artifact io.temporal:temporal-test-server:${VERSION}`;
}

async function fetchWithMaven(folder: string, maven: string): Promise<void> {
  const logFile = inRoot('var', 'logs', 'build-temporal-test-server.log');
  mkdirSync(join(folder, 'lib'), { recursive: true });
  const pom = join(folder, 'pom.xml');
  writeFileSync(pom, POM);
  const { code } = await runCommand(
    maven,
    [
      '-B',
      '-f',
      pom,
      'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${join(folder, 'lib')}`,
    ],
    { logFile, timeoutMs: FETCH_TIMEOUT_MS, cwd: folder },
  );
  if (code !== 0)
    throw new Failure(`Maven could not fetch io.temporal:temporal-test-server:${VERSION}. ${HOW_TO_CHOOSE}`, logFile);
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>temporal-test-server-fetch</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
</project>
`;

/**
 * A launcher that becomes the JVM. The SDK starts it and stops it; should the test process be killed instead, the loop
 * next to the JVM ends it.
 */
function writeLauncher(folder: string, java: string): void {
  const launcher = join(folder, EXECUTABLE);
  writeFileSync(
    launcher,
    `#!/bin/sh
parent=$PPID
self=$$
folder=$(dirname "$0")
( while kill -0 "$parent" && kill -0 "$self"; do sleep 1; done; kill -9 "$self" ) </dev/null >/dev/null 2>&1 &
exec ${quoteForShell(java)} ${JVM_FLAGS} -cp "$folder/lib/*" ${MAIN_CLASS} "$@"
`,
  );
  chmodSync(launcher, 0o755);
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
