// What gateway and bank say to each other in a campaign, recorded between them and judged by the document that the bank
// has published.
import type { DialectName } from '../../../providers/dialect-names.js';
import { Failure } from '../../bootstrap/failure.mjs';
import { API_PIX_DOCUMENT, openJudge } from '../../harness/judges/api-pix.js';
import { answerFaults, requestFaults } from '../../harness/judges/api-pix-traffic.js';
import { judgeBy, WOOVI_DOCUMENT } from '../../harness/judges/woovi.js';
import { createRecorder, type Exchange } from '../../harness/recorder.js';

interface Finding {
  /** How many exchanges the document knows. */
  readonly judged: number;
  readonly faults: readonly string[];
}
export type TrafficJudge = (exchanges: readonly Exchange[]) => Finding;

export interface Traffic {
  /** Where the bank is reached; what comes here is recorded and passed on. */
  readonly port: number;
  /** Of all traffic until now. */
  readonly judged: () => number;
  /** What the document does not allow in the traffic since the last call, each once. */
  readonly newFaults: () => string[];
  close(): Promise<void>;
}

interface Document {
  /** Names its file. */
  readonly variable: string;
  readonly open: (path: string) => TrafficJudge;
}

const DOCUMENTS: Readonly<Partial<Record<DialectName, Document>>> = {
  'api-pix': { variable: API_PIX_DOCUMENT, open: (path) => byApiPix(path, 'api-pix') },
  efi: { variable: API_PIX_DOCUMENT, open: (path) => byApiPix(path, 'efi') },
  woovi: { variable: WOOVI_DOCUMENT, open: byWoovi },
};

/** Throws a {@link Failure} where nothing could judge. */
export function openTrafficJudge(
  dialect: DialectName,
  variables: Readonly<Record<string, string | undefined>>,
): TrafficJudge {
  const document = DOCUMENTS[dialect];
  if (document === undefined)
    throw new Failure(`--record needs a bank with a published document: ${Object.keys(DOCUMENTS).join(', ')}.`);
  const path = variables[document.variable];
  if (path === undefined || path === '')
    throw new Failure(`--record needs ${document.variable}: the file of the document that judges ${dialect}.`);
  return document.open(path);
}

function byApiPix(path: string, dialect: DialectName): TrafficJudge {
  const judge = openJudge(path);
  return (exchanges) => {
    const { judged, faults } = requestFaults(judge, exchanges);
    // Scenarios make banks fail, and no document describes the answers of a failing bank.
    const answered = exchanges.filter(({ status }) => status < 500);
    return { judged, faults: [...faults, ...answerFaults(judge, dialect, answered).news] };
  };
}

function byWoovi(path: string): TrafficJudge {
  const judge = judgeBy(path);
  return (exchanges) => {
    const calls = exchanges.filter((exchange) => exchange.path.startsWith('/api/v1/'));
    return { judged: calls.length, faults: calls.flatMap((call) => judge.faultsOf(call)) };
  };
}

/** Records the traffic of the slot `simulator`. */
export async function recordTraffic(simulatorPort: number, judge: TrafficJudge): Promise<Traffic> {
  const recorder = createRecorder();
  const address = await recorder.listen(`http://127.0.0.1:${simulatorPort}`);
  let judged = 0;
  return {
    port: Number(new URL(address).port),
    judged: () => judged,
    newFaults: () => {
      const exchanges = recorder.exchanges.splice(0).filter(({ slot }) => slot === 'simulator');
      const finding = judge(exchanges);
      judged += finding.judged;
      return [...new Set(finding.faults)];
    },
    close: () => recorder.close(),
  };
}
