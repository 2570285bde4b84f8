// The gateway's real processes for tests: programs of dist/ that a test starts, kills and starts again.
import type { ProcessRegistry } from '../../tools/processes/registry.js';
import type { Service } from '../../tools/processes/service.js';
import { type GatewayProcess, gatewayService } from '../../tools/stack/services.js';

/** Generous: the machine may be busy with other tests. */
const READY_TIMEOUT_MS = 90_000;
/** Longer than any program takes to end in good order. */
const STOP_TIMEOUT_MS = 60_000;

/** A program that stays down when it dies. The registry ends it with the test's process, however that ends. */
export function testService(spec: GatewayProcess, registry: ProcessRegistry): Service {
  const limits = { readyTimeoutMs: READY_TIMEOUT_MS, stopTimeoutMs: STOP_TIMEOUT_MS, restarts: false };
  return gatewayService({ ...spec, limits }, registry);
}
