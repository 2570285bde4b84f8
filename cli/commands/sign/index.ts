// `gateway sign`: signs one request, explains how, and prints a curl command that sends it.
import type { Command } from 'commander';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { examples } from '../../options.js';
import { badInput } from '../../problem.js';

interface Options {
  readonly explain: boolean;
  readonly body?: string;
  readonly keyId?: string;
  readonly secret?: string;
  readonly baseUrl?: string;
}

/** Larger than the API accepts (64 KiB), so its refusal can be tried too. */
const MOST_BODY_BYTES = 1024 * 1024;

export function registerSign(program: Command, run: Registrar): void {
  program
    .command('sign')
    .summary('Sign a request and print a curl command')
    .description(
      'Sign a request. Prints the six signed lines, the signature, the headers, and a curl command that sends the ' +
        'request. The command works once, within five minutes.\n\n' +
        'Without --key-id and --secret it uses the sandbox operation of "npm start" (var/sandbox.json).',
    )
    .option('--explain', 'explain each step on standard error', false)
    .argument('<method>', 'GET or POST')
    .argument('<path>', 'the path with its query, with or without a leading /v1')
    .option('--body <file>', 'the body, signed and sent byte for byte')
    .option('--key-id <id>', 'the key (key_test_… or key_live_…)')
    .option('--secret <secret>', 'its secret')
    .option('--base-url <url>', 'the URL of the API, ending in /v1')
    .addHelpText(
      'after',
      examples('sign --explain GET /v1/ping', 'sign --explain POST /v1/deposits --body deposit.json'),
    )
    .action(run(sign));
}

async function sign(context: CommandContext, method: string, path: string, options: Options): Promise<Answer> {
  const { readCredential } = await import('../../inputs/credential.js');
  const { explainSignature, signRequest } = await import('./request.js');
  const signed = signRequest({
    method: readMethod(method),
    path: readPath(path),
    body: await readBody(options.body),
    ...readCredential(options),
  });
  if (options.explain) context.explain(explainSignature(signed).join('\n'));
  const { canonical, signature, headers, curl, expiresAt } = signed;
  return answer({ canonical, signature, headers, curl, expires_at: expiresAt });
}

function readMethod(method: string): string {
  if (!/^(get|post)$/i.test(method)) throw badInput('METHOD', 'must be GET or POST; the API has no other');
  return method.toUpperCase();
}

/** The signed path starts with `/v1`; adds it if it is missing. */
function readPath(path: string): string {
  if (!/^\/[\x21-\x7e]*$/.test(path)) throw badInput('PATH', 'must begin with / and be percent-encoded, as it is sent');
  // A fragment is never sent, so the API would see another path than the signed one.
  if (path.includes('#'))
    throw badInput('PATH', 'must not hold a fragment (#…), which is never sent; percent-encode a # as %23');
  return /^\/v1($|[/?])/.test(path) ? path : `/v1${path}`;
}

async function readBody(path: string | undefined): Promise<{ bytes: Buffer; path: string } | null> {
  if (path === undefined) return null;
  const { readBytes } = await import('../../inputs/files.js');
  const { resolve } = await import('node:path');
  return { bytes: await readBytes('--body', path, MOST_BODY_BYTES), path: resolve(path) };
}
