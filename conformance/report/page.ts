// The report as a page: one file without scripts. It holds the signed report, from which every word of it is made.
import type { CheckResult } from './report.js';
import { signedReportSchema } from './signature.js';
import type { SignedReport } from './signature.js';
import { STYLE } from './style.js';

const OUTCOMES = {
  passed: 'Passed: every check holds',
  failed: 'Failed',
  incomplete: 'Incomplete: not every check was played',
} as const;
const RESULTS = { passed: 'passed', failed: 'failed', not_run: 'not played' } as const;

const DATA = '<script type="application/json" id="signed-report">';

/** The page of a signed report. The same report always gives the same bytes. */
export function pageOf(signed: SignedReport): string {
  const { report, signature } = signed;
  const count = (result: CheckResult['result']): number =>
    report.checks.filter((check) => check.result === result).length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance of ${text(report.operator)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header class="${report.outcome}">
<p class="kind">Conformance report</p>
<h1>${text(report.operator)}</h1>
<p class="outcome">${OUTCOMES[report.outcome]}</p>
${failuresOf(report.checks)}<dl>
${pair('Passed', `${count('passed')}`)}${pair('Failed', `${count('failed')}`)}${pair('Not played', `${count('not_run')}`)}
${pair('Requests', `${report.requests_seen}`)}${pair('Contract', report.contract)}
${pair('Run', report.run)}${pair('Played', whenOf(report))}
</dl>
</header>
<nav aria-label="Checks"><ol>
${report.checks.map(lineOf).join('\n')}
</ol></nav>
${report.checks.map(sectionOf).join('\n')}
<footer>
<p>Signed with Ed25519 by the key ${text(signature.key)}. Do not believe this page before you have verified it with the
public key that you were given: <code>conformance verify report.html --public-key key.pem</code></p>
</footer>
</main>
${DATA}${JSON.stringify(signed).replaceAll('<', '\\u003c')}</script>
</body>
</html>
`;
}

/** The signed report inside a page; null if there is none, or if the page says anything else than its report does. */
export function signedReportOfPage(page: string): SignedReport | null {
  const start = page.indexOf(DATA);
  const end = page.indexOf('</script>', start);
  if (start < 0 || end < 0) return null;
  const parsed = signedReportSchema.safeParse(parseJson(page.slice(start + DATA.length, end)));
  return parsed.success && pageOf(parsed.data) === page ? parsed.data : null;
}

/** What to look at first. */
function failuresOf(checks: readonly CheckResult[]): string {
  const failed = checks.filter(({ result }) => result === 'failed');
  if (failed.length === 0) return '';
  const items = failed.map(({ id, title, finding }) => {
    const seen = finding === null ? '' : `: ${text(finding.seen)}`;
    return `<li><a href="#${text(id)}">${text(title)}</a>${seen}</li>`;
  });
  return `<ul class="failures">${items.join('')}</ul>\n`;
}

function lineOf({ id, title, result }: CheckResult): string {
  return `<li class="${result}"><a href="#${text(id)}">${text(title)}</a> <span>${RESULTS[result]}</span></li>`;
}

function sectionOf(check: CheckResult): string {
  const { id, title, result, story } = check;
  const steps = `${story.length} ${story.length === 1 ? 'step' : 'steps'} in ${(check.took_ms / 1000).toFixed(1)} s`;
  return `<section id="${text(id)}" class="${result}">
<h2>${text(title)} <span class="result">${RESULTS[result]}</span></h2>
${findingOf(check)}
<dl>
${pair('Played', check.played)}${pair('Must hold', check.must_hold)}${pair('Why', check.why)}
<div><dt>Guide</dt><dd><a href="${text(check.guide)}">${text(check.guide)}</a></dd></div>${pair('Check', id)}
</dl>
<details${result === 'failed' ? ' open' : ''}>
<summary>What happened: ${steps}</summary>
<ol class="story">
${story.map(noteOf).join('\n')}
</ol>
</details>
</section>`;
}

function findingOf({ finding }: CheckResult): string {
  if (finding === null) return '';
  const { expected, seen } = finding;
  return `<div class="finding"><p><b>Expected</b> ${text(expected)}</p><p><b>Seen</b> ${text(seen)}</p></div>`;
}

function noteOf({ at, who, text: said }: CheckResult['story'][number]): string {
  return `<li class="${who}"><time>${text(at.slice(11, 23))}</time> <b>${who}</b> ${text(said)}</li>`;
}

function pair(term: string, description: string): string {
  return `<div><dt>${text(term)}</dt><dd>${text(description)}</dd></div>`;
}

function whenOf({ started_at: from, ended_at: to }: SignedReport['report']): string {
  const took = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return `${from.slice(0, 19).replace('T', ' ')} UTC, ${took} s`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
