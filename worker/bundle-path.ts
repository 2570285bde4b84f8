// Where the prebuilt workflow bundle lies.
import { join } from 'node:path';
import { projectRoot } from '../config/project-root.js';

export const WORKFLOW_BUNDLE = join(projectRoot(), 'dist', 'workflow-bundle.js');
