// Texts of people and of others, of any length. What somebody outside wrote (an operator, a bank, a payer) stands in a
// box that is marked. Each wraps every word and scrolls when it is long, so that it can neither hide nor move what a
// person decides.
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';

/** What a box shows without scrolling, also on a phone. */
const MOST_CHARACTERS = 240;
const MOST_LINES = 4;

const UNSEEN =
  /(?<!\p{Extended_Pictographic}\uFE0F?)\u200D|[\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|(?!\n)\p{Cc}/gu;

/** What somebody outside wrote. */
export function Theirs({ text }: { readonly text: string }) {
  const { theirs } = useTexts(commonTexts);
  return (
    <q className="words theirs" dir="auto" title={theirs} {...scrolling(text, theirs)}>
      {visible(text)}
    </q>
  );
}

/** What a colleague wrote, or the gateway about something of others. */
export function Words({ text, lang }: { readonly text: string; readonly lang?: string | undefined }) {
  const { words } = useTexts(commonTexts);
  return (
    <span className="words" dir="auto" lang={lang} {...scrolling(text, words)}>
      {visible(text)}
    </span>
  );
}

/** A box that scrolls must be reached by keyboard; any other would only be in the way there. */
function scrolling(text: string, name: string) {
  const isLong = text.length > MOST_CHARACTERS || text.split('\n').length > MOST_LINES;
  return isLong ? { tabIndex: 0, role: 'group', 'aria-label': name } : {};
}

/** Characters that nobody sees, or that turn others around, by their numbers; emojis stay whole. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `⟨U+${hexOf(character)}⟩`);
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
