// A second opinion on JSON for differential tests of the strict scanner: jsonc-parser's visitor, with JSON.parse where
// that is lenient.
import { type ParseError, visit } from 'jsonc-parser';

export interface SecondOpinion {
  readonly valid: boolean;
  /** A key twice in one object. */
  readonly duplicate: boolean;
  readonly depth: number;
}

export function secondOpinion(text: string): SecondOpinion {
  const errors: ParseError[] = [];
  const objects: Set<string>[] = [];
  let [depth, deepest, duplicate] = [0, 0, false];
  const open = () => (deepest = Math.max(deepest, ++depth));
  visit(
    text,
    {
      onObjectBegin: () => void (open(), objects.push(new Set())),
      onObjectEnd: () => void (depth--, objects.pop()),
      onArrayBegin: () => void open(),
      onArrayEnd: () => void depth--,
      onObjectProperty: (name) => {
        if (objects.at(-1)?.has(name) === true) duplicate = true;
        objects.at(-1)?.add(name);
      },
      onError: (error, offset, length) => void errors.push({ error, offset, length }),
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
  let valid = errors.length === 0;
  // The visitor is lenient about some tokens (numbers such as `01`, blanks such as U+00A0); JSON.parse is the judge of
  // these.
  try {
    JSON.parse(text);
  } catch {
    valid = false;
  }
  return { valid, duplicate, depth: deepest };
}
