// The same answers on a terminal and into a pipe: people get blocks and tables, programs the object.
import assert from 'node:assert/strict';
import { runGateway } from '../../../cli/program.js';
import { insertDeposit } from './payments.js';
import { createTestGateway, type TestGateway } from './support.js';

describe('gateway: terminal and pipe', () => {
  let gateway: TestGateway;
  let operation: string;
  let deposit: string;
  before(async () => {
    gateway = await createTestGateway();
    operation = (await gateway.operation())['operation_id'];
    deposit = await insertDeposit(gateway, operation, {
      status: 'under_review',
      amount: '5000',
      reasons: ['PAYER_UNKNOWN'],
      movements: ['deposit_held'],
    });
  });
  after(() => gateway.close());

  const on = async (width: number, environment: NodeJS.ProcessEnv, ...argv: string[]) => {
    let [stdout, stderr] = ['', ''];
    const exitCode = await runGateway(argv, {
      environment: { ...gateway.environment, ...environment },
      isInteractive: true,
      width,
      writeOut: (text) => (stdout += text),
      writeError: (text) => (stderr += text),
    });
    return { exitCode, stdout, stderr };
  };

  it('a list is a table on a wide terminal and a block for each row on a narrow one', async () => {
    const argv = ['operation', 'list'];
    const wide = await on(200, { NO_COLOR: '1' }, 'review', 'list');
    assert.deepEqual([wide.exitCode, wide.stderr], [0, '']);
    const [, title, head, row] = wide.stdout.split('\n').slice(wide.stdout.split('\n').indexOf('deposits (1)') - 1);
    assert.equal(title, 'deposits (1)');
    assert.match(head ?? '', /^ {2}id +operation id +external id +amount +paid amount +reasons +since$/);
    assert.match(row ?? '', /^ {2}dep_\S+ +op_\S+ +\S+ +R\$ 50,00 +R\$ 50,00 +PAYER_UNKNOWN +[\d-]+ [\d:]+Z$/);
    const narrow = await on(60, { NO_COLOR: '1' }, ...argv);
    assert.match(narrow.stdout, new RegExp(`^ {2}operation id +${operation}$`, 'm'), 'nothing is cut');
  });

  it('--json gives the object on a terminal, before and after the command, as a pipe gets it', async () => {
    const piped = (await gateway.run('deposit', 'show', deposit)).stdout;
    assert.equal(JSON.parse(piped).deposit.id, deposit);
    assert.match(piped, /^\{[^\n]*\}\n$/);
    for (const argv of [
      ['deposit', 'show', deposit, '--json'],
      ['--json', 'deposit', 'show', deposit],
      ['deposit', 'show', '--json', deposit],
    ]) {
      assert.equal((await on(80, {}, ...argv)).stdout, piped);
      assert.equal((await gateway.run(...argv)).stdout, piped);
    }
  });

  it('a value that reads like the option is a value after --', async () => {
    const added = await gateway.json(`list add --operation ${operation} --list block --kind device --as ana -- --json`);
    assert.equal(added['added'], true);
  });

  it('colours: not with NO_COLOR, not on a dumb terminal, never in a pipe', async () => {
    assert.match((await on(80, {}, 'deposit', 'show', deposit)).stdout, /\u001b\[/);
    for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      assert.doesNotMatch((await on(80, environment, 'deposit', 'show', deposit)).stdout, /\u001b/);
    assert.match(
      (await on(80, { NO_COLOR: '' }, 'deposit', 'show', deposit)).stdout,
      /\u001b\[/,
      'the empty value counts as unset',
    );
    assert.doesNotMatch((await gateway.run('deposit', 'show', deposit)).stdout, /\u001b/);
  });
});
