// Stored acts of staff, in memory: each is used up by the change that does it.
import { newId } from '../../../domain/identifiers.js';
import type { ActSubject, StaffAct, UsedAct } from '../../../domain/staff.js';
import { type GivenAct, storedAct } from './stored-act.js';

export type ActFields = Omit<GivenAct, 'id'> & Partial<StaffAct>;

export class FakeActs {
  private readonly acts = new Map<string, StaffAct>();

  /** Stores an act that may be done, unless its id is known. Answers its id. */
  store(settings: ActFields): string {
    const id = settings.id ?? newId('staffAct');
    if (!this.acts.has(id)) this.acts.set(id, storedAct({ ...settings, id }));
    return id;
  }

  read(id: string): StaffAct | null {
    return this.acts.get(id) ?? null;
  }

  /** Something happens to the act: it expires, or its person loses the role. */
  change(id: string, change: Partial<StaffAct>): void {
    const act = this.acts.get(id);
    if (act !== undefined) this.acts.set(id, { ...act, ...change });
  }

  /** Whether the act may be done to the subject now; then it is used up. */
  use({ id, kind, others }: UsedAct, subject: Omit<ActSubject, 'operationId'>): boolean {
    const act = this.acts.get(id);
    const isSame =
      act?.kind === kind &&
      act.subjectId === subject.id &&
      act.subjectVersion === subject.version &&
      act.subjectDigest === (subject.digest ?? null);
    if (act === undefined || !isSame || act.isUsed || act.isExpired || !act.isPermitted || !act.isMeansEnough)
      return false;
    if (others.includes(act.handle)) return false;
    this.acts.set(id, { ...act, isUsed: true, isDone: true });
    return true;
  }
}
