// Reads a request's raw bytes, bounded in size; the server bounds the time.
import type { IncomingMessage } from 'node:http';

/** The bytes, or null if there are more than `maxBytes`. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to its end all the same, keeping nothing: a sender that is cut off would not see the answer.
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size <= maxBytes ? Buffer.concat(chunks) : null;
}
