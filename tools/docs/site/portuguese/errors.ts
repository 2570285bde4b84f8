// The error catalogue in Portuguese. `of` names the English text, as digestOfError makes it: a changed one is seen.
import { createHash } from 'node:crypto';
import { ERROR_HELP, type ErrorHelp } from '../../../../contract/http/error-help.js';
import { type ErrorCode, ERRORS } from '../../../../contract/http/errors.js';

export interface ErrorTexts extends ErrorHelp {
  readonly detail: string;
}

/** What is translated for a code. */
export function englishError(code: ErrorCode): ErrorTexts {
  return { ...ERROR_HELP[code], detail: ERRORS[code].detail };
}

/** A digest of the English text. */
export function digestOfError(code: ErrorCode): string {
  const { detail, causes, next } = englishError(code);
  return createHash('sha256')
    .update(JSON.stringify([detail, causes, next]))
    .digest('hex')
    .slice(0, 8);
}

const NOT_SERVED = {
  causes: ['O contrato o define para transferências bancárias e câmbio, que nenhuma operação tem habilitados.'],
  next: 'Nada: esta versão nunca o devolve.',
};

/** Total over the codes: a missing code does not compile. */
export const PORTUGUESE_ERRORS: Readonly<Record<ErrorCode, ErrorTexts & { readonly of: string }>> = {
  validation_failed: {
    of: '79068592',
    detail: 'A requisição é inválida; veja `errors`.',
    causes: [
      'Um campo do corpo, um parâmetro da query ou um cabeçalho falta, é desconhecido ou está malformado. `errors[]` ' +
        'lista cada um com uma `reason` e o valor esperado.',
      'O `Idempotency-Key` de um POST falta ou está malformado (`errors[0].field`).',
      'O corpo é maior que 64 KiB (status 413, `reason` `too_large`).',
    ],
    next: 'Corrija os campos em `errors[]`.',
  },
  currency_not_enabled: {
    of: '84eb563d',
    detail: 'A moeda não está habilitada para esta operação.',
    causes: ['A moeda é válida, mas não está habilitada para a operação.'],
    next: 'Use uma moeda que `GET /currencies` lista.',
  },
  method_not_enabled: {
    of: '4a12773e',
    detail: 'O método não está habilitado para esta operação.',
    causes: ['O método é válido, mas não está habilitado. Só `pix` em BRL está habilitado.'],
    next: 'Envie `"method": "pix"`. `GET /currencies` lista os métodos de cada moeda.',
  },
  rail_not_enabled: {
    of: '8dba2139',
    detail: 'O trilho não está habilitado para esta operação.',
    causes: ['Nenhum trilho bancário está habilitado para a operação.'],
    next: 'Use PIX.',
  },
  invalid_signature: {
    of: '6ef19229',
    detail: 'A assinatura, a sua chave ou o seu nonce não é válido.',
    causes: [
      'Uma das seis linhas assinadas difere do que o gateway recebeu: `v1`, o timestamp, o nonce, o método, o caminho ' +
        'com a query, o SHA-256 do corpo.',
      '`Svc-Nonce` ou `Svc-Signature` falta ou está malformado; o `detail` diz qual.',
      'O segredo pertence a outra chave, ou foi decodificado. Use o segredo como o texto que você recebeu.',
      'A chave não existe. Uma chave desconhecida e uma assinatura errada recebem a mesma resposta.',
    ],
    next:
      'Compare as seis linhas byte a byte. No sandbox, ponha `/docs/signing` antes do caminho e envie a mesma ' +
      'requisição, assinada ou não: a resposta traz as seis linhas como o gateway as lê, e o relógio dele. As causas ' +
      'mais comuns são um corpo serializado duas vezes e uma query recodificada no caminho.',
  },
  timestamp_out_of_window: {
    of: '6bed562a',
    detail: '`Svc-Timestamp` falta, está malformado ou está a mais de 300 s do relógio do servidor.',
    causes: [
      '`Svc-Timestamp` falta, não está em segundos Unix inteiros (treze dígitos são milissegundos) ou está a mais de ' +
        '300 s do relógio do gateway.',
    ],
    next:
      'Compare o seu relógio com o cabeçalho `Date` de qualquer resposta ou com `server_time` de `GET /ping`. Assine ' +
      'cada tentativa imediatamente antes de enviá-la.',
  },
  replayed_nonce: {
    of: '67105fc3',
    detail: 'O nonce já foi usado; assine cada requisição de novo.',
    causes: [
      'O nonce já foi usado com esta chave. Uma biblioteca ou um proxy pode ter enviado a mesma requisição duas vezes.',
    ],
    next:
      'Crie um nonce, um timestamp e uma assinatura novos para cada tentativa, inclusive nas repetições. Mantenha o ' +
      '`Idempotency-Key` e o corpo.',
  },
  unknown_key: {
    of: '2d83e373',
    detail: 'O id da chave falta, está malformado, é de outro ambiente ou não está mais ativo.',
    causes: [
      '`Svc-Key-Id` falta ou está malformado.',
      'A chave é do outro ambiente: `key_test_` é do sandbox, `key_live_` é da produção.',
      'A chave foi revogada, ou expirou sete dias depois do primeiro uso de uma chave mais nova.',
    ],
    next: 'Use a chave atual da operação.',
  },
  ip_not_allowed: {
    of: 'cd714b5a',
    detail: 'O endereço de origem não está na lista de endereços permitidos da operação.',
    causes: [
      'A requisição tem uma assinatura válida, mas vem de um endereço fora da lista da operação; o `detail` diz o ' +
        'endereço que vimos. Em produção, uma lista vazia não permite nenhum endereço.',
    ],
    next: 'Peça-nos para incluir o endereço (em produção isso exige duas pessoas), ou envie de um endereço permitido.',
  },
  insufficient_scope: {
    of: '5448fa5f',
    detail: 'A chave não tem o escopo desta rota, ou o método não existe aqui.',
    causes: [
      'A chave não tem o escopo da rota; o `detail` diz qual é.',
      'O caminho existe, mas não com este método; `Allow` diz os métodos que ele tem.',
    ],
    next: 'Use uma chave com esse escopo, ou o método certo.',
  },
  operation_suspended: {
    of: 'e37d9bbc',
    detail: 'A operação está suspensa.',
    causes: ['A operação inteira está suspensa.'],
    next:
      'Fale conosco. Os pagamentos em andamento continuam. Consulte-os por `external_id` quando a operação voltar a ' +
      'ficar ativa.',
  },
  not_found: {
    of: '209d82a5',
    detail: 'Não existe esse objeto ou essa rota.',
    causes: [
      'O objeto não existe nesta operação. Objetos de outras operações recebem a mesma resposta.',
      'A rota não existe: uma barra no fim ou maiúsculas trocadas fazem outro caminho. Onde falta `/v1`, o `detail` o ' +
        'diz.',
      'A rota é uma de `/sandbox/*`, que a produção não tem.',
    ],
    next:
      'Confira o ambiente, a operação da chave e o caminho. Um 404 nunca prova que um pagamento não foi criado: ' +
      'consulte-o por `external_id`.',
  },
  idempotency_key_reused: {
    of: '3a602cfa',
    detail: 'O `Idempotency-Key` foi usado para outra requisição.',
    causes: [
      'O `Idempotency-Key` foi usado antes com outro método, caminho, query ou corpo. Um byte diferente no corpo faz ' +
        'outra requisição.',
      'Depois de uma queda, o corpo foi montado de novo, com outra hora ou outra ordem de campos, em vez de enviado ' +
        'como foi guardado.',
    ],
    next:
      'Envie os bytes guardados com esta chave: você recebe a primeira resposta. Sem eles, consulte o pagamento por ' +
      '`external_id`. Nunca libere uma reserva por causa desta resposta.',
  },
  duplicate_external_id: {
    of: 'f6a75de8',
    detail: 'O `external_id` já está em uso; `existing` traz o objeto.',
    causes: ['Um pagamento deste tipo, criado com outra chave, já tem este `external_id`. `existing` o contém.'],
    next: 'Se `existing` é o pagamento que você queria, continue com ele. Senão, escolha um novo `external_id`.',
  },
  invalid_state_transition: {
    of: '64f6e625',
    detail: 'O estado do objeto não permite isto.',
    causes: [
      'O estado do pagamento não permite a ação, como cancelar um saque que está `processing`.',
      'Um saque está `approved`, mas a sua ordem de pagamento já saiu: ele pode estar pago, e não pode ser cancelado.',
      'Foi pedido o recall de um saque PIX.',
    ],
    next: 'Aja conforme o estado do pagamento: `existing` na resposta, ou leia-o de novo.',
  },
  idempotency_in_progress: {
    of: '783b8dd1',
    detail: 'A primeira requisição com este `Idempotency-Key` ainda está em execução.',
    causes: ['A primeira requisição com esta chave ainda está em execução. Ela leva no máximo 30 s.'],
    next: 'Espere um momento e envie os mesmos bytes de novo com a mesma chave.',
  },
  day_open: {
    of: '455ecaba',
    detail: 'O dia ainda não foi fechado.',
    causes: ['O dia ainda não foi fechado. O dia D fecha em D+1 às 02:00 UTC.'],
    next: 'Não espere em uma requisição: planeje a leitura para D+1 às 02:00 UTC. `Retry-After` é o número de segundos até lá.',
  },
  etag_mismatch: {
    of: 'e7fcf691',
    detail: '`If-Match` não é o `ETag` atual das regras.',
    causes: ['`If-Match` não é o `ETag` das regras em vigor. Elas mudaram depois que você as leu.'],
    next: 'Leia `GET /rules`, reveja a sua proposta e envie-a com o novo `ETag`.',
  },
  amount_below_minimum: {
    of: '1ac15007',
    detail: 'O valor está abaixo do mínimo de um pagamento.',
    causes: ['O valor está abaixo do mínimo por pagamento das regras, ou da conta no provedor.'],
    next: 'Leia os limites em `GET /rules`. O suporte conhece os da conta no provedor.',
  },
  amount_above_maximum: {
    of: '7ce96b37',
    detail: 'O valor está acima do máximo de um pagamento.',
    causes: ['O valor está acima do máximo por pagamento das regras, ou da conta no provedor.'],
    next: 'Leia os limites em `GET /rules`. O suporte conhece os da conta no provedor.',
  },
  document_invalid: {
    of: 'cc628a5b',
    detail: 'O documento não é um CPF ou CNPJ válido.',
    causes: ['O documento não é um CPF ou CNPJ, ou os dígitos verificadores estão errados.'],
    next: 'Peça ao jogador para corrigi-lo. O PIX aceita só CPF e CNPJ.',
  },
  document_mismatch: {
    of: 'e3fb5937',
    detail: 'O documento não pertence a este jogador ou destino.',
    causes: [
      'O primeiro pagamento com este `external_ref` tinha outro documento.',
      'A chave PIX pertence a outra pessoa que não o jogador.',
      'O `detail` diz qual dos dois, exceto para uma chave de e-mail, telefone ou aleatória: de quem elas são, não ' +
        'dizemos.',
    ],
    next: 'Pague só de e para contas do próprio jogador. O primeiro pagamento fixa o documento do jogador.',
  },
  player_blocked: {
    of: 'd8d4ebdb',
    detail: 'O pagamento não é possível para este jogador.',
    causes: ['O jogador está em uma lista de bloqueio. A resposta não dá detalhes de propósito.'],
    next: 'Fale conosco. Repetir não ajuda.',
  },
  destination_blocked: {
    of: '3acdf1cc',
    detail: 'O pagamento não é possível para este destino.',
    causes: ['O destino está em uma lista de bloqueio. A resposta não dá detalhes de propósito.'],
    next: 'Fale conosco. Repetir não ajuda.',
  },
  insufficient_operation_balance: {
    of: '411b061e',
    detail: 'O saldo da operação não cobre o saque; ele pode ser tentado mais tarde como um novo.',
    causes: ['O caixa da operação não cobre o saque.'],
    next: 'Abasteça o caixa (veja `GET /balances`) e crie um novo saque.',
  },
  velocity_exceeded: {
    of: '7c6937a9',
    detail: 'Pagamentos demais, ou valor demais, na janela de tempo.',
    causes: [
      'O jogador atingiu um limite rígido de quantidade ou de valor em uma janela de tempo.',
      'O jogador tem depósitos não pagos demais.',
    ],
    next: 'Espere a janela terminar e crie um novo pagamento.',
  },
  fx_not_enabled: {
    of: '20d9b3c8',
    detail: 'O câmbio não está habilitado para esta operação.',
    causes: ['O câmbio não está habilitado para nenhuma operação.'],
    next: 'Use só BRL.',
  },
  fx_quote_expired: { of: 'fb17ef37', detail: 'A cotação expirou.', ...NOT_SERVED },
  fx_quote_mismatch: { of: '084aa805', detail: 'A cotação é de outro pagamento.', ...NOT_SERVED },
  corridor_not_allowed: { of: '36bab6a1', detail: 'O corredor não é permitido.', ...NOT_SERVED },
  beneficiary_bank_unreachable: { of: '5009d008', detail: 'O banco do beneficiário está inacessível.', ...NOT_SERVED },
  recall_window_expired: { of: 'b181914c', detail: 'A janela de recall terminou.', ...NOT_SERVED },
  rate_limited: {
    of: '4f300ade',
    detail: 'Requisições demais; espere o `Retry-After`.',
    causes: [
      'Um limite da chave, da operação ou do endereço foi atingido. Ele passa em segundos, ou um minuto depois de ' +
        'assinaturas erradas. Não há `errors[]`.',
      'Um limite por hora de um jogador foi atingido: `errors[0]` é `player.external_ref` com a reason ' +
        '`hourly_limit`, e `Retry-After` pode chegar a uma hora.',
      'O `detail` diz o limite, a janela e quando ela termina. O guia de integração lista todos os limites.',
    ],
    next:
      'Espere o `Retry-After` e envie os mesmos bytes de novo com a mesma chave. Não espere sozinho pelo limite por ' +
      'hora de um jogador: avise o jogador. Para desistir da intenção, espere 30 minutos depois de assinada a última ' +
      'tentativa: uma consulta vazia por `external_id` então é definitiva.',
  },
  internal_error: {
    of: '76e9acb0',
    detail: 'Um erro interno; repita com o mesmo `Idempotency-Key`.',
    causes: ['Uma falha no gateway. A chave pode ser usada de novo, e repetir não cria um segundo pagamento.'],
    next: 'Envie os mesmos bytes de novo com a mesma chave. Se o erro persistir, envie-nos o `trace_id`.',
  },
  service_unavailable: {
    of: 'c0425006',
    detail: 'Uma dependência não está disponível; repita com o mesmo `Idempotency-Key`.',
    causes: [
      'Um serviço de que o gateway precisa não responde.',
      'No sandbox: o seu próprio `POST /sandbox/outage` ligou uma indisponibilidade; o `detail` o diz.',
    ],
    next: 'Envie os mesmos bytes de novo com a mesma chave, depois de `Retry-After`.',
  },
};
