// `npm run docs`: writes what is generated from the code's own tables: sections of docs/, the clients' types,
// calls and tables of verdicts, and the kept contract of a new version.
import { writeClientCalls } from './client-calls.js';
import { writeClientTypes } from './client-types.js';
import { writeClientVerdicts } from './client-verdicts.js';
import { writeSections } from './generated-sections.js';
import { writeKeptContract } from './kept-contract.js';

writeSections();
writeClientTypes();
writeClientCalls();
writeClientVerdicts();
writeKeptContract();
