// An id that a click copies.
import { useState } from 'react';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';

const SHOWN_MS = 1_500;

export function Copyable({ text }: { readonly text: string }) {
  const texts = useTexts(commonTexts);
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
      <button type="button" className="button-quiet" onClick={copy} aria-label={`${texts.copy}: ${text}`}>
        {isCopied ? texts.copied : texts.copy}
      </button>
    </span>
  );
}
