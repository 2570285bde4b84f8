// How the report looks: light and dark, on a wide screen, a phone and paper.

export const STYLE = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #55616e; --paper: #fff; --ground: #f3f5f7; --line: #d5dbe1;
  --passed: #12703c; --failed: #b3261e; --not-run: #7a5600; --failed-ground: #fdeceb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --soft: #a3afbb; --paper: #18212b; --ground: #0f161d;
  --line: #33404d; --passed: #6fd39b; --failed: #ff9d94; --not-run: #f0c260; --failed-ground: #3a1f1e; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
header, nav, section { background: var(--paper); border: 1px solid var(--line); border-radius: .5rem;
  padding: 1.25rem 1.5rem; margin-bottom: 1rem; overflow-wrap: anywhere; }
header { border-left: .5rem solid; }
.passed { --state: var(--passed); } .failed { --state: var(--failed); }
.incomplete, .not_run { --state: var(--not-run); }
header, .outcome { border-left-color: var(--state); }
.kind { margin: 0; color: var(--soft); } h1 { margin: 0; font-size: 1.8rem; }
.outcome { margin: .25rem 0 1rem; font-weight: 600; font-size: 1.15rem; color: var(--state); }
dl { margin: 0; } dl > div { display: flex; gap: .75rem; padding: .15rem 0; }
header dl { display: flex; flex-wrap: wrap; gap: 0 2rem; }
header dt { flex: none; }
dt { color: var(--soft); flex: 0 0 6.5rem; } dd { margin: 0; min-width: 0; }
nav ol { margin: 0; padding: 0; list-style: none; columns: 2 22rem; column-gap: 2rem; }
nav li { display: flex; justify-content: space-between; gap: 1rem; padding: .2rem 0; break-inside: avoid; }
.failures { margin: 0 0 1rem; padding-left: 1.25rem; }
a { color: inherit; }
nav span, .result { color: var(--state); font-weight: 600; white-space: nowrap; }
h2 { margin: 0 0 .75rem; font-size: 1.1rem; display: flex; justify-content: space-between; gap: 1rem; }
section { border-left: .25rem solid var(--state); } .result { font-size: .95rem; }
.finding { background: var(--failed-ground); border-radius: .25rem; padding: .5rem .75rem; margin-bottom: .75rem; }
.not_run .finding { background: var(--ground); }
.finding p { margin: 0; } .finding b { display: inline-block; min-width: 5.5rem; }
details { margin-top: .75rem; } summary { cursor: pointer; color: var(--soft); }
.story { margin: .5rem 0 0; padding: 0; list-style: none; font: .85rem/1.5 ui-monospace, monospace; }
.story time { color: var(--soft); } .story .integration { padding-left: 1.5rem; }
footer { color: var(--soft); } code { font: .9em ui-monospace, monospace; }
@media (max-width: 34rem) { section dl > div { flex-direction: column; gap: 0; padding: .3rem 0; }
  section dt { flex: none; font-size: .85rem; }
  header, nav, section { padding: 1rem; } .story .integration { padding-left: .5rem; } h2 { flex-direction: column; gap: 0; } }
@media print { body { background: none; } section { break-inside: avoid; } }
`;
