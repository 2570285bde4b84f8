// Every timer, activity and child workflow says in the Temporal UI what it does: staff read a payment's history by
// these summaries.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { readHistories } from '../replay/histories.js';

const ROOT = projectRoot();

/** What makes a timer or a call, and the one file that may use it: the file that asks for a summary. */
const MAKERS: Readonly<Record<string, string>> = {
  sleep: 'workflows/steps/time.ts',
  condition: 'workflows/steps/time.ts',
  setTimeout: 'none',
  setInterval: 'none',
  proxyActivities: 'workflows/steps/step.ts',
  proxyLocalActivities: 'workflows/steps/step.ts',
  scheduleActivity: 'none',
  scheduleLocalActivity: 'none',
  startChild: 'none',
  executeChild: 'none',
};

/** Names in the code, which mean nothing to staff. */
const INTERNAL = /\b(inbox|handlers?|next step|deadline|reactor)\b|[a-z][A-Z]/;

interface Event {
  readonly eventType: string;
  readonly markerRecordedEventAttributes?: { readonly markerName: string };
  readonly userMetadata?: { readonly summary?: { readonly data: string } };
}

const SHOWN = [
  'EVENT_TYPE_TIMER_STARTED',
  'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED',
  'EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED',
];

function shownEvents(json: string): Event[] {
  const { events } = JSON.parse(json) as { events: Event[] };
  return events.filter(
    ({ eventType, markerRecordedEventAttributes: marker }) =>
      SHOWN.includes(eventType) || marker?.markerName === 'core_local_activity',
  );
}

function summaryOf({ userMetadata }: Event): string {
  const data = userMetadata?.summary?.data;
  return data === undefined ? '' : (JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as string);
}

describe('summaries', () => {
  const sources = readdirSync(join(ROOT, 'workflows'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

  for (const [maker, home] of Object.entries(MAKERS)) {
    it(`${maker} is called in ${home === 'none' ? 'no workflow' : home} only`, () => {
      const users = sources.filter((file) =>
        new RegExp(String.raw`(?<![.\w])${maker}\s*[(<]`).test(withoutComments(readFileSync(file, 'utf8'))),
      );
      assert.deepEqual(
        users.map((file) => relative(ROOT, file)),
        home === 'none' ? [] : [home],
      );
    });
  }

  for (const { name, json } of readHistories()) {
    it(`${name}: every timer, activity and child says what it does`, () => {
      const events = shownEvents(json);
      assert.ok(events.length > 0);
      for (const event of events) {
        const summary = summaryOf(event);
        assert.ok(summary.length >= 10, `${event.eventType} has the summary "${summary}"`);
        assert.doesNotMatch(summary, INTERNAL);
      }
    });
  }
});

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
}
