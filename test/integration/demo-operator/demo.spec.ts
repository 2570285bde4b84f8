// The demo's story against the demo operator and a fake gateway: it must end well only if everything is well.
import assert from 'node:assert/strict';
import { runDemo } from '../../../sandbox/demo.js';
import { sandboxOf } from './fake-gateway.js';
import { setUp } from './setup.js';
import type { Setup } from './setup.js';

interface Command {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('demo', () => {
  let setup: Setup;
  let lines: string[];
  let commands: string[][];
  beforeEach(async () => {
    setup = await setUp();
    lines = [];
    commands = [];
  });
  afterEach(() => setup.close());

  /** The `gateway` command on the fake: approving sends the withdrawal on its way, once enough people approved. */
  async function gatewayCommand(args: string[], approvalsNeeded = 1, ledgerOk = true): Promise<Command> {
    commands.push(args);
    if (args[0] === 'ledger') return { code: 0, stdout: JSON.stringify({ ok: ledgerOk }), stderr: '' };
    if (commands.filter(([name]) => name === 'review').length < approvalsNeeded)
      return { code: 0, stdout: '{}', stderr: '' };
    const id = args[2] ?? '';
    await setup.gateway.advance(id, 'approved');
    setTimeout(() => void setup.gateway.advance(id, 'processing'), 300);
    return { code: 0, stdout: '{}', stderr: '' };
  }

  function demo(
    gateway: (args: string[]) => Promise<Command> = gatewayCommand,
    waitMs = 5_000,
  ): Promise<{ ok: boolean }> {
    return runDemo({
      sandbox: sandboxOf(setup.gateway, setup.gateway.webhookUrl),
      demoOperatorUrl: setup.operator().url,
      print: (line) => lines.push(line),
      gateway,
      waitMs,
    });
  }

  function assertSaid(...patterns: readonly RegExp[]): void {
    for (const pattern of patterns) assert.match(lines.join('\n'), pattern);
  }

  it('narrates both life cycles, with status and version, and ends well', async () => {
    const { ok } = await demo();
    assert.ok(ok, lines.join('\n'));
    assertSaid(
      /POST \/deposits +R\$ 50,00 +pending +v2/,
      /namespaces\/default\/workflows\/dep_[0-9a-f]{32}$/m,
      /webhook deposit\.paid +signature verified, first time/,
      /fetched back, credited +R\$ 50,00 +paid +v3 +player has R\$ 50,00, reserved R\$ 0,00/,
      /POST \/withdrawals +R\$ 30,00 +under_review +v1 +FIRST_WITHDRAWAL/,
      /gateway review approve +by Ana Souza/,
      /psp_reference +E0/,
      /webhook withdrawal\.paid +R\$ 30,00 +paid +v4 +player has R\$ 20,00, reserved R\$ 0,00/,
      /GET \/events +6 events/,
      /de-duplicated +same event id/,
    );
    const [approval, ledger] = commands;
    assert.deepEqual(approval, [
      'review',
      'approve',
      approval?.[2],
      '--as',
      'Ana Souza',
      '--reason',
      'first withdrawal checked',
    ]);
    assert.deepEqual(ledger, ['ledger', 'verify']);
    assert.ok(
      lines.every((line) => line.length <= 140),
      'a line is too long to follow',
    );
  });

  it('a bank without payouts: deposit only, the reserve is given back, and the output says so', async () => {
    setup.gateway.sendsPayouts = false;
    assert.ok((await demo()).ok, lines.join('\n'));
    assertSaid(
      /POST \/withdrawals +method_not_enabled: this bank receives only, and sends no payouts/,
      /operator gives the reserve back +player has R\$ 50,00, reserved R\$ 0,00/,
      /GET \/events +2 events/,
    );
    assert.deepEqual(
      commands.map(([name]) => name),
      ['ledger'],
    );
  });

  it('a ledger that does not balance: not ok', async () => {
    assert.equal((await demo((args) => gatewayCommand(args, 1, false))).ok, false);
    assertSaid(/Stopped: the ledger does not balance/);
  });

  it('webhooks that do not come: not ok, says what was awaited and seen', async () => {
    setup.gateway.delivering = false;
    assert.equal((await demo(gatewayCommand, 600)).ok, false);
    assertSaid(
      /Stopped: waited 0\.6 s for the webhook deposit\.paid at the demo operator; last seen: no event of this deposit/,
    );
  });
});
