// Connects to Temporal for one command. If it does not answer, the problem names its address.
import { Client, Connection } from '@temporalio/client';
import { readTemporalConfig } from '../../platform/config/cli.js';
import { refused } from '../problem.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** Runs `work` with a connected client, and closes the connection in any case. */
export async function withTemporal<Result>(
  environment: NodeJS.ProcessEnv,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = readTemporalConfig(environment);
  const connection = await connect(TEMPORAL_ADDRESS);
  try {
    return await work(new Client({ connection, namespace: TEMPORAL_NAMESPACE }));
  } finally {
    await connection.close();
  }
}

async function connect(address: string): Promise<Connection> {
  try {
    return await Connection.connect({ address, connectTimeout: CONNECT_TIMEOUT_MS });
  } catch {
    throw refused(`Temporal at ${address} does not answer; is the stack running (npm start)?`);
  }
}
