// Bundles the workflow code at build time, so that a worker starts in a quarter of a second. Builds a second bundle
// with the tracing interceptors, so that an untraced worker runs without them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { projectRoot } from '../platform/config/project-root.js';
import { DATA_CONVERTER } from '../platform/temporal/connection.js';
import { TRACED_WORKFLOW_BUNDLE, WORKFLOW_BUNDLE } from './bundle-path.js';

const logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: console.error,
  error: console.error,
};
const built = (...path: string[]) => join(projectRoot(), 'dist', ...path);

const workflowsPath = built('workflows', 'index.js');
mkdirSync(dirname(WORKFLOW_BUNDLE), { recursive: true });
for (const [file, workflowInterceptorModules] of [
  [WORKFLOW_BUNDLE, []],
  [TRACED_WORKFLOW_BUNDLE, [built('workflows', 'traced.js')]],
] as const) {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    ...DATA_CONVERTER,
    workflowInterceptorModules: [...workflowInterceptorModules],
    // No module of them keeps anything of a run: a run need not load its own. That takes milliseconds.
    preloadModules: [workflowsPath],
    logger,
  });
  writeFileSync(file, code);
}
