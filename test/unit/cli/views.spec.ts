// `gateway views` and the links into the Temporal UI.
import assert from 'node:assert/strict';
import { runGateway } from '../../../cli/program.js';
import { pageUrl } from '../../../contract/temporal/ui-links.js';

const UI = { TEMPORAL_UI_URL: 'http://ui.test:8233/', TEMPORAL_NAMESPACE: 'payments' };
const OPERATION = `op_${'0'.repeat(32)}`;

async function run(environment: NodeJS.ProcessEnv, ...argv: string[]) {
  let [out, error] = ['', ''];
  const terminal = {
    environment,
    writeOut: (text: string) => void (out += text),
    writeError: (text: string) => void (error += text),
  };
  const exitCode = await runGateway(argv, terminal);
  return { exitCode, out, error };
}

describe('gateway views', () => {
  it('prints links that open a filter of the list, of one operation, and keep it under its name', async () => {
    const { exitCode, out } = await run(UI, 'views', '--operation', OPERATION);
    assert.equal(exitCode, 0);
    const [first] = (JSON.parse(out) as { views: { url: string }[] }).views;
    const url = new URL(first?.url ?? '');
    assert.equal(url.origin + url.pathname, 'http://ui.test:8233/namespaces/payments/workflows');
    // A run keeps its attributes when it ends: it waits for nobody then.
    const query = `WaitingFor = "review" AND ExecutionStatus = "Running" AND OperationId = "${OPERATION}"`;
    assert.deepEqual(Object.fromEntries(url.searchParams), { query, savedQuery: `To review · ${OPERATION}` });
  });

  it('takes no operation that could change the query', async () => {
    const { exitCode, error } = await run(UI, 'views', '--operation', 'x" OR "1" = "1');
    assert.equal(exitCode, 2);
    assert.match(error, /--operation: must be the id of an operation/);
  });

  it('a page opens on what a person reads; without its run on what the UI has', () => {
    const ui = { url: 'http://ui.test', namespace: 'payments' };
    assert.equal(
      pageUrl(ui, 'wdr_1', 'run-1'),
      'http://ui.test/namespaces/payments/workflows/wdr_1/run-1/user-metadata',
    );
    assert.equal(pageUrl(ui, 'wdr_1', null), 'http://ui.test/namespaces/payments/workflows/wdr_1');
  });
});
