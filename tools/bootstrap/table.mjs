// A table as Markdown, for pages and terminals.

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @returns {string}
 */
export function markdownTable(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
