// The window's title while a page is shown.
import { useEffect } from 'react';
import { useTexts } from '../preferences.js';
import { shellTexts } from '../texts/shell.js';

export function useTitle(text: string): void {
  const texts = useTexts(shellTexts);
  useEffect(() => {
    document.title = `${text} · ${texts.title}`;
  }, [text, texts.title]);
}
