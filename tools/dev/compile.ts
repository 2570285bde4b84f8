// Compiles single files into dist/ without checking types, which takes milliseconds. `npm run typecheck` checks them.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** What became of one changed source. */
export type CompileResult =
  | { readonly kind: 'written' | 'unchanged'; readonly output: string }
  /** One line: place and message. */
  | { readonly kind: 'broken'; readonly problem: string };

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  sourceMap: true,
};

/** The compiled file of a source. @param source absolute path */
function outputOf(root: string, source: string): string {
  return join(root, 'dist', relative(root, source)).replace(/\.ts$/, '.js');
}

/**
 * Writes the compiled file, or removes it when the source is gone. A statement counts as a change of what reads it.
 */
export function compileFile(root: string, source: string): CompileResult {
  const output = outputOf(root, source);
  if (!existsSync(source)) {
    rmSync(output, { force: true });
    return { kind: 'written', output };
  }
  if (source.endsWith('.sql')) {
    mkdirSync(dirname(output), { recursive: true });
    copyFileSync(source, output);
    return { kind: 'written', output: outputOf(root, join(root, 'store', 'statements.ts')) };
  }
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(readFileSync(source, 'utf8'), {
    compilerOptions: OPTIONS,
    fileName: source,
    reportDiagnostics: true,
  });
  const [problem] = diagnostics ?? [];
  if (problem !== undefined) return { kind: 'broken', problem: describe(root, source, problem) };
  // The map names the source relative to the map's own folder.
  const map = JSON.parse(sourceMapText ?? '{}') as { sources: string[] };
  map.sources = [relative(dirname(output), source)];
  if (existsSync(output) && readFileSync(output, 'utf8') === outputText) return { kind: 'unchanged', output };
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, outputText);
  writeFileSync(`${output}.map`, JSON.stringify(map));
  return { kind: 'written', output };
}

function describe(root: string, source: string, { file, start, messageText }: ts.Diagnostic): string {
  const { line, character } = file?.getLineAndCharacterOfPosition(start ?? 0) ?? { line: 0, character: 0 };
  const message = ts.flattenDiagnosticMessageText(messageText, ' ');
  return `${relative(root, source)}:${line + 1}:${character + 1} ${message}`;
}
