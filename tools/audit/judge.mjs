// What npm's audit says, against the written exceptions.

/**
 * @typedef {object} Exception
 * @property {string} advisory such as GHSA-xxxx-xxxx-xxxx
 * @property {string} package
 * @property {string} reason
 * @property {string} expires YYYY-MM-DD: from this day on it is accepted no longer
 */

/** @typedef {{ url: string, severity: string, title: string }} Cause */

/** The statuses of a registry that does not know the request: it has no advisories. Anything else is no answer. */
const UNKNOWN_REQUEST = [404, 405, 501];

/**
 * @param {string} report what `npm audit --json` printed
 * @param {readonly Exception[]} exceptions
 * @param {string} today YYYY-MM-DD
 * @returns {{ answer: 'given' | 'no_advisories' | 'none', problems: string[] }}
 */
export function judgeAudit(report, exceptions, today) {
  const said = parsed(report);
  const advisories = advisoriesOf(said?.vulnerabilities);
  if (advisories === undefined)
    return { answer: UNKNOWN_REQUEST.includes(said?.statusCode ?? 0) ? 'no_advisories' : 'none', problems: [] };
  const seen = new Set(advisories.map(({ advisory, name }) => `${advisory} ${name}`));
  const unlisted = advisories.flatMap(({ advisory, name, severity, title }) => {
    const exception = exceptions.find((one) => one.advisory === advisory && one.package === name);
    if (exception === undefined) return [`${name}: ${severity}, ${title} (${advisory})`];
    return exception.expires > today ? [] : [`${name}: the exception for ${advisory} ended on ${exception.expires}`];
  });
  const idle = exceptions
    .filter((one) => !seen.has(`${one.advisory} ${one.package}`))
    .map((one) => `${one.package}: ${one.advisory} is not reported any more; remove its exception`);
  return { answer: 'given', problems: [...unlisted, ...idle] };
}

/** @typedef {Readonly<Record<string, { name: string, via: (string | Cause)[] }>>} Vulnerabilities */

/**
 * Each advisory once per package; undefined: the registry gave none.
 * @param {Vulnerabilities | undefined} vulnerabilities
 */
function advisoriesOf(vulnerabilities) {
  if (vulnerabilities === undefined) return undefined;
  const found = Object.values(vulnerabilities).flatMap(({ name, via }) =>
    via.flatMap((cause) => {
      // A text names another package of this list, which has the advisory.
      if (typeof cause === 'string') return [];
      const { url, severity, title } = cause;
      return [{ advisory: url.slice(url.lastIndexOf('/') + 1), name, severity, title }];
    }),
  );
  return [...new Map(found.map((one) => [`${one.advisory} ${one.name}`, one])).values()];
}

/**
 * @param {string} text
 * @returns {{ vulnerabilities?: Vulnerabilities, statusCode?: number } | undefined}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
