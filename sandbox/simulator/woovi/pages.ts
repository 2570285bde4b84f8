// Pages of the simulated Woovi's lists: a hundred, and whether there are more.

const PAGE_LIMIT = 100;

/** `skip`: how many come before the page, for the lists that take it. */
export function pageOf<Item>(all: readonly Item[], skip = 0): { pageInfo: object; shown: readonly Item[] } {
  return {
    pageInfo: { skip, limit: PAGE_LIMIT, hasPreviousPage: skip > 0, hasNextPage: all.length > skip + PAGE_LIMIT },
    shown: all.slice(skip, skip + PAGE_LIMIT),
  };
}
