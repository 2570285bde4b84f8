// ops/alerts.yml against the metrics that exist: each expression is PromQL, and names nothing that nobody serves.
import assert from 'node:assert/strict';
import { parser } from '@prometheus-io/lezer-promql';
import { ALERTS } from '../../../domain/alerts.js';
import { ERRORS } from '../../../contract/http/errors.js';
import { readAlertRules } from '../../../tools/docs/alert-rules.js';
import { METRICS, SDK_METRICS } from '../../../platform/telemetry/metrics.js';

interface Reading {
  readonly isValid: boolean;
  readonly metrics: readonly string[];
  /** Metric, label and value of every matcher, and labels that are aggregated by (without a value). */
  readonly labels: readonly string[];
}

/** Reads an expression with Prometheus' own grammar. */
function readExpression(expression: string): Reading {
  const metrics: string[] = [];
  const labels: string[] = [];
  let isValid = true;
  parser.parse(expression).iterate({
    enter: ({ name, from, to, node, type }) => {
      if (type.isError) isValid = false;
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(expression.slice(from, to));
      if (name === 'LabelName') labels.push(expression.slice(from, to));
    },
  });
  return { isValid, metrics, labels };
}

/** What is served under a name: histograms have three series, and one more label. */
function labelsOf(metric: string): string[] | undefined {
  if (metric === 'up') return ['job', 'instance'];
  const base = metric.replace(/_(bucket|sum|count)$/, '');
  const own = METRICS[metric as keyof typeof METRICS] ?? undefined;
  const histogram = METRICS[base as keyof typeof METRICS];
  if (own !== undefined && own.type !== 'histogram') return Object.keys(own.labels);
  if (histogram?.type === 'histogram' && base !== metric) return [...Object.keys(histogram.labels), 'le'];
  if (metric in SDK_METRICS || (base in SDK_METRICS && base !== metric))
    return ['le', 'task_queue', 'worker_type', 'workflow_type', 'activity_type'];
  return undefined;
}

describe('alert rules', () => {
  const rules = readAlertRules();

  it('have their own names', () => assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length));

  for (const { alert, expr } of rules) {
    it(`${alert}: is PromQL over metrics and labels that exist`, () => {
      const { isValid, metrics, labels } = readExpression(expr);
      assert.ok(isValid, `not PromQL: ${expr}`);
      assert.ok(metrics.length > 0, 'names no metric');
      const known = metrics.map((metric) => labelsOf(metric) ?? assert.fail(`nobody serves ${metric}`)).flat();
      assert.deepEqual(
        labels.filter((label) => !known.includes(label)),
        [],
      );
    });

    it(`${alert}: shows only labels that its expression keeps`, () => {
      const { annotations } = rules.find((rule) => rule.alert === alert)!;
      const shown = [...`${annotations.summary} ${annotations.action}`.matchAll(/\$labels\.(\w+)/g)].map(
        ([, label]) => label!,
      );
      const kept = /\bby \(([^)]*)\)/
        .exec(expr)?.[1]
        ?.split(',')
        .map((label) => label.trim()) ?? ['job', 'instance'];
      assert.deepEqual(
        shown.filter((label) => !kept.includes(label)),
        [],
      );
    });
  }

  it('this test can fail', () => {
    assert.ok(!readExpression('sum(rate(gateway_http_requests_total[5m])').isValid);
    assert.equal(labelsOf('gateway_nothing_total'), undefined);
    assert.equal(labelsOf('gateway_http_request_seconds'), undefined, 'a histogram has no series of its own name');
    assert.deepEqual(readExpression('rate(gateway_nothing_total{code="x"}[5m])').metrics, ['gateway_nothing_total']);
  });

  it('matchers name values that exist', () => {
    const text = rules.map(({ expr }) => expr).join('\n');
    for (const [, code] of text.matchAll(/code="(\w+)"/g)) assert.ok(code! in ERRORS, code);
    for (const [, name] of text.matchAll(/alert="(\w+)"/g)) assert.ok(name! in ALERTS, name);
  });

  it('every metric of the money and of the partners is watched', () => {
    const watched = new Set(
      rules.flatMap(({ expr }) => readExpression(expr).metrics.map((metric) => metric.replace(/_bucket$/, ''))),
    );
    const unwatched = Object.keys(METRICS).filter(
      (name) =>
        /payouts|alerts|oldest|webhook|provider|callbacks_total|http|idempotency|temporal/.test(name) &&
        !name.includes('simulator') &&
        !watched.has(name),
    );
    assert.deepEqual(unwatched, []);
  });
});
