// What is counted on the wire: executed statements, however the bytes arrive.
import assert from 'node:assert/strict';
import { StatementLog } from '../../../lab/harness/statement-log.js';

function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const START_UP = message('', number(196_608), 'user', 'gateway', '');
const ENCRYPTION_REQUEST = message('', number(80_877_103));
const NONE = Buffer.alloc(2);

describe('the statement log', () => {
  const conversation = Buffer.concat([
    ENCRYPTION_REQUEST,
    START_UP,
    message('P', 's1', 'SELECT $1', NONE),
    message('B', '', 's1', NONE),
    message('D', Buffer.from('P\0')),
    message('E', '', number(0)),
    message('S'),
    message('B', '', 's1', NONE),
    message('E', '', number(0)),
    message('S'),
    message('Q', 'BEGIN'),
    message('P', '', 'UPDATE ä', NONE),
    message('B', '', '', NONE),
    message('E', '', number(0)),
    message('S'),
  ]);
  const executed = ['SELECT $1', 'SELECT $1', 'BEGIN', 'UPDATE ä'];

  it('keeps each execution: of named, unnamed and simple statements', () => {
    const log = new StatementLog();
    log.reader()(conversation);
    assert.deepEqual(log.statements, executed);
    log.forget();
    assert.deepEqual(log.statements, []);
  });

  it('wherever the bytes are cut', () => {
    for (let cut = 1; cut < conversation.length; cut += 1) {
      const log = new StatementLog();
      const read = log.reader();
      read(conversation.subarray(0, cut));
      read(conversation.subarray(cut));
      assert.deepEqual(log.statements, executed, `cut at ${cut}`);
    }
  });

  it('connections do not meet', () => {
    const log = new StatementLog();
    const [one, other] = [log.reader(), log.reader()];
    one(Buffer.concat([START_UP, message('P', 's1', 'SELECT 1', NONE)]));
    other(
      Buffer.concat([
        START_UP,
        message('P', 's1', 'SELECT 2', NONE),
        message('B', '', 's1', NONE),
        message('E', '', number(0)),
      ]),
    );
    one(Buffer.concat([message('B', '', 's1', NONE), message('E', '', number(0))]));
    assert.deepEqual(log.statements, ['SELECT 2', 'SELECT 1']);
  });
});
