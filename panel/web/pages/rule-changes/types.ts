// What the pages of proposed rule changes show.
import type { Answered } from '../../../../contract/panel/routes.js';

export type RuleChange = Answered<'readRuleChange'>;
export type Proof = NonNullable<RuleChange['proof']>;
export type Report = Proof['report'];

export type ActName = keyof RuleChange['acts'];

export interface ChangeProps {
  readonly change: RuleChange;
}
