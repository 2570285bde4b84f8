// What can be wrong with the audit trail, its seals and their export.

export const AUDIT_PROBLEMS = {
  hash_differs: 'the entry’s content was changed',
  chain_broken: 'the entry does not follow the one before',
  entry_missing: 'the entry was removed',
  anchor_missing: 'the noted hash is not in the trail: it was rewritten',
  sealed_entry_differs: 'the entry is not the one that was sealed: it was changed and the chain computed again',
  sealed_entry_missing: 'the entry was sealed and is gone: cut off at the end',
  seal_missing: 'the seal is gone from the database',
  seal_forged: 'the seal was not made with a key of ours',
  seal_chain_broken: 'the seal does not follow the one before',
  export_missing: 'the seal is gone from the export: emptied, or put back to an older state',
  export_differs: 'the export has another seal under this number',
  not_sealed: 'the entry has waited too long for its seal: nothing seals',
} as const;
export type AuditProblem = keyof typeof AUDIT_PROBLEMS;

export interface AuditFinding {
  /** The first entry that it concerns. */
  readonly sequence: string;
  readonly problem: AuditProblem;
  /** The number of the seal that shows it. */
  readonly seal?: string;
}
