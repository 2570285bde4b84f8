// The list of keyboard shortcuts.
import { PanelDialog } from '../ui/dialog.js';
import { useTexts } from '../preferences.js';
import { shellTexts } from '../texts/shell.js';
import { useSession } from '../api/session.js';
import { pagesFor } from './pages.js';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { shortcuts: texts, pages } = useTexts(shellTexts);
  const rows: readonly (readonly [keys: readonly string[], text: string])[] = [
    [['J'], texts.next],
    [['K'], texts.previous],
    [['Enter'], texts.open],
    [['A'], texts.approve],
    [['R'], texts.refuse],
    [['S'], texts.skip],
    [['Alt', '1', '…', '9'], texts.reason],
    [['Ctrl', 'Enter'], texts.send],
    [['/'], texts.search],
    [['Ctrl', 'K'], texts.palette],
    ...pagesFor(useSession()).map(({ name, key }) => [['G', key.toUpperCase()], texts.go(pages[name])] as const),
    [['?'], texts.help],
    [['Esc'], texts.escape],
  ];
  return (
    <PanelDialog title={texts.title} onClose={onClose}>
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
      <p className="quiet">{texts.off}</p>
    </PanelDialog>
  );
}
