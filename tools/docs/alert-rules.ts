// Reads ops/alerts.yml: the documentation and the test of the rules both start from it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../../platform/config/project-root.js';

const rule = z.strictObject({
  alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+[smh]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string().min(1), action: z.string().min(1) }),
});
const file = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule).min(1) })).min(1),
});
export type AlertRule = z.output<typeof rule>;

/** Every rule of every group. Throws where the file has not the form of Prometheus rules. */
export function readAlertRules(): AlertRule[] {
  const text = readFileSync(join(projectRoot(), 'ops', 'alerts.yml'), 'utf8');
  return file.parse(parse(text)).groups.flatMap(({ rules }) => rules);
}
