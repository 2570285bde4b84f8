// The titles of a spec file's tests, as its source has them. A title that is made for each case of a table counts with
// the names of the cases.
import ts from 'typescript';

const TESTS = new Set(['it', 'describe']);
/** The properties of a case that name it. */
const NAMES = new Set(['what', 'title']);

/** Titles of tests and of groups, and the names of cases where a title is made of them. Not of skipped tests. */
export function testTitles(source: string): string[] {
  const [titles, cases]: [string[], string[]] = [[], []];
  let isMade = false;
  const visit = (node: ts.Node): void => {
    const title = titleOf(node);
    if (title !== undefined) titles.push(title.getText().slice(1, -1));
    isMade ||= title !== undefined && ts.isTemplateExpression(title);
    if (isNameOfCase(node)) cases.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('spec.ts', source, ts.ScriptTarget.Latest, true));
  return isMade ? [...titles, ...cases] : titles;
}

function titleOf(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || !TESTS.has(node.expression.text))
    return undefined;
  const [title] = node.arguments;
  return title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)) ? title : undefined;
}

/** The first item of a row, or a property that names it. */
function isNameOfCase(node: ts.Node): node is ts.StringLiteralLike {
  if (!ts.isStringLiteralLike(node)) return false;
  const { parent } = node;
  return ts.isArrayLiteralExpression(parent)
    ? parent.elements[0] === node
    : ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.name) && NAMES.has(parent.name.text);
}
