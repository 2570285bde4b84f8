// A stored act of a person that may be done.
import type { StaffAct } from '../../../domain/staff.js';

export type GivenAct = Pick<StaffAct, 'id' | 'kind' | 'operationId' | 'subjectId' | 'subjectVersion' | 'handle'> &
  Partial<StaffAct>;

export function storedAct(given: GivenAct): StaffAct {
  const permitted = {
    isUsed: false,
    isDone: false,
    isExpired: false,
    isPermitted: true,
    isMeansEnough: true,
    means: 'signature',
    address: null,
    closeTo: [],
  } as const;
  return { subjectDigest: null, reason: 'checked', evidence: '', ...permitted, ...given };
}
