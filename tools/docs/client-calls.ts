// The calls of the clients in Python, Go and Java, written from the routes: `npm run docs` writes them, a test compares
// them. How a call is signed, repeated and judged is written by hand beside them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteDefinition } from '../../contract/http/route.js';
import { ROUTES } from '../../contract/http/routes.js';
import { endpointKindOf } from '../../contract/http/verdicts.js';
import { projectRoot } from '../../platform/config/project-root.js';

interface Call {
  /** In camel case. */
  readonly name: string;
  readonly isRead: boolean;
  readonly endpoint: string;
  /** `/deposits/:id/cancel` */
  readonly path: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
  readonly hasBody: boolean;
  readonly about: string;
}

/** What is answered "not enabled" needs no call. */
const CALLS: readonly Call[] = (ROUTES as readonly RouteDefinition[])
  .filter(({ access, tag }) => access !== 'public' && !/disabled/i.test(tag))
  .map((route) => ({
    name: route.name,
    isRead: route.method === 'GET',
    endpoint: endpointKindOf(route),
    path: route.path,
    params: [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
    query: Object.keys(route.query?.shape ?? {}),
    hasBody: Object.keys((typeof route.body === 'object' && route.body.meta()?.['example']) || {}).length > 0,
    about: `${route.summary.replaceAll('’', "'")}: \`${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}\`.`,
  }));

const written = (comment: string) => `${comment} Written by \`npm run docs\` from the service's own routes.\n`;
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const capital = (name: string) => name.replace(/^./, (first) => first.toUpperCase());
/** An expression of its parts; `param`: of a parameter. */
function pathOf(path: string, param: (name: string) => string, plus = ' + '): string {
  const parts = path.split(/(:\w+)/).filter((part) => part !== '');
  return parts.map((part) => (part.startsWith(':') ? param(part.slice(1)) : quoted(part))).join(plus);
}
const quoted = (text: string) => `"${text}"`;

function pythonCall({ name, isRead, endpoint, path, params, query, hasBody, about }: Call): string {
  const target = pathOf(path, (param) => `_segment(${param})`);
  const taken = params.map((param) => `, ${param}: str`).join('');
  const doc = `        """${about}"""\n`;
  if (isRead) {
    const named = query.length === 0 ? '' : `, *, ${query.map((one) => `${one}: Optional[Any] = None`).join(', ')}`;
    const passed = query.map((one) => `, ${one}=${one}`).join('');
    return `    def ${snake(name)}(self${taken}${named}) -> Answer:\n${doc}        return self.get(${target}${passed})\n`;
  }
  const body = hasBody ? ', body: Any' : '';
  return (
    `    def ${snake(name)}(self${taken}${body}, key: str, **headers: str) -> Answer:\n${doc}` +
    `        return self.post("${endpoint}", ${target}, key, ${hasBody ? 'body' : 'None'}, **headers)\n`
  );
}

function pythonCalls(): string {
  return [
    '"""Every call of the API, one method each. Bodies are dicts, or bytes that are sent as they are."""\n\n',
    written('#'),
    '# fmt: off\n\nimport urllib.parse\nfrom typing import Any, Optional\n\nfrom .answer import Answer\n\n\n',
    'def _segment(text: str) -> str:\n    return urllib.parse.quote(text, safe="")\n\n\n',
    'class Calls:\n    def get(self, path: str, **query: Any) -> Answer:\n        raise NotImplementedError\n\n',
    '    def post(self, endpoint: str, path: str, key: str, body: Any = None, **headers: str) -> Answer:\n',
    `        raise NotImplementedError\n\n${CALLS.map(pythonCall).join('\n')}`,
  ].join('');
}

function goCall({ name, isRead, endpoint, path, params, query, hasBody, about }: Call): string {
  const target = pathOf(path, (param) => `url.PathEscape(${camel(param)})`, '+');
  const taken = params.map((param) => `, ${camel(param)} string`).join('');
  const head = `// ${capital(name)}: ${about}\nfunc (gateway *Gateway) ${capital(name)}`;
  if (isRead) {
    const given = query.length === 0 ? '' : ', query url.Values';
    const whole = query.length === 0 ? target : `withQuery(${target}, query)`;
    return `${head}(ctx context.Context${taken}${given}) (*Answer, error) {\n\treturn gateway.Get(ctx, ${whole})\n}\n`;
  }
  const body = hasBody ? ', body []byte, header map[string]string' : '';
  const passed = hasBody ? 'body, header' : 'nil, nil';
  return (
    `${head}(ctx context.Context${taken}, idempotencyKey string${body}) (*Answer, error) {\n` +
    `\treturn gateway.Post(ctx, ${capital(camel(endpoint))}, ${target}, idempotencyKey, ${passed})\n}\n`
  );
}

function goCalls(): string {
  return [
    `package operatorpayments\n\n${written('//')}\nimport (\n\t"context"\n\t"net/url"\n)\n\n`,
    'func withQuery(path string, query url.Values) string {\n\tif len(query) == 0 {\n\t\treturn path\n\t}\n',
    `\treturn path + "?" + query.Encode()\n}\n\n${CALLS.map(goCall).join('\n')}`,
  ].join('');
}

const JAVA_THROWS = ' throws ProblemException, NoAnswerException, InterruptedException';

function javaCall({ name, isRead, endpoint, path, params, query, hasBody, about }: Call): string {
  const target = pathOf(path, (param) => `segment(${camel(param)})`);
  const taken = params.map((param) => `String ${camel(param)}`);
  const head = `    /** ${about.replaceAll('`', '')} */\n    default Gateway.Answer ${name}`;
  const given = isRead
    ? [...taken, ...(query.length === 0 ? [] : ['Map<String, String> query'])]
    : [...taken, 'String idempotencyKey', ...(hasBody ? ['byte[] body', 'Map<String, String> headers'] : [])];
  const kind = snake(endpoint).toUpperCase();
  const passed = hasBody ? 'body, headers' : 'new byte[0], Map.of()';
  const call = isRead
    ? `get(${target}${query.length === 0 ? '' : ' + queryOf(query)'})`
    : `post(Endpoint.${kind}, ${target}, idempotencyKey, ${passed})`;
  return `${head}(${given.join(', ')})\n            ${JAVA_THROWS.trim()} {\n        return ${call};\n    }\n`;
}

function javaCalls(): string {
  const encode = 'java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8)';
  return [
    'package operatorpayments;\n\nimport java.util.Map;\nimport java.util.stream.Collectors;\n\n',
    written('//'),
    '/** Every call of the API, one method each. Bodies are sent as they are. */\npublic interface Calls {\n',
    `    Gateway.Answer get(String path)${JAVA_THROWS};\n\n`,
    '    Gateway.Answer post(\n            Endpoint endpoint, String path, String idempotencyKey, byte[] body, ',
    `Map<String, String> headers)\n            ${JAVA_THROWS.trim()};\n\n`,
    `    private static String segment(String text) {\n        return ${encode}.replace("+", "%20");\n    }\n\n`,
    '    private static String queryOf(Map<String, String> query) {\n        return query.isEmpty() ? "" : query.entrySet()',
    '.stream()\n                .map(entry -> segment(entry.getKey()) + "=" + segment(entry.getValue()))\n',
    `                .collect(Collectors.joining("&", "?", ""));\n    }\n\n${CALLS.map(javaCall).join('\n')}}\n`,
  ].join('');
}

/** Every client's calls, by its path in the project. */
export const CLIENT_CALLS: Readonly<Record<string, () => string>> = {
  'client/python/operator_payments/calls.py': pythonCalls,
  'client/go/calls.go': goCalls,
  'client/java/src/main/java/operatorpayments/Calls.java': javaCalls,
};

/** Writes the files. */
export function writeClientCalls(): void {
  for (const [path, text] of Object.entries(CLIENT_CALLS)) writeFileSync(join(projectRoot(), path), text());
}
