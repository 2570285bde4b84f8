// The table of verdicts as text, for the contract, the guide, the client's README and the error pages.
import { codesOf } from './codes.js';
import type { ErrorCode } from './errors.js';
import type { RouteDefinition } from './route.js';
import {
  ANSWER_NAMES,
  type AnswerName,
  answerText,
  codeOfAnswer,
  ENDPOINT_KINDS,
  type EndpointKind,
  endpointKindOf,
  VERDICT_TABLE,
  type Verdict,
  VERDICTS,
} from './verdicts.js';

export const KINDS = Object.keys(ENDPOINT_KINDS) as readonly EndpointKind[];

/** Whether any route of that kind can return it. */
function isAnswered(routes: readonly RouteDefinition[], name: AnswerName, kind: EndpointKind): boolean {
  // Any request may have used a path that is no route.
  if (name === 'not_found') return true;
  return routes.some((route) => endpointKindOf(route) === kind && codesOf(route).includes(codeOfAnswer(name)));
}

/** The verdict of the answer on an endpoint of that kind; null when no such endpoint returns it. */
export function verdictAt(routes: readonly RouteDefinition[], name: AnswerName, kind: EndpointKind): Verdict | null {
  return isAnswered(routes, name, kind) ? VERDICT_TABLE[name][kind] : null;
}

/** Rows of a table: the answer, then its verdict on each kind of endpoint. */
export function verdictRows(routes: readonly RouteDefinition[]): readonly (readonly string[])[] {
  return ANSWER_NAMES.flatMap((name) => {
    const cells = KINDS.map((kind) => verdictAt(routes, name, kind));
    return cells.every((cell) => cell === null)
      ? []
      : [[answerText(name), ...cells.map((cell) => (cell === null ? '–' : `\`${cell}\``))]];
  });
}

/** One entry per verdict, with the answers of a creation that have it. */
export function creationVerdicts(
  routes: readonly RouteDefinition[],
): readonly { readonly verdict: Verdict; readonly answers: readonly string[] }[] {
  return (Object.keys(VERDICTS) as Verdict[]).map((verdict) => ({
    verdict,
    answers: ANSWER_NAMES.filter((name) => verdictAt(routes, name, 'create') === verdict).map(answerText),
  }));
}

/** The same as a Markdown list, for the contract. */
export function creationList(routes: readonly RouteDefinition[]): string {
  return creationVerdicts(routes)
    .map(({ verdict, answers }) => {
      const { title, meaning, next } = VERDICTS[verdict];
      return `* **${title}** (${answers.join(', ')}). ${meaning} ${next}`;
    })
    .join('\n');
}

/** Results that are not in the table. */
export const BESIDE_THE_TABLE =
  'A timeout and a lost connection count as *repeat*. So does an unknown code with 429, 5xx, or 409 and `retryable`. ' +
  'Any other unknown code counts as *nothing known*, never as *payment decided*.';

/** The rows of a code: one, or the three of `validation_failed`. */
export function answersOf(code: ErrorCode): readonly AnswerName[] {
  return ANSWER_NAMES.filter((name) => codeOfAnswer(name) === code);
}
