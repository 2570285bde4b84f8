// D and K: what an operator was answered stays true, and the same request under the same key has the same answer, byte
// for byte.
import type { JournalEntry, Operator } from '../environment/operator.js';
import { type Answer, isDecision } from '../environment/requests.js';
import type { Invariant } from './invariant.js';

interface AnsweredObject {
  readonly id: string;
  readonly version: number;
  readonly external_id: string;
}

/** Enough of a large storm: every key is one more request. */
const MOST_REPEATED_KEYS = 60;
const MOST_SHOWN = 3;

export const promises: Invariant = {
  letter: 'D',
  holds: 'every object answered with 2xx still exists, at that version or a later one',
  async check({ environment }) {
    const objects = environment.operators.flatMap(({ journal }) =>
      journal.flatMap(({ answers }) => answers.filter(({ status }) => status < 300).flatMap(objectsIn)),
    );
    const { rows } = await environment.database.query<{ id: string; version: number; external_id: string }>(
      `SELECT id, version, external_id FROM deposit WHERE id = ANY($1)
        UNION ALL SELECT id, version, external_id FROM withdrawal WHERE id = ANY($1)`,
      [objects.map(({ id }) => id)],
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    return objects.flatMap(({ id, version, external_id }) => {
      const row = stored.get(id);
      if (row === undefined) return [`${id} was answered and is not there`];
      if (row.version < version) return [`${id} was answered with version ${version} and has version ${row.version}`];
      return row.external_id === external_id
        ? []
        : [`${id} was answered with external_id ${external_id} and has ${row.external_id}`];
    });
  },
};

function objectsIn({ text }: Answer): AnsweredObject[] {
  const body = JSON.parse(text) as Partial<AnsweredObject>;
  return body.id !== undefined && body.version !== undefined && body.external_id !== undefined
    ? [body as AnsweredObject]
    : [];
}

export const keys: Invariant = {
  letter: 'K',
  holds: 'the same Idempotency-Key always gets the same bytes and has one effect',
  async check({ environment }) {
    const problems = await Promise.all(
      environment.operators.map(async (operator) =>
        (await Promise.all(chosen(operator.journal).map((entry) => differs(operator, entry)))).flat(),
      ),
    );
    return problems.flat();
  },
};

/** Entries with a decision, each key once. */
function chosen(journal: readonly JournalEntry[]): JournalEntry[] {
  const decided = journal.filter(({ answers }) => answers.some(isDecision));
  return [...new Map(decided.map((entry) => [`${entry.key} ${entry.body}`, entry])).values()].slice(
    0,
    MOST_REPEATED_KEYS,
  );
}

async function differs(operator: Operator, entry: JournalEntry): Promise<string[]> {
  const decisions = entry.answers.filter(isDecision);
  for (let tries = 0; tries < 20; tries += 1) {
    const again = await operator.postOnce(entry);
    if (isDecision(again)) decisions.push(again);
    if (isDecision(again)) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  // Refused before the key was read (signature, used nonce), or because the key has another body: nothing was recorded.
  const recorded = decisions.filter((answer) => answer.status !== 401 && answer.status !== 403 && !isReuse(answer));
  const texts = new Set(recorded.map(({ status, text }) => `${status} ${text}`));
  const problems =
    texts.size > 1
      ? [
          `the key ${entry.key} (${entry.target}) was answered in ${texts.size} ways: ${[...texts]
            .slice(0, MOST_SHOWN)
            .map((text) => text.slice(0, 120))
            .join(' | ')}`,
        ]
      : [];
  if (recorded.length > 0 && recorded.at(-1)?.replayed !== true && recorded.at(-1)?.status !== 422)
    problems.push(`the last repeat of ${entry.key} (${entry.target}) is no replay`);
  return problems;
}

/** Another body under a used key is refused afresh each time. */
function isReuse({ text }: Answer): boolean {
  return text.includes('"idempotency_key_reused"');
}
