// Leaves texts unmutated that no test has to fix: programs decide by codes and types, never by the text of an error or
// a log line.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const ERROR_TYPE = /(Error|Failure)$/;
const LOG_LEVEL = /^(trace|debug|info|warn|error|fatal)$/;

/** Whether a call creates an error (`new XError(…)`, `ApplicationFailure.nonRetryable(…)`) or writes a log line. */
function takesText({ type, callee }) {
  if (type === 'NewExpression') return callee.type === 'Identifier' && ERROR_TYPE.test(callee.name);
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
  const { object, property } = callee;
  if (object.type === 'Identifier' && ERROR_TYPE.test(object.name)) return true;
  return LOG_LEVEL.test(property.name) && /log(ger)?$/i.test(object.name ?? object.property?.name ?? '');
}

/** Node takes an empty encoding as UTF-8, so replacing this name changes nothing. */
const DEFAULT_ENCODING = 'utf8';

const ignorer = {
  shouldIgnore(path) {
    if (path.listKey !== 'arguments') return undefined;
    if (path.isStringLiteral({ value: DEFAULT_ENCODING })) return 'the default encoding';
    const isText = path.isStringLiteral() || path.isTemplateLiteral();
    // The first argument is the text. What follows, such as the type of an ApplicationFailure, is data.
    return isText && path.key === 0 && takesText(path.parent) ? 'the text of an error or of a log line' : undefined;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'texts', ignorer)];
