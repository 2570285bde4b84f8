// The audit trail as a file: everything that the filters find and the person may see, and the export in the trail.
import assert from 'node:assert/strict';
import Koa from 'koa';
import { request } from 'undici';
import { answerFile } from '../../../panel/middleware/answer.js';
import type { RequestState } from '../../../panel/request.js';
import { startServer } from '../../../platform/http/server.js';
import { auditHash } from '../../../store/audit/audit.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

type Row = Readonly<Record<string, string>>;

describe('panel: the audit trail as a file', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let other: string;
  let auditor: Person;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    other = (await world.gateway.operation())['operation_id'];
    auditor = await world.person('clara', ['auditor']);
  });
  after(() => world.close());

  const exported = async (person: Person, query = '') => {
    const reply = await person.get(`/audit/export${query}`);
    assert.equal(reply.status, 200, reply.text);
    return { ...reply, rows: rowsOf(reply.text) };
  };
  const append = (count: number, action: string, reason: string) =>
    world.gateway.rows(
      `SELECT append_audit(NULL, clock_timestamp(), 'rita', $1, $2, 'wdr_1', $3)::text FROM generate_series(1, ${count})`,
      action,
      operationId,
      JSON.stringify({ reason }),
    );
  const downloads = (person: string) =>
    world.gateway.rows(
      `SELECT operation_id, detail FROM audit_entry WHERE action = 'audit.download' AND person = $1 ORDER BY sequence`,
      person,
    );

  it('has every entry up to now, oldest first, and its hashes make the chain', async () => {
    await append(2_100, 'test.many', 'não, "é" isso;\nsegunda linha');
    const [newest] = await world.gateway.rows('SELECT max(sequence)::text AS sequence FROM audit_entry');
    const { rows, headers } = await exported(auditor);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(String(headers['content-disposition']), /^attachment; filename="audit-\d{14}Z\.csv"$/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(rows.length, Number(newest?.['sequence']));
    rows.forEach((row, index) => {
      assert.equal(row['sequence'], String(index + 1));
      if (index > 0) assert.equal(row['previous_hash'], rows[index - 1]?.['hash']);
      assert.equal(row['hash'], hashOf(row), `entry ${index + 1}`);
    });
    const last = rows.at(-1);
    assert.deepEqual(JSON.parse(last?.['detail'] ?? ''), { reason: 'não, "é" isso;\nsegunda linha' });
  });

  it('is in the trail before the file: the filters, and up to which entry', async () => {
    const dora = await world.person('dora', ['auditor']);
    const { rows } = await exported(dora, `?operation=${operationId}&person=rita&subject=wdr_1`);
    assert.equal(rows.length, 2_100);
    assert.ok(rows.every((row) => row['operation_id'] === operationId && row['person'] === 'rita'));
    const own = (await exported(dora, '?person=dora')).rows;
    assert.deepEqual([own.at(-1)?.['action'], own.at(-1)?.['means']], ['audit.download', 'link']);
    assert.equal(rows[0]?.['means'], '', 'written without a means');
    const [entry] = await downloads('dora');
    assert.equal(entry?.['operation_id'], operationId);
    const detail = {
      address: '127.0.0.1',
      means: 'link',
      person: 'rita',
      subject: 'wdr_1',
      through: rows.at(-1)?.['sequence'],
    };
    assert.deepEqual(JSON.parse(String(entry['detail'])), detail);
  });

  it('a search without a result leaves its text out of the trail', async () => {
    const eva = await world.person('eva', ['auditor']);
    assert.deepEqual((await exported(eva, '?subject=52998224725')).rows, []);
    const [entry] = await downloads('eva');
    assert.equal(entry?.['detail'], '{"address":"127.0.0.1","means":"link","through":null}');
  });

  it('another operation’s entries are in no file', async () => {
    const elsewhere = await world.person('elsewhere', [{ role: 'auditor', operationId: other }]);
    const { rows } = await exported(elsewhere);
    assert.deepEqual([...new Set(rows.map((row) => row['operation_id']))], [other]);
    assert.deepEqual((await exported(elsewhere, `?operation=${operationId}`)).rows, []);
    const [, second] = await downloads('elsewhere');
    assert.equal(second?.['operation_id'], null);
  });

  it('is marked as UTF-8, for spreadsheets', async () => {
    const address = `http://127.0.0.1:${world.port}/api/audit/export?person=nobody`;
    const { body } = await request(address, { headers: { cookie: auditor.cookie } });
    assert.equal(
      Buffer.from(await body.arrayBuffer())
        .subarray(0, 3)
        .toString('hex'),
      'efbbbf',
    );
  });

  it('a spreadsheet runs no cell as a formula', async () => {
    await world.gateway.rows(
      `SELECT append_audit(NULL, clock_timestamp(), 'rita', 'test.formula', $1, '=HYPERLINK("x")', '{}')::text`,
      operationId,
    );
    const { rows } = await exported(auditor, `?subject=${encodeURIComponent('=HYPERLINK("x")')}`);
    assert.equal(rows[0]?.['subject'], `'=HYPERLINK("x")`);
  });

  it('ten at once, no more', async () => {
    const hasty = await world.person('hasty', ['auditor']);
    for (let file = 0; file < 10; file++) await exported(hasty, '?person=nobody');
    const { status, body } = await hasty.get('/audit/export?person=nobody');
    assert.deepEqual([status, body['code']], [429, 'rate_limited']);
    assert.equal((await downloads('hasty')).length, 10);
  });

  it('a file that cannot be read to its end is cut, and passes for no whole one', async () => {
    const faults: unknown[] = [];
    const fails = (fault: unknown) => faults.push(fault);
    const app = new Koa<RequestState>();
    app.silent = true;
    app.use((context) => answerFile(context, { name: 'x.csv', type: 'text/csv', text: brokenText() }, fails));
    const refusalOf = () => ({ status: 400, headers: {}, body: Buffer.alloc(0) });
    const server = await startServer(app, { host: '127.0.0.1', port: 0, bodyLimitBytes: 1_000, refusalOf });
    const answer = await request(`http://127.0.0.1:${server.port}/`);
    await assert.rejects(answer.body.text());
    assert.match(String(faults), /away/);
    await server.close();
  });
});

async function* brokenText() {
  yield await Promise.resolve('first\r\n');
  throw new Error('the database is away');
}

function hashOf(row: Row): string {
  const text = (name: string) => row[name] ?? '';
  return auditHash({
    sequence: BigInt(text('sequence')),
    at: new Date(text('at')),
    person: text('person'),
    action: text('action'),
    operationId: text('operation_id'),
    subject: text('subject'),
    detail: text('detail'),
    previousHash: text('previous_hash'),
  });
}

/** RFC 4180. The mark of UTF-8 at the start is gone with the decoding. */
function rowsOf(text: string): Row[] {
  const lines: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n)/g)) {
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end !== ',') lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return rows.map((cells) => Object.fromEntries(names.map((name, column) => [name, cells[column] ?? ''])));
}
