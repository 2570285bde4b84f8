// A person is erased: payments and their money stay, and nothing that identifies the person can be read anywhere: in
// PostgreSQL with all its keys, in Temporal, or in the processes' logs.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import pg from 'pg';
import { HOUSEKEEPING_SCHEDULE } from '../../../../contract/temporal/scheduled-work.js';
import { chargeReferenceOf } from '../../../../domain/identifiers.js';
import { placeOfParts, SEALED_COLUMNS, type SealedColumnName } from '../../../../store/sealing/places.js';
import { Sealer } from '../../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../../store/sealing/keys.js';
import { historiesIn, type Place } from '../../../../lab/faults/environment/search/histories.js';
import { foundIn, spellingsOf } from '../../../../lab/faults/environment/search/spellings.js';
import { plantPerson } from '../../../../lab/faults/scenarios/planted.js';
import { eventually } from '../../../../lab/harness/eventually.js';
import { newDeposit, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import { DEVELOPMENT_KEY_MARK } from '../../../../platform/config/production.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';

/** The server deletes by its own queues, last of everything it does. */
const HISTORIES_DELETED_WITHIN_MS = 150_000;

interface Item {
  readonly end_to_end_id: string;
  readonly deposit: string;
  readonly exits: readonly { readonly way: string; readonly said_by: string }[];
}

export const erasureTests = (openStack: OpenStack) =>
  describe('the erasure of a player', function () {
    this.timeout(180_000);
    const person = plantPerson();
    const { player } = person;
    const ids: string[] = [];
    let stack: Stack;
    let pool: pg.Pool;
    let temporal: Client;

    before(async () => {
      stack = await openStack();
      pool = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
      temporal = stack.temporal.client;
    });
    after(async () => {
      await pool?.end();
      await stack?.close();
    });

    const erase = () =>
      stack.gateway('player', 'erase', player.external_ref, '--operation', stack.operation.operation_id, '--as', 'ana');

    it('is refused while a payment is open', async () => {
      for (const payer of [player.document, { ...player.document, number: person.payerNumber }]) {
        const order = { ...newDeposit('5000', player), metadata: person.metadata };
        const { id } = (await stack.client.createDeposit(order, once())).body;
        await stack.client.sandbox.payDeposit(id, once(), { payer_document: payer });
        ids.push(id);
      }
      const order = {
        ...newWithdrawal(player),
        destination: { pix: { key_type: 'email', key: person.keys.email } },
        review_reasons: [person.reason],
        metadata: person.metadata,
      } as const;
      const withdrawal = (await stack.client.createWithdrawal(order, once())).body;
      ids.push(withdrawal.id);
      assert.equal(withdrawal.status, 'under_review');
      await assert.rejects(erase(), /a payment of the player is open/);
      await assertSeesThePerson();
      await stack.client.cancelWithdrawal(withdrawal.id, once());
      const [, fromAnother = ''] = ids;
      await eventually(
        async () => (await stack.client.getDeposit(fromAnother)).body.status === 'under_review',
        'somebody else has paid',
      );
      await stack.gateway('review', 'return', fromAnother, '--as', 'ana', '--reason', 'another payer');
    });

    it('takes the payer of a second payment too, which went back as people ordered', async () => {
      const [id = ''] = ids;
      const paid = await fetch(`${stack.simulatorUrl}/control/simulator/charges/${chargeReferenceOf(id)}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          amount_minor: '700',
          payer_document: { ...player.document, name: player.name },
          again: true,
        }),
      });
      assert.equal(paid.status, 200, await paid.text());
      const { operation_id: operation } = stack.operation;
      const items = async (...more: string[]) =>
        ((await stack.gateway('suspense', 'list', '--operation', operation, ...more))['items'] as Item[]).filter(
          ({ deposit }) => deposit === id,
        );
      await eventually(async () => (await items()).length === 1, 'it is in suspense');
      const [item] = await items();
      const ordering = ['suspense', 'return', item?.end_to_end_id ?? '', '--operation', operation];
      const ordered = await stack.gateway(...ordering, '--reason', 'paid twice', '--as', 'ana');
      assert.deepEqual([ordered['ordered'], ordered['deposit_id']], [true, id]);
      await eventually(async () => (await items()).length === 0, 'it has gone back');
      const [gone] = await items('--all');
      assert.deepEqual(
        gone?.exits.map(({ way, said_by: by }) => [way, by]),
        [['returned', 'provider']],
      );
      assert.equal((await stack.client.getDeposit(id)).body.status, 'paid');
    });

    it('leaves payments, amounts and events, and nobody', async () => {
      const erased = await eventually(() => erase().catch(undefinedWhileOpen), 'every payment has ended');
      assert.deepEqual([erased['erased'], erased['payments_erased']], [true, ids.length]);
      const [paid, returned] = await Promise.all(ids.slice(0, 2).map((id) => stack.client.getDeposit(id)));
      assert.deepEqual(
        [paid, returned].map((answer) => [answer?.body.status, answer?.body.payer?.document, answer?.body.payer?.name]),
        [
          ['paid', null, null],
          ['returned', null, null],
        ],
      );
    });

    it('takes its histories from Temporal, and its callbacks when they are a month old, with the next housekeeping', async () => {
      await pool.query(`UPDATE provider_callback SET received_at = now() - interval '31 days'`);
      await temporal.schedule.getHandle(HOUSEKEEPING_SCHEDULE).trigger();
      await eventually(async () => {
        const { rows } = await pool.query(`SELECT FROM player WHERE histories_erased_at IS NOT NULL`);
        return rows.length > 0;
      }, 'the histories are deleted');
      for (const id of ids)
        await eventually(
          () =>
            temporal.workflow
              .getHandle(id)
              .describe()
              .then(
                () => false,
                (error: unknown) => error instanceof WorkflowNotFoundError,
              ),
          `no history of ${id}`,
          HISTORIES_DELETED_WITHIN_MS,
        );
      assert.deepEqual(await found(), []);
      assert.deepEqual(inPlaces(await readable(), person.canaries), []);
    });

    it('is for good: the reference takes no other payment', async () => {
      await assert.rejects(stack.client.createDeposit(newDeposit('5000', player), once()));
    });

    /** Without this, a search that finds nothing would prove nothing. */
    async function assertSeesThePerson(): Promise<void> {
      const places = await found();
      const unused = ['a PIX key (phone)', 'a PIX key (random)'];
      for (const { name } of person.canaries.filter((one) => !unused.includes(one.name)))
        assert.ok(
          places.some((place) => place.endsWith(`: ${name}`)),
          `the search sees ${name}`,
        );
      // What may be read without a key names payments, and never people.
      const open = await readable();
      const payment = inPlaces(open, [{ name: 'a payment', text: ids[0] ?? '' }]);
      for (const place of ['what Temporal lists of', 'the Temporal history of', 'the log'])
        assert.ok(
          payment.some((one) => one.startsWith(place)),
          `the search reads ${place} …`,
        );
      assert.deepEqual(inPlaces(open, person.canaries), []);
    }

    /** What needs no key: Temporal's histories and lists, and the processes' logs. */
    async function readable(): Promise<Place[]> {
      const logs = readdirSync(stack.folder).filter((name) => name.endsWith('.log'));
      return [
        ...(await historiesIn(temporal)),
        ...logs.map((name) => ({ name: `the log ${name}`, bytes: readFileSync(join(stack.folder, name)) })),
      ];
    }

    function inPlaces(places: readonly Place[], texts: typeof person.canaries): string[] {
      const spellings = texts.flatMap(spellingsOf);
      return places.flatMap(({ name, bytes }) => foundIn(bytes, spellings).map((one) => `${name}: ${one}`));
    }

    /** Where the person is still found: every column of every table, sealed ones opened. */
    async function found(): Promise<string[]> {
      const sealer = sealerOf(stack);
      const { rows: tables } = await pool.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
      );
      const places: string[] = [];
      for (const { name } of tables) {
        const { rows } = await pool.query<Record<string, unknown>>(`SELECT * FROM "${name}"`);
        for (const row of rows)
          for (const [column, value] of Object.entries(row)) {
            const text = textOf(sealer, `${name}.${column}`, row, value);
            for (const canary of person.canaries)
              for (const spelling of [canary.text, ...(canary.alsoWritten ?? [])])
                if (text.includes(spelling)) places.push(`${name}.${column}: ${canary.name}`);
          }
      }
      return places;
    }
  });

function undefinedWhileOpen(error: unknown): undefined {
  if (!/a payment of the player is open/.test(String(error))) throw error;
}

function sealerOf({ environment }: Stack): Sealer {
  const own = (name: string) => (environment[name] ?? '').replace(DEVELOPMENT_KEY_MARK, '');
  const [id = '', key = ''] = own('GATEWAY_SEALING_KEYS').split(':');
  const hashKey = Buffer.from(own('GATEWAY_HASH_KEY'), 'base64');
  return new Sealer(keysInMemory([{ id, key: Buffer.from(key, 'base64') }], hashKey));
}

function textOf(sealer: Sealer, place: string, row: Record<string, unknown>, value: unknown): string {
  if (value instanceof Buffer && place in SEALED_COLUMNS) {
    const name = place as SealedColumnName;
    const { operation } = SEALED_COLUMNS[name];
    const operationId = operation === null ? null : (row[operation] as string);
    const sealedAt = placeOfParts(name, operationId, row as Record<string, string | Uint8Array>);
    return sealer.openBytes(sealedAt, value).toString('utf8');
  }
  return value instanceof Buffer ? value.toString('latin1') : JSON.stringify(value ?? null);
}
