// client/verdicts.ts, written from the contract's table: `npm run docs` writes it, a test compares it. The client
// cannot import the table: operators copy its folder out of this project.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { ANSWER_NAMES, ENDPOINT_KINDS, statusOfAnswer, VERDICT_TABLE, VERDICTS } from '../../contract/http/verdicts.js';

export const CLIENT_VERDICTS_FILE = join(projectRoot(), 'client', 'verdicts.ts');

const HEAD = `// What a refusal means for the payment, for every error code of the gateway and every kind of endpoint.
// Written by \`npm run docs\` from the service's own table: change contract/http/verdicts.ts, not this file.
`;

/** The whole file. */
export function clientVerdicts(): string {
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

/** Writes the file. */
export function writeClientVerdicts(): void {
  writeFileSync(CLIENT_VERDICTS_FILE, clientVerdicts());
}
