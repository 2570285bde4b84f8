// A Temporal namespace for a test, on a server that tests share.
import { Connection } from '@temporalio/client';
import { registerSearchAttributes } from '../../tools/servers/search-attributes.js';

/** A namespace per stack keeps the workers and payments of tests apart on one server. */
export async function createNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    for (let tries = 1; ; tries += 1) {
      // A new namespace becomes visible to the server's own caches after a moment.
      const visible = await registerSearchAttributes({ address }, namespace).then(
        () => true,
        () => false,
      );
      if (visible) return;
      if (tries > 60) throw new Error(`the namespace ${namespace} does not become usable`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  } finally {
    await connection.close();
  }
}
