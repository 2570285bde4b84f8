// `npm run docs`: writes what is generated from the code's own tables: sections of docs/, and the client's types and
// table of verdicts.
import { writeClientTypes } from './client-types.js';
import { writeClientVerdicts } from './client-verdicts.js';
import { writeSections } from './generated-sections.js';

writeSections();
writeClientTypes();
writeClientVerdicts();
