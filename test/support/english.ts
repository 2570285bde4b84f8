// How a test sees that a text is English.

/** Words that no Portuguese sentence has. */
export const ENGLISH =
  /(?<!\p{L})(the|of|is|are|was|with|which|not|you|this|that|from|and|waits?|payment|player(?!-\d)|since)(?!\p{L})/iu;
