// When two names are one person: whoever approves twice must not count as two.

/** Case, the spelling of accents and surrounding spaces do not make a second person. */
export function isSamePerson(one: string, other: string): boolean {
  return fold(one) === fold(other);
}

function fold(person: string): string {
  return person.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
