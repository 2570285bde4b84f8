// Every activity of the gateway as a double, typed as the factory's own result: an activity that is missing here does not
// compile. The doubles keep state and are scripted per payment, so that tests do not meet.
import { createHash } from 'node:crypto';
import type { GatewayActivities } from '../../activities/index.js';
import { createOpening } from '../../activities/provider/opening.js';
import { createExamination } from '../../activities/rules/examination.js';
import { keysInMemory, Sealer } from '../../store/sealing/sealer.js';
import { FakeBooks } from './fakes/books.js';
import { FakeDatabase } from './fakes/database.js';
import { FakeProvider } from './fakes/provider.js';
import { FakeReceiver } from './fakes/receiver.js';
import { FakeRules } from './fakes/rules.js';

/** The world outside the workflows. */
export class FakeWorld {
  /** Real sealing, with a key for tests: what crosses Temporal is as unreadable as in production. */
  readonly sealer = new Sealer(
    keysInMemory(
      [{ id: 'test', key: createHash('sha256').update('sealing').digest() }],
      createHash('sha256').update('hash').digest(),
    ),
  );
  readonly database = new FakeDatabase(this.sealer);
  readonly books = new FakeBooks(this.database);
  readonly provider = new FakeProvider(this.database);
  readonly rules = new FakeRules(this.database);
  readonly receiver = new FakeReceiver(this.database);

  activities(): GatewayActivities {
    return {
      payments: {
        ...this.database.activities,
        ...createOpening(this.database.admissions, this.provider.activities),
        ...this.books.activities,
      },
      providers: this.provider.activities,
      rules: { ...this.rules.activities, ...createExamination(this.provider.activities, this.rules.activities) },
      webhooks: this.receiver.activities,
    };
  }

  /** Everything works again, for whatever is still open. */
  heal(): void {
    this.database.heal();
    this.books.heal();
    this.provider.heal();
    this.rules.heal();
    this.receiver.heal();
  }
}
