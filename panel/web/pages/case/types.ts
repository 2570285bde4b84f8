// What the parts of a case share.
import type { Answered } from '../../../../contract/panel/routes.js';

export type Case = Answered<'readCase'>;
export type Decision = keyof Case['acts'];
export type PersonalDecision = Case['decided'][number];

export interface CaseProps {
  readonly case: Case;
}
