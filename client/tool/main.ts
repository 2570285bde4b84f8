#!/usr/bin/env node
// `operator-payments`: the tool of whoever integrates. It listens for webhooks, drives payments in the sandbox, and
// shows the log of one's own calls and deliveries.
import { parseArgs } from 'node:util';
import { createGatewayClient, type GatewayClient, NoAnswerError, ProblemError } from '../index.js';
import { readCredentials } from './credentials.js';
import { listen } from './listen.js';
import { redeliver, showDeliveries, showRequests } from './logs.js';
import { sampleDay } from './sample-day.js';
import { TRIGGERS, trigger } from './trigger.js';
import { UsageError } from './usage-error.js';

const USAGE = `operator-payments COMMAND [options]

  listen --forward-to URL      sandbox: receive signed webhooks and post them to a URL of this machine
  trigger EVENT…               sandbox: drive real payments to an event: ${Object.keys(TRIGGERS).join(', ')}
  sample-day                   sandbox: a day with payments of every end, closed, to reconcile
  requests [TRACE_ID]          your own calls of the last 3 days: what was signed, why it was refused
                               --refused: only refusals
  deliveries [EVENT_ID]        attempts to deliver webhooks
  redeliver EVENT_ID           deliver an event once more; with --forward-to (sandbox) to a URL of this machine

  --limit N                    rows of requests and deliveries, 1 to 200 (20)
  --json                       JSON, a value per line
  --credentials FILE           JSON with base_url, key_id and secret, as var/sandbox.json has them
                               Otherwise OPERATOR_PAYMENTS_BASE_URL, _KEY_ID and _SECRET, and in production
                               _CERTIFICATE_FILE and _CERTIFICATE_KEY_FILE. Secrets are never arguments.
`;

/** Above the ten seconds that the gateway waits for a webhook. */
const TIMEOUT_MS = 20_000;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'forward-to': { type: 'string' },
      credentials: { type: 'string' },
      limit: { type: 'string', default: '20' },
      refused: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command, ...names] = positionals;
  if (command === undefined || values.help) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 2;
  }
  const forwardTo = values['forward-to'] === undefined ? undefined : httpAddress(values['forward-to']);
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) throw new UsageError('--limit is 1 to 200');
  const print = (value: object, line: string) =>
    void process.stdout.write(values.json ? `${JSON.stringify(value)}\n` : `${line}\n`);
  const gateway = openGateway(values.credentials);
  const stopped = new AbortController();
  process.once('SIGINT', () => stopped.abort()).once('SIGTERM', () => stopped.abort());
  const context = { gateway, print, signal: stopped.signal };
  try {
    switch (command) {
      case 'listen':
        if (forwardTo === undefined) throw new UsageError('listen needs --forward-to');
        await listen(context, forwardTo);
        return 0;
      case 'trigger':
        await trigger(context, names);
        return 0;
      case 'sample-day':
        await sampleDay(context);
        return 0;
      case 'requests':
        return found(await showRequests(context, { traceId: names[0], onlyRefused: values.refused, limit }));
      case 'deliveries':
        return found(await showDeliveries(context, { eventId: names[0], limit }));
      case 'redeliver':
        if (names[0] === undefined) throw new UsageError('redeliver needs an event id');
        return (await redeliver(context, names[0], forwardTo)) ? 0 : 1;
      default:
        throw new UsageError(`there is no command ${command}`);
    }
  } finally {
    await gateway.close();
  }
}

function openGateway(file: string | undefined): GatewayClient {
  const credentials = readCredentials(file, process.env);
  try {
    return createGatewayClient({ ...credentials, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    // The base URL is none.
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** The exit code of a look into a log. */
function found(isAny: boolean): number {
  if (!isAny) process.stderr.write('nothing found; calls are kept for 3 days\n');
  return isAny ? 0 : 1;
}

function httpAddress(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError('--forward-to is an http(s) address, such as http://127.0.0.1:3000/webhooks');
  return new URL(text);
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const isUsage =
      error instanceof UsageError || String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
    const isExpected = isUsage || error instanceof ProblemError || error instanceof NoAnswerError;
    process.stderr.write(`${isExpected ? (error as Error).message : (error as Error).stack}\n`);
    if (isUsage) process.stderr.write(`\n${USAGE}`);
    process.exitCode = isUsage ? 2 : 1;
  },
);
