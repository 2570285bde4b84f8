// `gateway sign`: signs one request and shows how, with a curl that sends it.
import type { Command } from 'commander';
import { answer, type CommandContext } from '../../context.js';
import { badInput } from '../../problem.js';
import { examples } from '../../options.js';
import type { Registrar } from '../../program.js';

interface Options {
  readonly explain: boolean;
  readonly body?: string;
  readonly keyId?: string;
  readonly secret?: string;
  readonly baseUrl?: string;
}

/** Larger than the API takes (64 KiB), so that its refusal can be tried too. */
const MOST_BODY_BYTES = 1024 * 1024;

export function registerSign(program: Command, run: Registrar): void {
  program
    .command('sign')
    .summary('sign a request and print a ready curl')
    .description(
      'Signs one request: prints the six lines that are signed, the signature, the headers and a curl that sends it.\n' +
        'Without --key-id and --secret the sandbox operation of "npm start" signs (var/sandbox.json). The curl works once and for five minutes.',
    )
    .option('--explain', 'say step by step what was done (on standard error)', false)
    .argument('<method>', 'GET or POST')
    .argument('<path>', 'the path with its query, with or without the /v1 in front')
    .option('--body <file>', 'the body, signed and sent byte for byte')
    .option('--key-id <id>', 'the key (key_test_… or key_live_…)')
    .option('--secret <secret>', 'its secret')
    .option('--base-url <url>', 'where the API is, ending in /v1')
    .addHelpText(
      'after',
      examples('sign --explain GET /v1/ping', 'sign --explain POST /v1/deposits --body deposit.json'),
    )
    .action(
      run(async (context, method: string, path: string, options: Options) => {
        const { readCredential } = await import('../../inputs/credential.js');
        const { explainSignature, signRequest } = await import('./request.js');
        const signed = signRequest({
          method: readMethod(method),
          path: readPath(path),
          body: await readBody(options.body),
          ...readCredential(options),
        });
        if (options.explain) explain(context, explainSignature(signed));
        const { canonical, signature, headers, curl, expiresAt } = signed;
        return answer({ canonical, signature, headers, curl, expires_at: expiresAt });
      }),
    );
}

function explain(context: CommandContext, lines: readonly string[]): void {
  context.explain(lines.join('\n'));
}

function readMethod(method: string): string {
  if (!/^(get|post)$/i.test(method)) throw badInput('METHOD', 'must be GET or POST; the API has no other');
  return method.toUpperCase();
}

/** The signed path has the `/v1` in front; what comes without it gets it. */
function readPath(path: string): string {
  if (!/^\/[\x21-\x7e]*$/.test(path)) throw badInput('PATH', 'must begin with / and be percent-encoded, as it is sent');
  // A fragment is never sent: the API would see another path than the one that was signed.
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
