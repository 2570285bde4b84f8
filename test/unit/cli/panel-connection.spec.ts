// The connection of the command to the gateway's server: whatever answers there, the command ends with one line that
// says what is known.
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { runThroughPanel } from '../../../cli/connections/panel.js';
import { isCommandProblem } from '../../../cli/problem.js';
import { secretReader } from '../../../cli/terminal/secret.js';

const RUN = { argv: ['find', 'x'], files: {}, code: null, session_file: '/s', token: 'secret-token' };

describe('the command’s connection to the server', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function at(listener: RequestListener): Promise<{ GATEWAY_PANEL_URL: string }> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    return { GATEWAY_PANEL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
  const problemOf = (environment: NodeJS.ProcessEnv, notes: string[] = []) =>
    runThroughPanel(environment, RUN, { note: (text) => notes.push(text), session: () => undefined }).then(
      (answer) => JSON.stringify(answer),
      (error: unknown) =>
        isCommandProblem(error) ? `${error.exitCode} ${error.message}` : Promise.reject(error as Error),
    );

  it('sends the session as a header alone, and gives notes as they come', async () => {
    let sent = '';
    const environment = await at((request, response) => {
      request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
      request.on('end', () => {
        assert.equal(request.headers.authorization, 'Bearer secret-token');
        response.write('{"note":"one"}\n{}\n{"no');
        response.end('te":"two"}\n{"answer":{"value":{"ok":true},"exitCode":1,"text":null,"isTextBeside":false}}\n');
      });
    });
    const notes: string[] = [];
    assert.equal(
      await problemOf(environment, notes),
      '{"value":{"ok":true},"exitCode":1,"text":null,"isTextBeside":false}',
    );
    assert.deepEqual([notes, sent.includes('secret-token')], [['one', 'two'], false]);
  });

  for (const [why, listener, line] of [
    ['an edge without the server', (_, response) => response.writeHead(502).end('<html>'), /answers with status 502/],
    ['too many commands', (_, response) => response.writeHead(503).end('{"error":"try later"}'), /^1 try later$/],
    ['an ended session', (_, response) => response.writeHead(401).end('{}'), /^1 the session has ended/],
    ['a page instead of lines', (_, response) => response.end('<html></html>\n'), /ended before the answer/],
    ['a redirect', (_, response) => response.writeHead(302, { location: 'http://x.test/' }).end(), /status 302/],
    [
      'no answer',
      (_, response) => response.end('{"note":"one"}\n'),
      /ended before the answer \(no answer\): look what/,
    ],
    [
      'a cut connection',
      (_, response) => {
        response.write('{"note":"one"}\n');
        setTimeout(() => response.destroy(), 20);
      },
      /ended before the answer/,
    ],
    [
      'what is signed in the panel',
      (_, response) => response.end('{"problem":{"exit_code":1,"message":"no","is_for_panel":true}}\n'),
      /^1 no \(http:\/\/127\.0\.0\.1:\d+\)$/,
    ],
  ] as const satisfies readonly (readonly [string, RequestListener, RegExp])[])
    it(`${why} → one line`, async () => {
      assert.match(await problemOf(await at(listener)), line);
    });

  it('nobody listens there, or production names no https address → one line', async () => {
    const environment = await at(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    assert.match(await problemOf(environment), /the panel at http:\S+ does not answer \(ECONNREFUSED\)/);
    await assert.rejects(
      problemOf({ ...environment, GATEWAY_ENVIRONMENT: 'production' }),
      /GATEWAY_PANEL_URL: must be an https address in production/,
    );
  });
});

describe('the prompt for a code', () => {
  const inputOf = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY }) as unknown as ReadStream;

  it('a terminal shows the prompt, and nothing of what is typed', async () => {
    const [input, screen] = [inputOf(true), new PassThrough()];
    const asked = secretReader(input, screen)('Code: ');
    (input as unknown as PassThrough).write('code_abc\r');
    assert.equal(await asked, 'code_abc');
    assert.equal(String(screen.read()), 'Code: \n');
  });

  it('without a terminal reads the code from the first line of standard input', async () => {
    const input = inputOf(false);
    (input as unknown as PassThrough).end('code_abc\nmore\n');
    assert.equal(await secretReader(input, new PassThrough())('Code: '), 'code_abc');
    const large = inputOf(false);
    (large as unknown as PassThrough).end('x'.repeat(1_000_000));
    assert.equal((await secretReader(large, new PassThrough())('Code: ')).length, 1_024);
  });
});
