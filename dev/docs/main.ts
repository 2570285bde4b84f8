// `npm run docs`: writes the generated sections of docs/.
import { writeSections } from './generated-sections.js';

writeSections();
