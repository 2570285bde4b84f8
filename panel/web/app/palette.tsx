// The command palette: the acts of the page under it, every page, an id that was pasted, and the search, by typing a
// part of its name.
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { READERS } from '../api/endpoints.js';
import { holds, useSession } from '../api/session.js';
import { handOver } from '../pages/search/handed-over.js';
import { useTexts } from '../preferences.js';
import { PanelDialog } from '../ui/dialog.js';
import { possibleActs } from '../ui/why-button.js';
import { shellTexts } from '../texts/shell.js';
import { pagesFor } from './pages.js';

/** Ctrl+K, or ⌘K, also while somebody types; not over another dialog. */
export function usePaletteKey(open: () => void): void {
  const latest = useEffectEvent(open);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (document.querySelector('[role="dialog"]') === null) latest();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

interface Command {
  readonly id: string;
  readonly name: string;
  readonly run: () => void;
}

interface PaletteProps {
  readonly onHelp: () => void;
  readonly onClose: () => void;
}

export function Palette({ onHelp, onClose }: PaletteProps) {
  const { palette: texts } = useTexts(shellTexts);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const commands = useCommands(text.trim(), onHelp);
  const chosen = commands[Math.min(at, commands.length - 1)];
  const run = ({ run: act }: Command) => {
    onClose();
    act();
  };
  const move = (by: 1 | -1) =>
    setAt((before) => (Math.min(before, commands.length - 1) + by + commands.length) % commands.length);
  return (
    <PanelDialog title={texts.title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== undefined) run(chosen);
        }}
      >
        <input
          type="text"
          role="combobox"
          aria-label={texts.label}
          aria-expanded
          aria-controls={list}
          aria-activedescendant={chosen === undefined ? undefined : `${list}-${chosen.id}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          autoFocus
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1 } as const;
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
            event.preventDefault();
            move(by[event.key]);
          }}
        />
        <ul id={list} role="listbox" aria-label={texts.title} className="palette">
          {commands.map((command) => (
            // The field keeps the focus; its arrow keys choose.
            <li
              key={command.id}
              id={`${list}-${command.id}`}
              role="option"
              aria-selected={command === chosen}
              onClick={() => run(command)}
              onKeyDown={undefined}
            >
              {command.name}
            </li>
          ))}
        </ul>
      </form>
    </PanelDialog>
  );
}

/** What fits the text, an id first. The search is offered for any text. */
function useCommands(text: string, onHelp: () => void): readonly Command[] {
  const { pages, shortcuts, palette: texts } = useTexts(shellTexts);
  const session = useSession();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [acts] = useState(possibleActs);
  const search = () => {
    handOver(text);
    void navigate({ to: '/search' });
  };
  const named: readonly Command[] = [
    ...acts.map((act, at) => ({ id: `act-${at}`, name: texts.act(act.name), run: act.press })),
    ...pagesFor(session).map(({ name, to }) => ({
      id: name,
      name: shortcuts.go(pages[name]),
      run: () => void navigate({ to }),
    })),
    { id: 'keys', name: shortcuts.help, run: onHelp },
  ];
  const isPayment = /^(dep|wdr)_[0-9a-f]{32}$/.test(text);
  const open = {
    id: 'open',
    name: texts.open,
    run: () => void navigate({ to: '/payments/$id', params: { id: text } }),
  };
  const find = { id: 'find', name: texts.find(text), run: search };
  return [
    ...(isPayment && holds(session, READERS.payments) ? [open] : []),
    ...named.filter(({ name }) => plain(name).includes(plain(text))),
    ...(text === '' || path === '/search' || !holds(session, READERS.search) ? [] : [find]),
  ];
}

/** Without capitals and accents: nobody types them here. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
