// Efí's list of sent PIX (`GET /v2/gn/pix/enviados`). Receivers are not read.
import { z } from 'zod';
import type { ListedPayout } from '../../domain/listed-payouts.js';
import { PAGE_SIZE, textOfReturns } from './list-pages.js';
import { amount, endToEndId, instant, MAX_LIST } from './wire.js';

const payouts = z.array(z.unknown()).max(MAX_LIST);
const pages = z.object({ paginacao: z.object({ quantidadeDePaginas: z.number().int().min(0) }) });

/** The documentation shows one payout, Efí's own client a list without pages, and the standard a page with them. */
export const efiPayouts = z.union([
  z.object({ parametros: pages, pix: payouts }).transform(({ parametros, pix }) => ({
    payouts: pix,
    hasMore: (page: number) => page + 1 < parametros.paginacao.quantidadeDePaginas,
  })),
  payouts.transform((listed) => ({ payouts: listed, hasMore: () => listed.length >= PAGE_SIZE })),
]);

const returns = z
  .array(z.object({ id: z.string().min(1).max(64), status: z.string().min(1).max(40) }))
  .max(MAX_LIST)
  .nullish()
  .transform((returns) => textOfReturns(returns ?? []));

/** `null` if it failed, so nothing left. */
export const efiListedPayout: z.ZodType<ListedPayout | null> = z
  .object({
    idEnvio: z.string().min(1).max(64).nullish(),
    endToEndId: endToEndId.nullish(),
    valor: amount,
    status: z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']),
    horario: z.object({ solicitacao: instant.nullish(), liquidacao: instant.nullish() }),
    devolucoes: returns,
  })
  .transform(({ idEnvio, endToEndId: sent, valor, status, horario, devolucoes }, context) => {
    if (status === 'NAO_REALIZADO') return null;
    const payoutId = idEnvio ?? sent ?? null;
    const sentAt = horario.solicitacao ?? horario.liquidacao ?? null;
    if (payoutId === null || sentAt === null) {
      context.issues.push({ code: 'custom', message: 'has no id or no time', input: horario });
      return z.NEVER;
    }
    const isSettled = status === 'REALIZADO';
    return {
      payoutId,
      reference: idEnvio ?? null,
      endToEndId: sent ?? null,
      amountMinor: valor,
      sentAt,
      isSettled,
      returns: devolucoes,
    };
  });
