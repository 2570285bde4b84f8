// The clients' tables of verdicts, written from the contract's table: `npm run docs` writes them, a test compares
// them. The clients cannot import the table: operators copy their folders out of this project.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { ANSWER_NAMES, ENDPOINT_KINDS, statusOfAnswer, VERDICT_TABLE, VERDICTS } from '../../contract/http/verdicts.js';

const HEAD = `// What a refusal means for the payment, for every error code of the gateway and every kind of endpoint.
// Written by \`npm run docs\` from the service's own table: change contract/http/verdicts.ts, not this file.
`;

/** The whole file of the client in TypeScript. */
function clientVerdicts(): string {
  const verdicts = Object.entries(VERDICTS).map(
    ([name, { meaning, next }]) => `${comment(`${meaning} ${next}`)}\n  | '${name}'`,
  );
  const kinds = Object.entries(ENDPOINT_KINDS).map(([name, title]) => `  /** ${title}. */\n  | '${name}'`);
  const rows = ANSWER_NAMES.map((name) => {
    const cells = Object.entries(VERDICT_TABLE[name]).map(([kind, verdict]) => `    ${kind}: '${verdict}',`);
    return [`  ${name}: {`, `    status: ${statusOfAnswer(name)},`, ...cells, '  },'].join('\n');
  });
  return [
    HEAD,
    `export type Verdict =\n${verdicts.join('\n')};\n`,
    `export type EndpointKind =\n${kinds.join('\n')};\n`,
    'export type VerdictRow = { readonly status: number } & Readonly<Record<EndpointKind, Verdict>>;\n',
    '/** By error code; `validation_failed` has three rows, which differ by status and fields. */',
    `export const VERDICT_TABLE: Readonly<Record<string, VerdictRow>> = {\n${rows.join('\n')}\n};\n`,
  ].join('\n');
}

/** A comment of lines that fit. */
function comment(text: string): string {
  const lines = text.match(/.{1,110}(?:\s|$)/g) ?? [];
  return ['  /**', ...lines.map((line) => `   * ${line.trimEnd()}`), '   */'].join('\n');
}

/** Names the source in a language's comment. */
const written = (comment: string) => `${comment} Written by \`npm run docs\` from the service's own table.\n`;
const camel = (name: string) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

function pythonVerdicts(): string {
  const rows = ANSWER_NAMES.map((name) => {
    const cells = Object.entries(VERDICT_TABLE[name]).map(([kind, verdict]) => `        "${kind}": "${verdict}",\n`);
    return `    "${name}": {\n        "status": ${statusOfAnswer(name)},\n${cells.join('')}    },\n`;
  });
  return [
    '"""What a refusal means for the payment, by error code and kind of endpoint."""\n\n',
    written('#'),
    ...Object.entries(VERDICTS).map(([name, { meaning }]) => `# ${name}: ${meaning}\n`),
    ...Object.entries(ENDPOINT_KINDS).map(([name, title]) => `# ${name}: ${title}.\n`),
    '\nfrom typing import Any, Dict\n\n',
    `VERDICT_TABLE: Dict[str, Dict[str, Any]] = {\n${rows.join('')}}\n`,
  ].join('');
}

function goVerdicts(): string {
  const rows = ANSWER_NAMES.map((name) => {
    const cells = Object.entries(VERDICT_TABLE[name]).map(([kind, verdict]) => `${camel(kind)}: ${camel(verdict)}`);
    return `\t"${name}": {\n\t\t${statusOfAnswer(name)}, map[EndpointKind]Verdict{${cells.join(', ')}},\n\t},\n`;
  });
  const constants = (type: string, texts: readonly (readonly [name: string, text: string])[]) =>
    texts.map(([name, text]) => `\t// ${camel(name)}: ${text}\n\t${camel(name)} ${type} = "${name}"\n`).join('');
  const verdicts = Object.entries(VERDICTS).map(([name, { meaning }]) => [name, meaning] as const);
  const kinds = Object.entries(ENDPOINT_KINDS).map(([name, title]) => [name, `${title}.`] as const);
  return [
    'package operatorpayments\n\n',
    written('//'),
    '\n// Verdict is what a refusal means for the payment.\ntype Verdict string\n\n',
    '// EndpointKind says what a request is about.\ntype EndpointKind string\n\n',
    `const (\n${constants('Verdict', verdicts)})\n\n`,
    `const (\n${constants('EndpointKind', kinds)})\n\n`,
    'type verdictRow struct {\n\tstatus int\n\tof     map[EndpointKind]Verdict\n}\n\n',
    `var verdictTable = map[string]verdictRow{\n${rows.join('')}}\n`,
  ].join('');
}

function javaVerdicts(): string {
  const rows = ANSWER_NAMES.map((name) => {
    const cells = Object.values(VERDICT_TABLE[name]).map((verdict) => `Verdict.${verdict.toUpperCase()}`);
    return `            Map.entry("${name}", new Row(${statusOfAnswer(name)}, ${cells.join(', ')}))`;
  });
  const kinds = Object.keys(ENDPOINT_KINDS).map(
    (kind) => `Verdict ${camel(kind).replace(/^./, (first) => first.toLowerCase())}`,
  );
  return [
    'package operatorpayments;\n\nimport java.util.Map;\n\n',
    written('//'),
    '/** The table of verdicts, by error code; validation_failed has three rows. */\nfinal class VerdictTable {\n',
    `    record Row(int status, ${kinds.join(', ')}) {}\n\n`,
    `    static final Map<String, Row> ROWS = Map.ofEntries(\n${rows.join(',\n')});\n\n`,
    '    private VerdictTable() {}\n}\n',
  ].join('');
}

/** Every client's table, by its path in the project. */
export const CLIENT_VERDICTS: Readonly<Record<string, () => string>> = {
  'client/verdicts.ts': clientVerdicts,
  'client/python/operator_payments/verdicts.py': pythonVerdicts,
  'client/go/verdicts.go': goVerdicts,
  'client/java/src/main/java/operatorpayments/VerdictTable.java': javaVerdicts,
};

/** Writes the files. */
export function writeClientVerdicts(): void {
  for (const [path, text] of Object.entries(CLIENT_VERDICTS)) writeFileSync(join(projectRoot(), path), text());
}
