// A stored act that may be done, for the tests of pure functions.
import type { StaffAct } from '../../../domain/staff.js';

type Given = Pick<StaffAct, 'id' | 'kind' | 'operationId' | 'subjectId' | 'subjectVersion' | 'handle'> &
  Partial<StaffAct>;

export function storedAct(given: Given): StaffAct {
  const permitted = {
    isUsed: false,
    isExpired: false,
    isPermitted: true,
    isMeansEnough: true,
    means: 'signature',
  } as const;
  return { subjectDigest: null, reason: 'checked', evidence: '', ...permitted, ...given };
}
