// The files of the API reference at /docs/reference, all served by the api: page, style, start script and renderer
// (Redoc).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../platform/config/project-root.js';
import { ERROR_CODES } from '../../contract/http/errors.js';
import { errorPage } from './error-page.js';

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
