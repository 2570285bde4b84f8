// The bytes of a request's body, up to a limit.
import type { IncomingMessage } from 'node:http';

/** The body's bytes. Reading stops at the limit, also if Content-Length is wrong. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | 'too_large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | 'too_large' | 'aborted') => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else {
        request.pause();
        settle('too_large');
      }
    };
    const onEnd = () => settle(Buffer.concat(chunks, size));
    const onClose = () => settle('aborted');
    request
      .on('data', onData)
      .on('end', onEnd)
      .on('close', onClose)
      .on('error', () => undefined);
  });
}
