// Answers of the panel with hostile texts in every field that others may have written. The contract says which fields
// are free text, so that a new field is attacked from its first day.
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { PANEL_API, type PanelRoute } from '../../contract/panel/route.js';
import { PANEL_ROUTES } from '../../contract/panel/routes.js';
import { createMatcher } from '../../panel/matcher.js';

/** Each begins with it, so that a test finds where it stands. */
export const MARK = 'ZQX';

/** What operators, banks and payers may write: some 500 characters each. */
export const HOSTILE_TEXTS = {
  'one word': MARK + 'W'.repeat(500),
  'lines and markup': `${MARK}<img src=x onerror="document.title='owned'">${'\n<b>a line</b>'.repeat(40)}`,
  'right to left, zero width, emoji': `${MARK}\u202E\u2066${'\u0627\u200B\u0640\u{1F469}\u200D\u{1F4BB}'.repeat(80)}`,
} as const;

/** Free texts to the contract that the gateway itself writes: ids, codes, names of states. */
const OURS = new Set(
  `id event_id payment_id deposit_id object_id trace_id transfer_id payment subject sequence changes currency amount
   status kind code stage type movement account for time_zone zone day digest hash next cursor environment
   key_id path url temporal_url workflow_status serial multiplier confirm action handle amount_minor balance_minor provider
   decided_at fields reasons rules outcome subject`.split(/\s+/),
);

/** What nobody can make longer: the interface refuses it. */
const SHORT = new Set(
  'external_id player_ref ref name person requested_by approved_by added_by created_by value_ends'.split(' '),
);
const SHORT_LENGTH = 64;

const match = createMatcher();

/** Every page that is opened from now on takes its answers with this text in every such field. */
export async function answerHostile(page: Page, text: string): Promise<void> {
  await page.exposeFunction('hostileAnswer', (method: string, address: string, body: string) => {
    const found = match(method, address.replace(/\?.*/, ''));
    const answer = typeof found === 'string' ? 'events' : (PANEL_ROUTES[found.route] as PanelRoute).answer;
    return typeof answer === 'string' ? body : JSON.stringify(inSchema(answer, JSON.parse(body), '', text));
  });
  await page.addInitScript(`{
    const fetched = window.fetch;
    window.fetch = async (address, options) => {
      const response = await fetched(address, options);
      if (!response.ok || !address.startsWith('${PANEL_API}/')) return response;
      const body = await window.hostileAnswer(options.method, address, await response.text());
      return new Response(body, { status: response.status, headers: response.headers });
    };
  }`);
}

/** The value as the schema permits it, with every free text replaced. */
function inSchema(schema: z.core.$ZodType, value: unknown, name: string, text: string): unknown {
  const inner = (one: z.core.$ZodType) => inSchema(one, value, name, text);
  if (value === null || value === undefined) return value;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return inner(schema.unwrap());
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).map((item) => inSchema(schema.element, item, name, text));
  if (schema instanceof z.ZodUnion)
    return inner(schema.options.find((option) => z.safeParse(option, value).success) ?? z.never());
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, inSchema(schema.shape[key] ?? z.never(), item, key, text)]),
    );
  if (schema instanceof z.ZodString) return isFree(schema, name) ? textOf(name, text) : value;
  if (schema instanceof z.ZodCustom || schema instanceof z.ZodRecord) return inJson(value, name, text);
  return value;
}

function textOf(name: string, text: string): string {
  return SHORT.has(name) ? [...text].slice(0, SHORT_LENGTH).join('') : text;
}

function isFree(schema: z.ZodString, name: string): boolean {
  return !OURS.has(name) && schema.format === null && (schema.def.checks ?? []).length === 0;
}

/** Stored JSON has no schema: every text in it may be theirs, except amounts, codes, times and words of ours. */
function inJson(value: unknown, name: string, text: string): unknown {
  if (OURS.has(name)) return value;
  if (Array.isArray(value)) return value.map((item) => inJson(item, name, text));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inJson(item, key, text)]));
  return typeof value === 'string' && !/^[\d.:TZ-]+$/.test(value) && !name.endsWith('Minor') ? text : value;
}
