// How Markdown of the repository becomes a page: its links, its headings' anchors, and its text as it stands.
import type { MarkdownRenderer } from 'vitepress';
import { addressOf, BASE, SITE_DOWNLOADS } from './links.js';
import type { Audience } from './pages.js';

/** What is no page of the site: its script must not look for it among its own, and writes no base before it. */
function placeBeside(address: string): string | undefined {
  if (address.startsWith('/v1/')) return address;
  return address === '/reference' || SITE_DOWNLOADS.has(address) ? BASE + address.slice(1) : undefined;
}

export interface PageTexts {
  readonly audience: Audience;
  /** The file of the repository behind a file of the site. */
  readonly sourceOf: Readonly<Record<string, string>>;
}

/** Rewrites links, and shows what looks like HTML as text: `<host>` in a sentence is not an element. */
export function readAsRepository({ audience, sourceOf }: PageTexts) {
  return (md: MarkdownRenderer): void => {
    md.core.ruler.push('links_of_repository', (state) => {
      const env = state.env as { relativePath?: string };
      const source = sourceOf[env.relativePath ?? ''] ?? env.relativePath ?? '';
      for (const block of state.tokens)
        if (block.children !== null) block.children = withAddresses(block.children, source, audience);
    });
    for (const rule of ['html_inline', 'html_block'] as const) {
      const whole = md.renderer.rules[rule];
      md.renderer.rules[rule] = (tokens, index, options, env, self) => {
        const { frontmatter } = env as { frontmatter?: { generated?: boolean } };
        const content = tokens[index]?.content ?? '';
        if (frontmatter?.generated === true || /^<br>$/.test(content))
          return whole?.(tokens, index, options, env, self) ?? content;
        if (/^<!--/.test(content)) return '';
        return md.utils.escapeHtml(content);
      };
    }
  };
}

type Tokens = NonNullable<ReturnType<MarkdownRenderer['parse']>[number]['children']>;

function withAddresses(tokens: Tokens, source: string, audience: Audience): Tokens {
  const kept: Tokens = [];
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const address = addressOf(token.attrGet('href') ?? '', source, audience);
      isDropped = address === undefined;
      const beside = placeBeside(address ?? '');
      if (address !== undefined) token.attrSet('href', beside ?? address);
      if (beside !== undefined) token.attrSet('target', '_self');
    }
    const isLink = token.type === 'link_open' || token.type === 'link_close';
    if (!(isLink && isDropped)) kept.push(token);
  }
  return kept;
}

/** `Node.js`, then its block; at least two in a row. */
const LANGUAGE = String.raw`(?:curl|Shell|Node\.js|TypeScript|Python|Go|Java|PHP)[^\n.:]*`;
const SAMPLE = String.raw`(${LANGUAGE})\n\n` + '```' + String.raw`(\w+)\n([\s\S]*?)\n` + '```';
const SAMPLES = new RegExp(String.raw`(?:^${SAMPLE}\n\n?){2,}`, 'gm');

/** Code samples in several languages, one after the other, become tabs. */
export function withTabs(text: string): string {
  return text.replaceAll(SAMPLES, (samples) => {
    const tabs = [...samples.matchAll(new RegExp(`^${SAMPLE}`, 'gm'))].map(
      ([, label = '', language = '', code = '']) => `\`\`\`${language} [${label}]\n${code}\n\`\`\``,
    );
    return `::: code-group\n\n${tabs.join('\n\n')}\n\n:::\n\n`;
  });
}
