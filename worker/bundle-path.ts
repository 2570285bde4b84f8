// Where the prebuilt workflow bundles lie.
import { join } from 'node:path';
import { projectRoot } from '../platform/config/project-root.js';

export const WORKFLOW_BUNDLE = join(projectRoot(), 'dist', 'workflow-bundle.js');
/** The same workflows, which carry the trace they belong to. */
export const TRACED_WORKFLOW_BUNDLE = join(projectRoot(), 'dist', 'workflow-bundle-traced.js');
