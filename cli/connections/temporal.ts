// Connects to Temporal for one command. If it does not answer, the problem names its address.
import { Client, type Connection } from '@temporalio/client';
import { readTemporalConfig } from '../../platform/config/cli.js';
import { isUnanswered } from '../../platform/temporal/calls.js';
import { connectTemporal, DATA_CONVERTER, type TemporalServer } from '../../platform/temporal/connection.js';
import { refused } from '../problem.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** Runs `work` with a connected client, and closes the connection in any case. */
export async function withTemporal<Result>(
  environment: NodeJS.ProcessEnv,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const temporal = readTemporalConfig(environment);
  const connection = await connect(temporal);
  try {
    return await work(new Client({ dataConverter: DATA_CONVERTER, connection, namespace: temporal.namespace }));
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    throw refused(`Temporal at ${temporal.address} did not answer in time; look what was done, or try again`);
  } finally {
    await connection.close();
  }
}

async function connect(server: TemporalServer): Promise<Connection> {
  try {
    return await connectTemporal(server, CONNECT_TIMEOUT_MS);
  } catch {
    const how = server.tls === undefined ? '' : ' over TLS';
    throw refused(`Temporal at ${server.address} does not answer${how}; is the stack running (npm start)?`);
  }
}
