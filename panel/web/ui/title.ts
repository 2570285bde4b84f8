// The window's title while a page is shown.
import { useEffect } from 'react';
import { useWords } from '../preferences.js';
import { shellWords } from '../words/shell.js';

export function useTitle(text: string): void {
  const words = useWords(shellWords);
  useEffect(() => {
    document.title = `${text} · ${words.title}`;
  }, [text, words.title]);
}
