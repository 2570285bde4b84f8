// Lines of the files that people save.
import { stringify } from 'csv-stringify/sync';

/** Escaped so that a spreadsheet runs no cell as a formula. The mark at the start identifies UTF-8. */
export function csvLines(rows: readonly (readonly (string | null)[])[], isStart = false): string {
  return stringify(
    rows.map((row) => [...row]),
    { bom: isStart, escape_formulas: true, record_delimiter: 'windows' },
  );
}
