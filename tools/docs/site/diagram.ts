// The states of a payment as a picture, drawn from the table of its transitions.
import { instance } from '@viz-js/viz';
import type { Language } from './pages.js';

export interface Transition {
  readonly from: readonly string[];
  readonly to: string;
  readonly moves: string | null;
}

export interface StateTable {
  readonly name: 'deposit' | 'withdrawal';
  readonly statuses: readonly string[];
  readonly transitions: Readonly<Record<string, Transition>>;
}

const DESCRIPTIONS: Readonly<Record<Language, (name: string) => string>> = {
  en: (name) => `The states of a ${name} and the triggers between them; the table below has the same.`,
  'pt-BR': (name) =>
    `Os estados de um ${name === 'deposit' ? 'depósito' : 'saque'} e os gatilhos entre eles; a tabela abaixo diz o mesmo.`,
};

/** The layout knows other fonts than browsers have: it reserves a quarter more than the text takes. */
const LAYOUT_SCALE = 1.25;
const STATE_PIXELS = 13;
const TRIGGER_PIXELS = 11;

/** An SVG in the colours of the text around it. Thick lines move money; states with a double border are ends. */
export async function stateDiagram({ name, statuses, transitions }: StateTable, language: Language): Promise<string> {
  const viz = await instance();
  const all = Object.entries(transitions);
  const isEnd = (status: string) => all.every(([, { from }]) => !from.includes(status));
  const edges = new Map<string, { tail: string; head: string; triggers: string[]; moves: boolean }>();
  for (const [trigger, { from, to, moves }] of all)
    for (const tail of from) {
      const edge = edges.get(`${tail} ${to}`) ?? { tail, head: to, triggers: [], moves: false };
      edge.triggers.push(trigger);
      edge.moves ||= moves !== null;
      edges.set(`${tail} ${to}`, edge);
    }
  const svg = viz.renderString(
    {
      directed: true,
      graphAttributes: { rankdir: 'TB', bgcolor: 'transparent', nodesep: 0.35, ranksep: 0.55, fontname: 'sans-serif' },
      nodeAttributes: {
        shape: 'box',
        style: 'rounded',
        fontname: 'sans-serif',
        fontsize: STATE_PIXELS * LAYOUT_SCALE,
        color: 'black',
      },
      edgeAttributes: { fontname: 'sans-serif', fontsize: TRIGGER_PIXELS * LAYOUT_SCALE, arrowsize: 0.7 },
      nodes: statuses.map((status) => ({ name: status, attributes: { peripheries: isEnd(status) ? 2 : 1 } })),
      edges: [...edges.values()].map(({ tail, head, triggers, moves }) => ({
        tail,
        head,
        attributes: { label: triggers.map((trigger) => ` ${trigger} `).join('\n'), penwidth: moves ? 2.2 : 1 },
      })),
    },
    { format: 'svg', engine: 'dot' },
  );
  const label = DESCRIPTIONS[language](name);
  return svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<title>[^<]*<\/title>\n?|<!--[\s\S]*?-->\n?/g, '')
    .replaceAll(/ id="[^"]*"/g, '')
    .replaceAll(/font-size="([\d.]+)"/g, (_, size: string) => `font-size="${(Number(size) / LAYOUT_SCALE).toFixed(1)}"`)
    .replaceAll('"black"', '"currentColor"')
    .replaceAll('<text ', '<text fill="currentColor" ')
    .replace(/ width="(\d+)pt" height="(\d+)pt"/, ' width="$1"')
    .replace('<svg ', `<svg role="img" aria-label="${label}" class="states" `)
    .replaceAll(/\n+/g, '\n')
    .trim();
}
