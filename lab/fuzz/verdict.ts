// Whether a run found anything, and whether it could have: a judge that asked nothing finds nothing.
import type { RouteDefinition } from '../../contract/http/route.js';
import type { RouteName } from '../../contract/http/routes.js';
import type { JudgeReport, OperationReport } from './report.js';

export interface Verdict {
  /** One for each route; no findings: all is well. */
  readonly routes: readonly { readonly label: string; readonly findings: readonly string[] }[];
  /** About the run as a whole. */
  readonly run: readonly string[];
}

/** The routes of the disabled surface: what each answers to a request that is right in form. */
const REFUSES: Partial<Record<RouteName, number>> = {
  recallWithdrawal: 409,
  createFxQuote: 422,
  getFxQuote: 404,
  getReceipt: 404,
  sandboxReceiveTransfer: 400,
};

/** The same where the bank behind the slot sends no payouts: no withdrawal exists. */
export const WITHOUT_PAYOUTS: Partial<Record<RouteName, number>> = {
  createWithdrawal: 400,
  getWithdrawal: 404,
  cancelWithdrawal: 404,
  recallWithdrawal: 404,
  sandboxActOnWithdrawal: 404,
};

/** Of each route with something to vary; far below what the pinned version makes of the smallest of them. */
const FEWEST = { coverage: 5, fuzzing: 5 };
const FEWEST_STATEFUL = 10;

export function labelOf({ method, path }: RouteDefinition): string {
  return `${method} ${path.replaceAll(/:([a-z_]+)/g, '{$1}')}`;
}

/** Not asked at all (schemathesis.toml). */
const NOT_ASKED: readonly string[] = ['sandboxSetClock', 'sandboxCloseDay'] satisfies RouteName[];

/** The routes that are judged: the document itself is where the judge begins. */
export function judged(routes: readonly RouteDefinition[]): readonly RouteDefinition[] {
  return routes.filter(({ name, access }) => access !== 'public' && !NOT_ASKED.includes(name));
}

/**
 * `count` is how many generated cases an operation and phase may have at most. `others`: routes that refuse beside the
 * disabled surface.
 */
export function verdictOf(
  report: JudgeReport,
  routes: readonly RouteDefinition[],
  count: number,
  others: Partial<Record<RouteName, number>> = {},
): Verdict {
  const stateful = [...report.operations.values()].reduce((sum, { cases }) => sum + cases.stateful, 0);
  return {
    routes: judged(routes).map((route) => {
      const operation = report.operations.get(labelOf(route));
      return {
        label: labelOf(route),
        findings:
          operation === undefined
            ? ['was never asked']
            : [...new Set(operation.failures), ...shortfalls(route, operation, count, { ...REFUSES, ...others })],
      };
    }),
    run: [
      ...report.errors,
      ...(stateful < FEWEST_STATEFUL
        ? [`only ${stateful} requests in sequences, at least ${FEWEST_STATEFUL} were expected`]
        : []),
    ],
  };
}

function shortfalls(
  route: RouteDefinition,
  { cases, statuses }: OperationReport,
  count: number,
  refuses: Partial<Record<RouteName, number>>,
): string[] {
  const varies =
    route.params !== undefined || route.query !== undefined || route.body !== undefined || route.path.includes(':');
  const fewest = { coverage: varies ? FEWEST.coverage : 1, fuzzing: varies ? Math.min(FEWEST.fuzzing, count) : 1 };
  const few = (['coverage', 'fuzzing'] as const).filter((phase) => cases[phase] < fewest[phase]);
  const wanted = [refuses[route.name as RouteName] ?? Object.keys(route.success).map(Number)].flat();
  return [
    ...few.map((phase) => `only ${cases[phase]} cases of ${phase}, at least ${fewest[phase]} were expected`),
    ...(wanted.some((status) => statuses.has(status))
      ? []
      : [`never answered ${wanted.join(' or ')}: nothing behind the checks was reached`]),
  ];
}
