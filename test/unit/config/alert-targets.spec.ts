// Where alerts are sent on to: production needs a target, and a target needs all of its settings.
import assert from 'node:assert/strict';
import { readWorkerConfig } from '../../../platform/config/worker.js';
import { WEBHOOKS } from './sound-environments.js';

describe('the targets of alerts', () => {
  it('a worker of the webhooks that sends alerts on to nobody does not start', () => {
    const targets = { ALERT_WEBHOOK_URL: '', ALERT_WEBHOOK_SECRET: '' };
    assert.throws(
      () => readWorkerConfig({ ...WEBHOOKS, ...targets }),
      /ALERT_WEBHOOK_URL: or ALERT_EMAIL_TO or ALERT_PAGER_KEY must be there in production/,
    );
    const { alertTargets } = readWorkerConfig({ ...WEBHOOKS, ...targets, ALERT_PAGER_KEY: 'of-production' });
    assert.deepEqual(alertTargets, {
      ...{ webhook: null, email: null, leastClass: 'critical' },
      pager: { url: 'https://events.pagerduty.com/v2/enqueue', routingKey: 'of-production' },
    });
    assert.doesNotThrow(() => readWorkerConfig({ ...WEBHOOKS, ...targets, GATEWAY_ENVIRONMENT: 'sandbox' }));
  });

  it('a target of alerts has all of its settings or none; what is wrong is named', () => {
    const email = {
      ALERT_EMAIL_TO: 'duty@acme.example, ana@acme.example',
      ALERT_EMAIL_FROM: 'gateway@acme.example',
      ALERT_SMTP_URL: 'smtp://gateway%40acme@mail.acme.example',
      ALERT_SMTP_PASSWORD: 'of production',
    };
    assert.deepEqual(readWorkerConfig({ ...WEBHOOKS, ...email }).alertTargets.email, {
      from: 'gateway@acme.example',
      to: ['duty@acme.example', 'ana@acme.example'],
      server: {
        ...{ host: 'mail.acme.example', port: 587, isTls: false },
        login: { user: 'gateway@acme', password: 'of production' },
      },
    });
    for (const [changed, message] of [
      [{ ALERT_WEBHOOK_SECRET: '' }, /ALERT_WEBHOOK_SECRET: goes with ALERT_WEBHOOK_URL/],
      [{ ALERT_WEBHOOK_SECRET: 'short' }, /ALERT_WEBHOOK_SECRET: must have at least 32 characters/],
      [{ ...email, ALERT_SMTP_PASSWORD: '' }, /ALERT_SMTP_PASSWORD: goes with ALERT_SMTP_URL/],
      [{ ...email, ALERT_SMTP_URL: '' }, /ALERT_SMTP_URL: goes with ALERT_EMAIL_TO/],
      [{ ...email, ALERT_EMAIL_TO: '' }, /ALERT_EMAIL_TO: goes with ALERT_EMAIL_FROM/],
      [{ ...email, ALERT_EMAIL_TO: 'nobody' }, /ALERT_EMAIL_TO: must be an e-mail address/],
      [{ ...email, ALERT_SMTP_URL: 'smtps://u:p@mail.example' }, /ALERT_SMTP_URL: must have no password/],
      [{ ALERT_LEAST_CLASS: 'all' }, /ALERT_LEAST_CLASS/],
    ] as const)
      assert.throws(() => readWorkerConfig({ ...WEBHOOKS, ...changed }), message);
  });
});
