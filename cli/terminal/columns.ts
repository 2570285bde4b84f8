// Lays out rows as aligned columns.
import { displayWidth } from './cells.js';

export type Alignment = 'left' | 'right';

/** Rows as aligned columns; the first row is the heading. */
export function columns(rows: readonly (readonly string[])[], alignments: readonly Alignment[], indent = ''): string[] {
  const widths = alignments.map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))));
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const padding = ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)));
      return alignments[column] === 'right' ? padding + cell : cell + padding;
    });
    return `${indent}${cells.join('  ')}`.trimEnd();
  });
}
