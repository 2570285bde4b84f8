// The differences between two rule sets, field by field.

export interface RuleSetChange {
  /** `currencies.BRL.deposit_max` */
  readonly path: string;
  /** `null` if the field is absent. */
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields in which two rule sets differ, by name. `version` is ignored. */
export function ruleSetChanges(from: object, to: object): RuleSetChange[] {
  const [before, after] = [leaves(from), leaves(to)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .filter((path) => path !== 'version' && JSON.stringify(before.get(path)) !== JSON.stringify(after.get(path)))
    .map((path) => ({ path, from: before.get(path) ?? null, to: after.get(path) ?? null }));
}

function leaves(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([name, member]) => [...leaves(member, path === '' ? name : `${path}.${name}`)]),
  );
}
