// A request that takes two people.
import type { Answered } from '../../../../contract/panel/routes.js';

export type Approval = Answered<'readApprovals'>['items'][number];
