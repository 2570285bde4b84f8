// A code of a failure or a refused return, with its meaning where it has one.
import { useTexts } from '../preferences.js';
import { failureTexts } from '../texts/failures.js';

export function BankCode({ code }: { readonly code: string }) {
  const meaning = useTexts(failureTexts)[code];
  return (
    <>
      <code>{code}</code>
      {meaning !== undefined && ` ${meaning}`}
    </>
  );
}
