// The files of the API reference at /docs/reference, all served by the api: page, style, start script and renderer
// (Redoc), and the page that each error's `type` links to.
import { ERROR_HELP } from '../../contract/http/error-help.js';
import { type ErrorCode, ERRORS, ERROR_CODES } from '../../contract/http/errors.js';
import { ROUTES } from '../../contract/http/routes.js';
import {
  answersOf,
  KINDS,
  verdictAt,
  type AnswerName,
  answerText,
  ENDPOINT_KINDS,
  type Verdict,
  VERDICTS,
} from '../../contract/http/verdicts.js';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../platform/config/project-root.js';

/** The page as HTML. */
export function errorPage(code: ErrorCode): string {
  const { status, retryable, detail } = ERRORS[code];
  const { causes, next } = ERROR_HELP[code];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${code}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<main>
<h1><code>${code}</code></h1>
<p>HTTP status ${status}. ${html(detail)} <code>retryable</code> is <code>${String(retryable)}</code>.</p>
<h2>What brings it about</h2>
<ul>
${causes.map((cause) => `<li>${html(cause)}</li>`).join('\n')}
</ul>
<h2>What to do</h2>
<p>${html(next)}</p>
<h2>What it says about the payment</h2>
${paymentPart(code)}
<p><a href="/docs/reference">API reference</a></p>
</main>
</body>
</html>
`;
}

function paymentPart(code: ErrorCode): string {
  const cells = answersOf(code).flatMap((name) =>
    KINDS.map((kind) => ({ name, kind, verdict: verdictAt(ROUTES, name, kind) })),
  );
  const verdicts = [...new Set(cells.flatMap(({ verdict }) => (verdict === null ? [] : [verdict])))];
  if (verdicts.length === 0) return '<p>Nothing: no endpoint of this version answers it.</p>';
  const rows = answersOf(code).map(
    (name) => `<tr><td>${html(answerText(name))}</td>${KINDS.map((kind) => cell(name, kind)).join('')}</tr>`,
  );
  return `<table>
<tr><th>answer</th>${KINDS.map((kind) => `<th>${ENDPOINT_KINDS[kind]}</th>`).join('')}</tr>
${rows.join('\n')}
</table>
<dl>
${verdicts.map(definition).join('\n')}
</dl>`;
}

function cell(name: AnswerName, kind: (typeof KINDS)[number]): string {
  const verdict = verdictAt(ROUTES, name, kind);
  return verdict === null
    ? '<td>–</td>'
    : `<td data-endpoint="${kind}" data-verdict="${verdict}">${VERDICTS[verdict].title}</td>`;
}

function definition(verdict: Verdict): string {
  const { title, meaning, next } = VERDICTS[verdict];
  return `<dt>${title}</dt><dd>${html(meaning)} ${html(next)}</dd>`;
}

/** Text with `code` in backticks. */
function html(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

export interface ReferenceFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  /** Strong: a hash of the content. */
  readonly etag: string;
}

/** By path, exactly as requested. */
export type ReferencePage = ReadonlyMap<string, ReferenceFile>;

const page = (contract: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Operator Payments Gateway: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
<script type="module" src="/docs/page.js"></script>
</head>
<body>
<header><a href="/docs">Documentation</a></header>
<p id="waiting">The reference needs JavaScript.
The document itself is at <a href="${contract}">${contract}</a>.</p>
<div id="reference"></div>
</body>
</html>
`;

const STYLE = `body { margin: 0; font-family: system-ui, sans-serif; }
header { padding: 0.6rem 1.25rem; border-bottom: 1px solid #ddd; }
#waiting { margin: 2rem; }
main { max-width: 52rem; margin: 3rem auto; padding: 0 1rem; line-height: 1.5; }
th, td { border: 1px solid #ccc; padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; }
table { border-collapse: collapse; }
/* The renderer's own mark and its page actions lead elsewhere. */
span:has(> a[href*="redocly.com/redoc"]), [data-testid="page-actions"] { display: none; }
`;

const OPTIONS = { disableTelemetry: true, layout: 'stacked' };

const start = (contract: string) => `import { init } from './redoc.js';
const reference = document.getElementById('reference');
document.getElementById('waiting').remove();
init('${contract}', ${JSON.stringify(OPTIONS)}, reference);
`;

/** Every file, with a page per error `type`. Throws when the renderer is not built (tools/bootstrap/reference.mjs). */
export function loadReferencePage(): ReferencePage {
  return referencePage(readFileSync(join(projectRoot(), 'dist', 'api-reference', 'redoc.js')));
}

/** The files, with this renderer and the address of the contract. Without a site, the reference is also its first page. */
export function referencePage(renderer: Buffer, contract = '/v1/openapi.yaml'): ReferencePage {
  return new Map([
    ['/docs', fileOf('text/html; charset=utf-8', page(contract))],
    ['/docs/reference', fileOf('text/html; charset=utf-8', page(contract))],
    ['/docs/page.css', fileOf('text/css; charset=utf-8', STYLE)],
    ['/docs/page.js', fileOf('text/javascript; charset=utf-8', start(contract))],
    ['/docs/redoc.js', fileOf('text/javascript; charset=utf-8', renderer)],
    ...ERROR_CODES.map(
      (code) => [`/docs/errors/${code}`, fileOf('text/html; charset=utf-8', errorPage(code))] as const,
    ),
  ]);
}

function fileOf(contentType: string, content: string | Buffer): ReferenceFile {
  const body = Buffer.from(content);
  let gzipped: Buffer | undefined;
  return {
    contentType,
    body,
    // Compressed when first asked for: an api that nobody reads starts sooner.
    get gzipped() {
      return (gzipped ??= gzipSync(body));
    },
    etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
  };
}
