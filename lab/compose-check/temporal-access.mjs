// Runs in a container of docker-compose.yml: what Temporal's server permits to which caller. Prints, for no token and
// for those of TOKENS, the gRPC codes of a list, an update of a workflow that does not exist, and a new namespace; and
// what the ports of its roles answer.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import process from 'node:process';
import { Connection } from '@temporalio/client';

const HOST = 'temporal';
const ROLE_PORTS = [7234, 7235, 7236, 7239];
const namespace = 'default';
const workflowExecution = { workflowId: 'nobody' };
const request = { meta: { updateId: 'any' }, input: { header: {}, name: 'cancel' } };
const waitPolicy = { lifecycleStage: 2 };
const tls = { serverRootCACertificate: readFileSync('/files/temporal-authority.crt.pem') };

/** @param {() => Promise<unknown>} ask */
const codeOf = (ask) =>
  ask().then(
    () => 0,
    (error) => error.code,
  );

/** @param {string | undefined} apiKey */
async function allowed(apiKey) {
  // Lazy: a token that is refused is refused at the connection too.
  const connection = Connection.lazy({ address: `${HOST}:7233`, tls, ...(apiKey ? { apiKey } : {}) });
  const { workflowService: service } = connection;
  const codes = [
    await codeOf(() => service.listWorkflowExecutions({ namespace })),
    await codeOf(() => service.updateWorkflowExecution({ namespace, workflowExecution, request, waitPolicy })),
    await codeOf(() => service.registerNamespace({ namespace: 'another' })),
  ];
  await connection.close();
  return codes;
}

/** @param {number} port */
async function answerOf(port) {
  const socket = connect(port, HOST);
  try {
    await once(socket, 'connect');
    return 'connected';
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code;
  } finally {
    socket.destroy();
  }
}

/** @type {Record<string, string>} */
const tokens = JSON.parse(process.env['TOKENS'] ?? '{}');
const callers = Object.fromEntries(
  await Promise.all(
    Object.entries({ nobody: undefined, ...tokens }).map(async ([caller, token]) => [caller, await allowed(token)]),
  ),
);
const ports = Object.fromEntries(await Promise.all(ROLE_PORTS.map(async (port) => [port, await answerOf(port)])));
process.stdout.write(JSON.stringify({ callers, ports }));
