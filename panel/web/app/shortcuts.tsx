// The list of keyboard shortcuts.
import { PanelDialog } from '../ui/dialog.js';
import { useWords } from '../preferences.js';
import { shellWords } from '../words/shell.js';
import { PAGES } from './pages.js';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { shortcuts: words, pages } = useWords(shellWords);
  const rows: readonly (readonly [keys: readonly string[], text: string])[] = [
    [['J'], words.next],
    [['K'], words.previous],
    [['Enter'], words.open],
    [['A'], words.approve],
    [['R'], words.refuse],
    [['S'], words.skip],
    [['1', '…', '9'], words.reason],
    [['Ctrl', 'Enter'], words.send],
    [['/'], words.search],
    ...PAGES.map(({ name, key }) => [['G', key.toUpperCase()], words.go(pages[name])] as const),
    [['?'], words.help],
    [['Esc'], words.escape],
  ];
  return (
    <PanelDialog title={words.title} onClose={onClose}>
      <dl className="shortcuts">
        {rows.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">{words.off}</p>
    </PanelDialog>
  );
}
