// A conformance report: its outcome, its signature by other means than the kit's, and a page that runs nothing.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { pageOf, signedReportOfPage } from '../../../conformance/report/page.js';
import { outcomeOf, reportSchema } from '../../../conformance/report/report.js';
import type { CheckResult, Report } from '../../../conformance/report/report.js';
import { isSignedBy, newReportKey, signReport } from '../../../conformance/report/signature.js';

const AT = '2026-11-27T12:00:00.000Z';

function check(changes: Partial<CheckResult> = {}): CheckResult {
  return {
    ...{ id: 'a-check', title: 'A title', played: 'This.', must_hold: 'That.', why: 'Because.' },
    ...{ guide: 'integrating.md#6-webhooks', result: 'passed', finding: null, took_ms: 12 },
    story: [{ at: AT, who: 'kit', text: 'does something' }],
    ...changes,
  };
}

function report(changes: Partial<Report> = {}): Report {
  return {
    ...{ form: 1, operator: 'Casa Azul', run: '0a1b2c3d', started_at: AT, ended_at: AT, contract: 'v1, 1.1.0' },
    pace: { wait_ms: 1, settle_ms: 1, recovery_ms: 1 },
    ...{ requests_seen: 3, outcome: 'passed', checks: [check()] },
    ...changes,
  };
}

/** RFC 8785 for what a report holds: objects, lists, text, whole numbers and null. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`;
}

describe('conformance report', () => {
  it('is passed only if every check was played and passed', () => {
    assert.equal(outcomeOf([check(), check()], 2), 'passed');
    assert.equal(outcomeOf([check()], 2), 'incomplete');
    assert.equal(outcomeOf([check(), check({ result: 'not_run' })], 2), 'incomplete');
    assert.equal(outcomeOf([check({ result: 'failed' }), check({ result: 'not_run' })], 3), 'failed');
  });

  it('is verified by anyone with the public key, RFC 8785 and Ed25519', () => {
    const { privatePem, publicPem } = newReportKey();
    const signed = signReport(report(), privatePem);
    const signature = Buffer.from(signed.signature.value, 'base64url');
    const bytes = Buffer.from(canonical(JSON.parse(JSON.stringify(signed.report))));
    assert.ok(verify(null, bytes, createPublicKey(publicPem), signature));
    assert.ok(isSignedBy(signed, publicPem));
    assert.ok(!isSignedBy({ ...signed, report: report({ outcome: 'failed' }) }, publicPem));
    assert.ok(!isSignedBy(signed, newReportKey().publicPem));
  });

  it('gives a page that no text of it can break out of', () => {
    const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
    const failed = check({ result: 'failed', title: evil, finding: { expected: evil, seen: evil } });
    const story = [{ at: AT, who: 'integration' as const, text: evil }];
    const signed = signReport(report({ operator: evil, checks: [{ ...failed, story }] }), newReportKey().privatePem);
    const page = pageOf(signed);
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.equal(page.match(/<\/script>/g)?.length, 1);
    assert.doesNotMatch(page, /<img/);
    assert.match(page, /default-src 'none'/);
    assert.deepEqual(signedReportOfPage(page), signed);
  });

  it('has only http links, and none that runs code', () => {
    for (const guide of ['integrating.md#6-webhooks', 'https://docs.example/guide#a', '../docs/integrating.md#b'])
      assert.ok(reportSchema.safeParse(report({ checks: [check({ guide })] })).success, guide);
    for (const guide of ['javascript:alert(1)#a', 'data:text/html,x#a', 'integrating.md', 'https://x"onclick=#a'])
      assert.ok(!reportSchema.safeParse(report({ checks: [check({ guide })] })).success, guide);
  });
});
