// `npm run imports`: which folder may import which. The rules are generated from tools/layout/folders.mjs.
import { CONFIGURATION } from './tools/layout/import-rules.mjs';

export default CONFIGURATION;
