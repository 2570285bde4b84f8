// Where the SDK finds the converter of what crosses Temporal: every client, every worker and the workflow bundle names
// it. Without it amounts would arrive as text.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONVERTER = `../../contract/temporal/payload-converter${extname(import.meta.url)}`;

export const DATA_CONVERTER = { payloadConverterPath: fileURLToPath(new URL(CONVERTER, import.meta.url)) };
