// The programs of dist/ that a stack of processes is made of, which decide about roles and keys.

/** Folders of dist/ with a main.js. */
export type ProgramName =
  | 'api'
  | 'ingress'
  | 'panel'
  | 'worker'
  | 'sandbox/simulator'
  | 'sandbox/demo-operator'
  | 'lab/bench/baseline';
