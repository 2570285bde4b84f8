// An id that a click copies.
import { useState } from 'react';
import { useWords } from '../preferences.js';
import { commonWords } from '../words/common.js';

const SHOWN_MS = 1_500;

export function Copyable({ text }: { readonly text: string }) {
  const words = useWords(commonWords);
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), SHOWN_MS);
      },
      // Without the permission the id can still be selected.
      () => undefined,
    );
  return (
    <span className="copyable">
      <code>{text}</code>
      <button type="button" className="button-quiet" onClick={copy} aria-label={`${words.copy}: ${text}`}>
        {isCopied ? words.copied : words.copy}
      </button>
    </span>
  );
}
