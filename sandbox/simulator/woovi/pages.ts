// Pages of the simulated Woovi's lists: the first hundred, and whether there are more.

const PAGE_LIMIT = 100;

export function pageOf<Item>(all: readonly Item[]): { pageInfo: object; shown: readonly Item[] } {
  return {
    pageInfo: { skip: 0, limit: PAGE_LIMIT, hasPreviousPage: false, hasNextPage: all.length > PAGE_LIMIT },
    shown: all.slice(0, PAGE_LIMIT),
  };
}
