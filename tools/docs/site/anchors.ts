// The anchor of a heading, as code hosts make it: the same link works in the repository and on the site.

/** Lower case, spaces to hyphens, punctuation dropped. */
export function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
