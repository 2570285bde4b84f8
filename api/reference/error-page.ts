// The page behind an error's `type`, where the site is not built: causes, next step, and what it means for the payment.
import { ERROR_HELP } from '../../contract/http/error-help.js';
import { type ErrorCode, ERRORS } from '../../contract/http/errors.js';
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
