// The variables of tracing: nothing without an endpoint, and a wrong one is named.
import assert from 'node:assert/strict';
import { readEnvironment } from '../../../platform/config/environment.js';
import { tracingSchema } from '../../../platform/config/tracing.js';

const read = (environment: Record<string, string>) => readEnvironment(tracingSchema('worker'), environment);
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('configuration of tracing', () => {
  it('nothing is traced without an endpoint, or when it is switched off', () => {
    assert.equal(read({}), null);
    assert.equal(read({ OTEL_SERVICE_NAME: 'gateway', OTEL_TRACES_SAMPLER: 'always_on' }), null);
    assert.equal(read({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), null);
    assert.equal(read({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }), null);
  });

  it('an endpoint is enough', () => {
    assert.deepEqual(read(ENDPOINT), {
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: {},
      timeoutMs: 10_000,
      delayMs: 5_000,
      serviceName: 'gateway-worker',
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
  });

  it('everything can be said', () => {
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key, tenant=one=two',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_SERVICE_NAME: 'payments',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_SDK_DISABLED: 'false',
    };
    const headers = { 'api-key': 'a key', tenant: 'one=two' };
    assert.deepEqual(read(given), {
      url: 'https://collector.example/otlp/v1/traces',
      headers,
      timeoutMs: 2_000,
      delayMs: 100,
      serviceName: 'payments',
      sampler: 'parentbased_traceidratio',
      ratio: 0.1,
    });
  });

  for (const [variable, wrong] of Object.entries({
    OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'a key',
    OTEL_EXPORTER_OTLP_TIMEOUT: '10s',
    OTEL_BSP_SCHEDULE_DELAY: '-7',
    OTEL_TRACES_SAMPLER: 'jaeger_remote',
    OTEL_TRACES_SAMPLER_ARG: '10',
    OTEL_SDK_DISABLED: 'perhaps',
  })) {
    it(`${variable}=${wrong} is refused by its name, without its value`, () => {
      assert.throws(
        () => read({ ...ENDPOINT, [variable]: wrong }),
        (error: Error) => error.message.includes(`${variable}:`) && !error.message.includes(wrong),
      );
    });
  }
});
