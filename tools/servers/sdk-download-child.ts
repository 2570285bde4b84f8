// Run by sdk-download.ts in a separate process: lets the Temporal SDK fetch a server into a folder and starts it
// once. Arguments: the kind of server (dev-server | time-skipping) and the folder.
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [kind, downloadDir = '.'] = process.argv.slice(2);
const executable = { type: 'cached-download', downloadDir } as const;
const environment =
  kind === 'time-skipping'
    ? await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
    : await TestWorkflowEnvironment.createLocal({ server: { executable } });
await environment.teardown();
