// The operator's own program dies between receiving a webhook and answering it: the webhook is repeated, and it credits
// once.
import assert from 'node:assert/strict';
import { eventually } from '../../harness/eventually.js';
import type { Scenario, ScenarioContext } from '../scenario.js';

export const killedDemoOperator: readonly Scenario[] = [
  {
    family: 'processes',
    name: 'demo operator killed between a webhook and its answer',
    holds: 'it gets the event again; the player is credited once',
    bounded: false,
    play: playBeforeItsAnswer,
  },
];

async function playBeforeItsAnswer({ environment }: ScenarioContext): Promise<void> {
  const { operator, links, demoOperator, demoBooks, database } = environment;
  const { id, player, amountMinor } = await operator.deposit();
  await operator.reaches(`/v1/deposits/${id}`, ['pending']);
  links.webhooks.hold('down');
  await operator.pay(id);
  await eventually(() => links.webhooks.held().length > 0, 'an answer that is held', 20_000);
  await demoOperator.kill();
  // The answer is lost with its sender.
  links.webhooks.reset();
  links.webhooks.heal();
  await demoOperator.start();
  await operator.reaches(`/v1/deposits/${id}`, ['paid']);
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM event WHERE object_id = $1 AND type = 'deposit.paid'`,
    [id],
  );
  const paid = rows[0]?.id;
  await eventually(
    async () => (await demoBooks.state()).events.some((event) => event.id === paid && event.duplicates > 0),
    'the event brought again',
    60_000,
  );
  const { players } = await demoBooks.state();
  assert.equal(players.find(({ player_ref: ref }) => ref === player.external_ref)?.available.amount, amountMinor);
}
