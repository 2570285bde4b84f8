// What npm's audit says, against the written exceptions.

/**
 * @typedef {object} Exception
 * @property {string} advisory such as GHSA-xxxx-xxxx-xxxx
 * @property {string} package
 * @property {string} reason
 * @property {string} expires YYYY-MM-DD: from this day on it is accepted no longer
 */

/** @typedef {{ url: string, severity: string, title: string }} Cause */

/**
 * @param {string} report what `npm audit --json` printed
 * @param {readonly Exception[]} exceptions
 * @param {string} today YYYY-MM-DD
 * @returns {{ isAnswered: boolean, problems: string[] }}
 */
export function judgeAudit(report, exceptions, today) {
  const advisories = advisoriesOf(report);
  const seen = new Set((advisories ?? []).map(({ advisory, name }) => `${advisory} ${name}`));
  const unlisted = (advisories ?? []).flatMap(({ advisory, name, severity, title }) => {
    const exception = exceptions.find((one) => one.advisory === advisory && one.package === name);
    if (exception === undefined) return [`${name}: ${severity}, ${title} (${advisory})`];
    return exception.expires > today ? [] : [`${name}: the exception for ${advisory} ended on ${exception.expires}`];
  });
  const idle = exceptions
    .filter((one) => advisories !== undefined && !seen.has(`${one.advisory} ${one.package}`))
    .map((one) => `${one.package}: ${one.advisory} is not reported any more; remove its exception`);
  return { isAnswered: advisories !== undefined, problems: [...unlisted, ...idle] };
}

/**
 * Each advisory once per package; undefined: the registry did not answer.
 * @param {string} report
 */
function advisoriesOf(report) {
  const vulnerabilities = parsed(report)?.vulnerabilities;
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
 * @returns {{ vulnerabilities?: Record<string, { name: string, via: (string | Cause)[] }> } | undefined}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
