// The sample day of `npm start -- --sample-day`: an operation of its own, whose clock is a day ahead, with a closed day
// to reconcile. Its credentials lie in a file that the operator's tool reads.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { createGatewayClient } from '../client/index.js';
import { sampleDay } from '../client/tool/sample-day.js';
import { createOperation, type GatewayCommand, isKnown, operationSchema } from './demo-operation.js';
import { writePrivateJson } from './private-file.js';

const fileSchema = z.object({ base_url: z.string(), date: z.iso.date(), operation: operationSchema });

/**
 * Keeps the day of an earlier start if the database still has its operation, makes one otherwise, and writes the file.
 * `print` gets lines for a person. Throws what the client and {@link createOperation} throw.
 * @returns the UTC day
 */
export async function ensureSampleDay(
  { file, baseUrl, databaseUrl }: { readonly file: string; readonly baseUrl: string; readonly databaseUrl: string },
  gateway: GatewayCommand,
  print: (line: string) => void,
): Promise<string> {
  const kept = keptDay(file);
  if (kept !== null && (await isKnown(databaseUrl, kept.operation))) {
    // The ports may have moved since the last start.
    writePrivateJson(file, { ...kept, base_url: baseUrl });
    return kept.date;
  }
  const operation = await createOperation(gateway, 'Sample day');
  const client = createGatewayClient({ baseUrl, keyId: operation.key_id, secret: operation.secret });
  try {
    const date = await sampleDay({
      gateway: client,
      print: (_, line) => print(`  ${line}`),
      signal: new AbortController().signal,
    });
    writePrivateJson(file, { base_url: baseUrl, date, operation });
    return date;
  } finally {
    await client.close();
  }
}

function keptDay(file: string): z.output<typeof fileSchema> | null {
  return existsSync(file) ? fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}
