// The tables of the guide that are generated, in Portuguese: by cell, so that a new or changed English cell is missing
// here until somebody translates it (test/convention/site.spec.ts).
import { ENDPOINT_KINDS, type Verdict, VERDICTS, KINDS } from '../../../../contract/http/verdicts.js';
import { PORTUGUESE_KINDS, PORTUGUESE_REFUSALS, PORTUGUESE_VERDICTS } from './verdicts.js';

/** What is the same in every language: codes, numbers, names of methods. */
const IS_NO_TEXT = /^(?:\d{3} )?(?:`[^`]*`(?:, )?)*$|^GET$|^[–\d.,]*$/;

const CELLS: Readonly<Record<string, string>> = {
  'it says': 'ela diz',
  after: 'depois de',
  'meaning, and what to do': 'o que significa, e o que fazer',
  answer: 'resposta',
  '400 `validation_failed` whose `errors[].field` are all fields of the body or the query':
    PORTUGUESE_REFUSALS.validation_failed_body,
  '400 `validation_failed` that names a header (`Idempotency-Key`, `Content-Type`) or no field':
    PORTUGUESE_REFUSALS.validation_failed_other,

  'what is counted': 'o que se conta',
  'at most': 'no máximo',
  'Requests from one address': 'Requisições de um endereço',
  'New nonces of one key': 'Nonces novos de uma chave',
  'POSTs with one key': 'POSTs com uma chave',
  'POSTs of one operation': 'POSTs de uma operação',
  'GETs with one key': 'GETs com uma chave',
  'GETs of one operation': 'GETs de uma operação',
  'Lists (GET /deposits, /withdrawals and /events) with one key':
    'Listas (GET /deposits, /withdrawals e /events) com uma chave',
  'Requests of one operation that wait for the database': 'Requisições de uma operação à espera do banco de dados',
  'Wrong signatures from one address': 'Assinaturas erradas de um endereço',
  'Deposits created for one player': 'Depósitos criados para um jogador',
  'Withdrawals requested for one player': 'Saques pedidos para um jogador',
  '200 per second': '200 por segundo',
  '150 per second, 10,000 at once': '150 por segundo, 10.000 de uma vez',
  '50 per second, 100 at once': '50 por segundo, 100 de uma vez',
  '100 per second': '100 por segundo',
  '5 per second': '5 por segundo',
  '300 in one process': '300 em um processo',
  '20 in any minute': '20 em qualquer minuto',
  '10 in any hour': '10 em qualquer hora',
  '3 in any hour': '3 em qualquer hora',

  code: 'código',
  of: 'de',
  meaning: 'significado',
  'what to do': 'o que fazer',
  deposit: 'depósito',
  withdrawal: 'saque',
  'deposit, withdrawal': 'depósito, saque',
  both: 'ambos',
  'any other': 'qualquer outro',
  'The bank refused the charge and gave no code.': 'O banco recusou a cobrança e não deu código.',
  'Create another deposit, with a new `external_id`.': 'Crie outro depósito, com um novo `external_id`.',
  'The bank withdrew the charge before it was paid.': 'O banco retirou a cobrança antes do pagamento.',
  'The bank’s answer came so late that the charge could no longer be paid.':
    'A resposta do banco chegou tão tarde que a cobrança já não podia ser paga.',
  'Outside production: the bank returned a PIX without the sandbox’s marker, and it was not delivered.':
    'Fora da produção: o banco devolveu um PIX sem a marca do sandbox, e ele não foi entregue.',
  'Tell us: the sandbox is connected to the wrong bank.': 'Avise-nos: o sandbox está ligado ao banco errado.',
  'No directory can hold a key of this form.': 'Nenhum diretório pode ter uma chave desta forma.',
  'Release the reserve and ask the player for another key.': 'Libere a reserva e peça outra chave ao jogador.',
  'The PIX key belongs to nobody.': 'A chave PIX não é de ninguém.',
  'The PIX key belongs to somebody other than the player.': 'A chave PIX é de outra pessoa que não o jogador.',
  'The receiving account is blocked.': 'A conta que recebe está bloqueada.',
  'The bank takes no document of the player’s type.': 'O banco não aceita o tipo de documento do jogador.',
  'Release the reserve.': 'Libere a reserva.',
  'The bank takes no such amount.': 'O banco não aceita este valor.',
  'The bank refused the payment order as invalid.': 'O banco recusou a ordem de pagamento como inválida.',
  'Release the reserve and tell us.': 'Libere a reserva e avise-nos.',
  'The gateway’s own key at the bank is not valid.': 'A chave do próprio gateway no banco não vale.',
  'The bank denied the payment and gave no code.': 'O banco negou o pagamento e não deu código.',
  'The bank reports a failure and gave no code.': 'O banco relata uma falha e não deu código.',
  'The bank says in writing that the payment order never reached it; two people entered that.':
    'O banco diz por escrito que a ordem de pagamento nunca chegou; duas pessoas registraram isso.',
  'The bank says in writing that it did not pay and never will; two people entered that.':
    'O banco diz por escrito que não pagou nem pagará; duas pessoas registraram isso.',
  'ISO 20022: the receiving account is invalid.': 'ISO 20022: a conta que recebe é inválida.',
  'ISO 20022: the receiving account is blocked.': 'ISO 20022: a conta que recebe está bloqueada.',
  'ISO 20022: the receiving account is closed.': 'ISO 20022: a conta que recebe está encerrada.',
  'ISO 20022: the receiving account is of a type that accepts no PIX.':
    'ISO 20022: a conta que recebe é de um tipo que não aceita PIX.',
  'ISO 20022: the receiver accepts no payment of this kind.': 'ISO 20022: quem recebe não aceita pagamento deste tipo.',
  'ISO 20022: the amount is over a limit.': 'ISO 20022: o valor passa de um limite.',
  'ISO 20022: the paying account does not have enough money.':
    'ISO 20022: a conta que paga não tem dinheiro suficiente.',
  'ISO 20022: the amount is wrong.': 'ISO 20022: o valor está errado.',
  'ISO 20022: the amount is invalid.': 'ISO 20022: o valor é inválido.',
  'ISO 20022: the document is not the account holder’s.': 'ISO 20022: o documento não é do titular da conta.',
  'ISO 20022: the receiver’s document is invalid.': 'ISO 20022: o documento de quem recebe é inválido.',
  'ISO 20022: a field of the order is malformed.': 'ISO 20022: um campo da ordem está malformado.',
  'ISO 20022: the receiving institution refused the order.': 'ISO 20022: a instituição que recebe recusou a ordem.',
  'ISO 20022: the receiving institution is not active.': 'ISO 20022: a instituição que recebe não está ativa.',
  'ISO 20022: the end-to-end id is invalid.': 'ISO 20022: o id fim a fim é inválido.',
  'ISO 20022: the receiving institution is invalid.': 'ISO 20022: a instituição que recebe é inválida.',
  'ISO 20022: the law forbids it.': 'ISO 20022: a lei o proíbe.',
  'A code of the bank, such as `cob_operacao_invalida` or `ED05`.':
    'Um código do banco, como `cob_operacao_invalida` ou `ED05`.',
  'Act on the state alone.': 'Aja só conforme o estado.',

  'somebody other than the player paid': 'pagou outra pessoa que não o jogador',
  'the provider does not say who paid': 'o provedor não diz quem pagou',
  'the payer or the player is on the block list': 'quem pagou, ou o jogador, está na lista de bloqueio',
  'the amount paid differs from the charge': 'o valor pago é diferente da cobrança',
  'it was paid after it expired': 'foi pago depois de expirar',
  'the rules engine did not answer': 'o motor de regras não respondeu',
  'the rules engine gave an invalid answer': 'o motor de regras deu uma resposta inválida',
  'with the earlier withdrawals it is more than X times the deposits':
    'com os saques anteriores, passa de X vezes os depósitos',
  'no deposit of the player is settled': 'nenhum depósito do jogador está liquidado',
  'automatic withdrawals are off in this currency': 'os saques automáticos estão desligados nesta moeda',
  'automatic withdrawals are suspended for the whole operation':
    'os saques automáticos estão suspensos para a operação inteira',
  'it is above the automatic ceiling of one withdrawal': 'passa do teto automático de um saque',
  'no withdrawal of the player was paid before': 'nenhum saque do jogador foi pago antes',
  'the operator asked for a review': 'o operador pediu uma revisão',
  'the holder of the PIX key could not be verified, or the request names no player IP':
    'o titular da chave PIX não pôde ser verificado, ou a requisição não traz o IP do jogador',
  'the key directory did not answer in time': 'o diretório de chaves não respondeu a tempo',
  'the sum of the day is above its limit': 'a soma do dia passa do limite',
  'there are more withdrawals today than allowed': 'há mais saques hoje do que o permitido',
  'the sum of 7 days is above its threshold': 'a soma de 7 dias passa do limiar',
  'there are more withdrawals in 7 days than its threshold': 'há mais saques em 7 dias do que o limiar',
  'the sum of 30 days is above its threshold': 'a soma de 30 dias passa do limiar',
  'there are more withdrawals in 30 days than its threshold': 'há mais saques em 30 dias do que o limiar',
  'many withdrawals were requested in a short time': 'muitos saques foram pedidos em pouco tempo',
  'the player changed the PIX key, and its cooldown is not over':
    'o jogador trocou a chave PIX, e o prazo de espera não acabou',
  'the request with the changed key came from a new IP or device':
    'a requisição com a chave trocada veio de um IP ou aparelho novo',
  'the player used many different keys in 30 days': 'o jogador usou muitas chaves diferentes em 30 dias',
  'another player uses the same PIX key': 'outro jogador usa a mesma chave PIX',
  'another player has the same document': 'outro jogador tem o mesmo documento',
  'the IP is on a list': 'o IP está em uma lista',
  'the device is on a list': 'o aparelho está em uma lista',
  'the player or the document is on the review list': 'o jogador ou o documento está na lista de revisão',
  'the PIX key is on the review list': 'a chave PIX está na lista de revisão',
  'it is above the limits of the VIP tier': 'passa dos limites da faixa VIP',
  'the operation used up its automatic cap for the hour or the day':
    'a operação esgotou o seu limite automático da hora ou do dia',
  'it is outside the automatic hours': 'está fora do horário automático',
  'two people must approve': 'duas pessoas precisam aprovar',
  'several amounts lie just under the reporting threshold': 'vários valores ficam logo abaixo do limiar de comunicação',
  'similar amounts were deposited shortly before, repeatedly':
    'valores semelhantes foram depositados pouco antes, repetidamente',
  'the operator reports no play although money was deposited':
    'o operador não relata jogo embora dinheiro tenha sido depositado',
  'a payer of this player also pays for other players': 'quem paga por este jogador também paga por outros',
  'many different people pay for this player': 'muitas pessoas diferentes pagam por este jogador',
  'the PIX key belongs to somebody else; ends it as `rejected`': 'a chave PIX é de outra pessoa; termina em `rejected`',
  'the player used another document before; ends it as `rejected`':
    'o jogador usou outro documento antes; termina em `rejected`',
  'the player or the document is on the block list; ends it as `rejected`':
    'o jogador ou o documento está na lista de bloqueio; termina em `rejected`',
  'the PIX key is on the block list; ends it as `rejected`':
    'a chave PIX está na lista de bloqueio; termina em `rejected`',
  'the player, the document or the PIX key is now on the block list; ends it as `cancelled`':
    'o jogador, o documento ou a chave PIX está agora na lista de bloqueio; termina em `cancelled`',

  parameter: 'parâmetro',
  required: 'obrigatório',
  what: 'o que é',
  example: 'exemplo',
  yes: 'sim',
  no: 'não',
  'A UTC day.': 'Um dia em UTC.',
  'ISO 4217 code, or crypto asset with network.': 'Código ISO 4217, ou criptoativo com a rede.',
  '`next_cursor` of the previous page; opaque.': '`next_cursor` da página anterior; opaco.',
  '1 to 200, default 50': '1 a 200, padrão 50',
};

/** With the texts of verdicts, which have a table of their own. */
const PORTUGUESE: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CELLS),
  ...(Object.keys(VERDICTS) as Verdict[]).flatMap((verdict): [string, string][] => {
    const [english, portuguese] = [VERDICTS[verdict], PORTUGUESE_VERDICTS[verdict]];
    return [
      [english.title, portuguese.title],
      [`\`${verdict}\`: ${english.title}`, `\`${verdict}\`: ${portuguese.title}`],
      [`${english.meaning} ${english.next}`, `${portuguese.meaning} ${portuguese.next}`],
    ];
  }),
  ...KINDS.map((kind): [string, string] => [ENDPOINT_KINDS[kind], PORTUGUESE_KINDS[kind]]),
]);

const LINES = '<br>';
const isRow = (line: string) => line.startsWith('| ') && !/^[|\s-]+$/.test(line);
const partsOf = (row: string) => row.split('|').map((cell) => cell.trim().split(LINES));
const isTranslated = (part: string) => PORTUGUESE.has(part) || IS_NO_TEXT.test(part);

/** The cells of a generated table that nobody has translated. */
export function untranslatedCells(table: string): readonly string[] {
  const parts = table.split('\n').filter(isRow).flatMap(partsOf).flat();
  return parts.filter((part) => !isTranslated(part));
}

/** A generated table; cells that nobody has translated stay as they are. */
export function tableInPortuguese(table: string): string {
  const line = (row: string) =>
    partsOf(row)
      .map((parts) => parts.map((part) => PORTUGUESE.get(part) ?? part).join(LINES))
      .join(' | ')
      .trim();
  return table
    .split('\n')
    .map((row) => (isRow(row) ? line(row) : row))
    .join('\n');
}
