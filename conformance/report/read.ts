// Reads a report in either of its forms. What it answers is well-formed; whose it is, the signature says.
import { signedReportOfPage } from './page.js';
import { signedReportSchema } from './signature.js';
import type { SignedReport } from './signature.js';

const MOST_REPORT_BYTES = 16 * 1024 * 1024;

/** The signed report in the JSON file or the page; null if the bytes are neither, or a page that was changed. */
export function readSignedReport(bytes: Uint8Array): SignedReport | null {
  if (bytes.length > MOST_REPORT_BYTES) return null;
  const content = Buffer.from(bytes).toString('utf8');
  if (content.startsWith('<!doctype html>')) return signedReportOfPage(content);
  try {
    return signedReportSchema.safeParse(JSON.parse(content)).data ?? null;
  } catch {
    return null;
  }
}
