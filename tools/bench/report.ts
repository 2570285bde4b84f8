// Shows results as a table in the terminal; keeps one JSON file each and one page for all in tools/bench/results.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../bootstrap/root.mjs';
import { type BenchResult, type DetailTable, type Figure, type Verdict, verdictOf } from './result.js';
import type { TemporalKind } from './servers.js';

const RESULTS = inRoot('tools', 'bench', 'results');
const MARKS: Record<Verdict, string> = { kept: 'kept', broken: '**broken**', 'no promise': '' };
const HEAD = ['figure', 'value', 'promise', '', 'remark'] as const;

/** The result as text for a terminal. */
export function resultText(result: BenchResult): string {
  const rows = result.figures.map((figure) => figureCells(figure).map((cell) => cell.replaceAll('**', '')));
  const tables = result.tables.map(({ title, head, rows: details }) => `\n${title}\n${aligned([head, ...details])}`);
  return [
    `\n${headingOf(result)}`,
    aligned([HEAD, ...rows]),
    ...tables,
    ...result.remarks.map((remark) => `  · ${remark}`),
  ].join('\n');
}

/**
 * Keeps the result as <bench>.json (<bench>-on-postgres.json with Temporal on PostgreSQL) and writes the page from all
 * kept results.
 */
export function keepResult(result: BenchResult): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${fileNameOf(result)}.json`), `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(join(RESULTS, 'README.md'), resultsPage(keptResults()));
}

function fileNameOf({ bench, temporal }: BenchResult): string {
  return temporal === 'postgres' ? `${bench}-on-postgres` : bench;
}

function keptResults(): BenchResult[] {
  const files = readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return files.map((name) => keptResult(name.slice(0, -'.json'.length)));
}

/** The last result under that file name, without its ending. */
export function keptResult(name: string): BenchResult {
  return JSON.parse(readFileSync(join(RESULTS, `${name}.json`), 'utf8')) as BenchResult;
}

export function hasResult(name: string): boolean {
  return existsSync(join(RESULTS, `${name}.json`));
}

/** The page: one section per benchmark. */
export function resultsPage(results: readonly BenchResult[]): string {
  const intro =
    '# Results of `npm run bench`\n\nWritten by the runs; each replaces its own section. `tools/bench/README.md` ' +
    'says what is measured and how to read it.';
  return `${[intro, ...results.map(section)].join('\n\n')}\n`;
}

const TEMPORAL_NAMES: Record<TemporalKind, string> = {
  dev: 'on Temporal’s dev server',
  postgres: 'on Temporal’s four roles over PostgreSQL',
};

function headingOf({ title, temporal }: BenchResult): string {
  return temporal === undefined ? title : `${title} (${TEMPORAL_NAMES[temporal]})`;
}

function section(result: BenchResult): string {
  const { bench, ranAt, tookSeconds, machine, figures, tables, remarks } = result;
  return [
    `## ${headingOf(result)}`,
    `\`npm run bench -- ${bench}${result.temporal === 'postgres' ? ' --temporal postgres' : ''}\`, ` +
      `${ranAt.slice(0, 16).replace('T', ' ')} UTC, ${Math.round(tookSeconds)} s, ${machine}.`,
    ...(remarks.length === 0 ? [] : [remarks.map((remark) => `* ${remark}`).join('\n')]),
    markdown({ head: HEAD, rows: figures.map(figureCells) }),
    ...tables.map((table) => `### ${table.title}\n\n${markdown(table)}`),
  ].join('\n\n');
}

function figureCells(figure: Figure): string[] {
  const { name, unit, atMost, atLeast, note } = figure;
  const promise = [
    atMost === undefined ? [] : [`≤ ${atMost} ${unit}`],
    atLeast === undefined ? [] : [`≥ ${atLeast} ${unit}`],
  ]
    .flat()
    .join(', ');
  return [name, `${shown(figure.value)} ${unit}`, promise, MARKS[verdictOf(figure)], note ?? ''];
}

/** Three significant digits are more than such measurements are good for; counters stay whole. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value) || value >= 1000) return String(Math.round(value));
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function markdown({ head, rows }: Pick<DetailTable, 'head' | 'rows'>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
