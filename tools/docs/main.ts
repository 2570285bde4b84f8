// `npm run docs`: writes what is generated from the code's own tables: sections of docs/, the page on faults, and the
// client's types and table of verdicts.
import { writeFaultsPage } from '../faults/report.js';
import { writeClientTypes } from './client-types.js';
import { writeClientVerdicts } from './client-verdicts.js';
import { writeSections } from './generated-sections.js';

writeSections();
writeFaultsPage();
writeClientTypes();
writeClientVerdicts();
