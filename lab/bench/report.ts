// Shows results as a table in the terminal, and keeps the last of each benchmark in var/bench.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { alignedTable } from '../../tools/bootstrap/table.mjs';
import { type BenchResult, type Figure, type Verdict, verdictOf } from './result.js';
import type { TemporalKind } from './servers.js';

const RESULTS = inRoot('var', 'bench');
const MARKS: Record<Verdict, string> = { kept: 'kept', broken: 'broken', 'no promise': '' };
const HEAD = ['figure', 'value', 'promise', '', 'remark'] as const;

/** The result as text for a terminal. */
export function resultText(result: BenchResult): string {
  const rows = result.figures.map(figureCells);
  const tables = result.tables.map(
    ({ title, head, rows: details }) => `\n${title}\n${alignedTable([head, ...details])}`,
  );
  return [
    `\n${headingOf(result)}`,
    alignedTable([HEAD, ...rows]),
    ...tables,
    ...result.remarks.map((remark) => `  · ${remark}`),
  ].join('\n');
}

/** Keeps the result as <bench>.json (<bench>-on-postgres.json with Temporal on PostgreSQL). */
export function keepResult(result: BenchResult): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${fileNameOf(result)}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

function fileNameOf({ bench, temporal }: BenchResult): string {
  return temporal === 'postgres' ? `${bench}-on-postgres` : bench;
}

/** The last result under that file name, without its ending. */
export function keptResult(name: string): BenchResult {
  return JSON.parse(readFileSync(join(RESULTS, `${name}.json`), 'utf8')) as BenchResult;
}

export function hasResult(name: string): boolean {
  return existsSync(join(RESULTS, `${name}.json`));
}

const TEMPORAL_NAMES: Record<TemporalKind, string> = {
  dev: 'on Temporal’s dev server',
  postgres: 'on Temporal’s four roles over PostgreSQL',
};

function headingOf({ title, temporal }: BenchResult): string {
  return temporal === undefined ? title : `${title} (${TEMPORAL_NAMES[temporal]})`;
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
