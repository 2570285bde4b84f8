// Paths of the prebuilt workflow bundles.
import { join } from 'node:path';
import { projectRoot } from '../platform/config/project-root.js';

export const WORKFLOW_BUNDLE = join(projectRoot(), 'dist', 'workflow-bundle.js');
/** The same workflows with the tracing interceptors. */
export const TRACED_WORKFLOW_BUNDLE = join(projectRoot(), 'dist', 'workflow-bundle-traced.js');
