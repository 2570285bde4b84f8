// The standard's lists: the requested span and page, and `parametros` of the answer.
import { z } from 'zod';

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const wholeNumber = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number);

export const listQuery = z.object({
  inicio: instant,
  fim: instant,
  'paginacao.paginaAtual': wholeNumber.default(0),
  'paginacao.itensPorPagina': wholeNumber.pipe(z.number().min(1).max(1_000)).default(100),
});
type ListQuery = z.output<typeof listQuery>;

/** A span does not end before it begins. */
export const withinOrder = <Query extends Pick<ListQuery, 'inicio' | 'fim'>>(schema: z.ZodType<Query>) =>
  schema.refine(({ inicio, fim }) => inicio <= fim, { path: ['fim'], error: 'must not be before inicio' });

/** The requested page, with its `parametros`. `found`: all of the span. */
export function pageOf<Item>(query: ListQuery, found: readonly Item[]): { parametros: object; shown: readonly Item[] } {
  const page = query['paginacao.paginaAtual'];
  const size = query['paginacao.itensPorPagina'];
  return {
    parametros: {
      inicio: new Date(query.inicio).toISOString(),
      fim: new Date(query.fim).toISOString(),
      paginacao: {
        paginaAtual: page,
        itensPorPagina: size,
        quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
        quantidadeTotalDeItens: found.length,
      },
    },
    shown: found.slice(page * size, (page + 1) * size),
  };
}

/** Whether a moment, RFC 3339, is in the span. */
export function isWithin({ inicio, fim }: Pick<ListQuery, 'inicio' | 'fim'>, moment: string): boolean {
  const at = Date.parse(moment);
  return at >= inicio && at <= fim;
}
