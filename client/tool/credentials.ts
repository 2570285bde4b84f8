// The tool's credentials: from a file or the environment, never from arguments, which other users of a machine can
// read.
import { readFileSync } from 'node:fs';
import type { ClientTls } from '../connections.js';
import { UsageError } from './usage-error.js';

export interface ToolCredentials {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly tls?: ClientTls;
}

const PREFIX = 'OPERATOR_PAYMENTS_';

/** From the file, if one is named. Throws a {@link UsageError} that names what is missing. */
export function readCredentials(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): ToolCredentials {
  return file === undefined ? ofEnvironment(environment) : ofFile(file);
}

function ofFile(file: string): ToolCredentials {
  const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  // The sandbox's own file has the key below its operation.
  const key = { ...all, ...(all['operation'] as object | undefined) } as Record<string, unknown>;
  const text = (name: string) => {
    const value = key[name];
    if (typeof value !== 'string' || value === '') throw new UsageError(`${file} has no ${name}`);
    return value;
  };
  return { baseUrl: text('base_url'), keyId: text('key_id'), secret: text('secret') };
}

function ofEnvironment(environment: Readonly<Record<string, string | undefined>>): ToolCredentials {
  const text = (name: string) => {
    const value = environment[`${PREFIX}${name}`];
    if (value === undefined || value === '') throw new UsageError(`${PREFIX}${name} is not set, and no --credentials`);
    return value;
  };
  const certificateFile = environment[`${PREFIX}CERTIFICATE_FILE`];
  return {
    baseUrl: text('BASE_URL'),
    keyId: text('KEY_ID'),
    secret: text('SECRET'),
    ...(certificateFile === undefined
      ? {}
      : {
          tls: {
            certificate: readFileSync(certificateFile, 'utf8'),
            key: readFileSync(text('CERTIFICATE_KEY_FILE'), 'utf8'),
          },
        }),
  };
}
