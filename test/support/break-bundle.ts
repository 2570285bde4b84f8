// Preloaded into a worker process (`node --import`): it reads the workflows that are broken on purpose with its own.
import files from 'node:fs/promises';
import { WORKFLOW_BUNDLE } from '../../worker/bundle-path.js';
import { withBroken } from './broken-workflows.js';

const { readFile } = files;

files.readFile = (async (...given: Parameters<typeof readFile>) => {
  const content = await readFile(...given);
  return given[0] === WORKFLOW_BUNDLE ? withBroken(String(content)) : content;
}) as typeof readFile;
