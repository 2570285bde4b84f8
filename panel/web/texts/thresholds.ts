// Texts of the thresholds in force, of trying others, and of proposing them.
import { counted } from './language.js';

const ptBr = {
  source: 'De onde vem',
  sources: { rules: 'regras da operação', engine: 'configuração do gateway', default: 'padrão' },
  engine: 'Limiares do próprio gateway',
  off: 'desligado',
  none: 'nenhum',
  values: { wait: 'espera o horário', review: 'vai para revisão' } as Readonly<Record<string, string>>,
  parts: {
    autoSuspended: 'Saques automáticos parados',
    autoHoursPolicy: 'Fora do horário automático',
    dualApprovalReasons: 'Motivos que pedem duas pessoas',
    windows: 'Saques',
    depositWindows: 'Depósitos',
    day: 'no dia',
    d7: 'em 7 dias',
    d30: 'em 30 dias',
    reviewMinor: 'revisão acima do valor',
    reviewCount: 'revisão acima de (vezes)',
    maxMinor: 'recusa acima do valor',
    maxCount: 'recusa acima de (vezes)',
    velocity: 'Saques seguidos',
    windowMinutes: 'janela (min)',
    reviewAbove: 'revisão acima de (vezes)',
    refuseAbove: 'recusa acima de (vezes)',
    maxDestinations30d: 'Chaves de destino em 30 dias',
    operationAutoCap: 'Teto automático da operação',
    perHourMinor: 'por hora',
    perDayMinor: 'por dia',
    vipTiers: 'Níveis VIP',
    maxPerWithdrawalMinor: 'por saque',
    maxPerDayMinor: 'por dia',
    structuring: 'Fracionamento',
    thresholdMinor: 'valor de comunicação',
    marginPercent: 'margem (%)',
    minCount: 'a partir de (vezes)',
    windowDays: 'janela (dias)',
    rapidTurnaround: 'Entra e sai',
    withinMinutes: 'dentro de (min)',
    similarityPercent: 'diferença até (%)',
    noPlayReview: 'Revisão de quem saca sem jogar',
    sharedPayerPlayers: 'Jogadores com o mesmo pagador',
    maxPayers30d: 'Pagadores em 30 dias',
    depositUnpaid: 'Cobranças não pagas',
  } as Readonly<Record<string, string>>,
  editor: 'Tentar e propor',
  editorText:
    'Mude valores e veja o que teria acontecido nos últimos 30 dias, contra o que pessoas decidiram. Nada muda: uma ' +
    'proposta vale depois que duas pessoas a aprovam.',
  empty: 'vazio: sem limite',
  from: 'das',
  to: 'às',
  try: 'Tentar nos últimos 30 dias',
  trying: 'Calculando…',
  propose: 'Propor a mudança',
  why: 'Por quê',
  nothing: 'Mude um valor primeiro.',
  freed: (payments: number, amount: string) =>
    `${counted(payments, 'caso que esperou passaria', 'casos que esperaram passariam')} sem revisão (${amount}).`,
  judged: (approved: number, refused: number, undecided: number) =>
    `Deles, pessoas tinham aprovado ${approved} e recusado ${refused}; ${undecided} ninguém decidiu.`,
  ways: {
    held: (payments: number, amount: string) =>
      `${counted(payments, 'pagamento que passou esperaria', 'pagamentos que passaram esperariam')} revisão (${amount}).`,
    newly_refused: (payments: number, amount: string) =>
      `${counted(payments, 'pagamento aceito seria recusado', 'pagamentos aceitos seriam recusados')} (${amount}).`,
    no_longer_refused: (payments: number, amount: string) =>
      `${counted(payments, 'pagamento recusado seria aceito', 'pagamentos recusados seriam aceitos')} (${amount}).`,
    delayed: (payments: number, amount: string) =>
      `${counted(payments, 'saque enviado na hora esperaria', 'saques enviados na hora esperariam')} o envio (${amount}).`,
    hastened: (payments: number, amount: string) =>
      `${counted(payments, 'saque que esperou sairia', 'saques que esperaram sairiam')} na hora (${amount}).`,
    to_two_people: (payments: number, amount: string) =>
      `${counted(payments, 'saque precisaria', 'saques precisariam')} de uma segunda pessoa (${amount}).`,
    from_two_people: (payments: number, amount: string) =>
      `${counted(payments, 'saque não precisaria mais', 'saques não precisariam mais')} de uma segunda pessoa (${amount}).`,
  },
  moreThresholds: 'Mais limiares: saques seguidos, janelas, tetos automáticos, lavagem de dinheiro',
  notTried:
    'Só não se tenta aqui qual jogador está em qual nível VIP: isso nomeia jogadores. Quem muda é gateway rules set.',
  eachAlone:
    'Cada decisão é tomada de novo sozinha, com o que se sabia na hora: somas e contagens não mudam porque outro ' +
    'pagamento teria ido por outro caminho.',
  same: 'Nenhum pagamento teria ido por outro caminho.',
  compared: (n: number) => `${counted(n, 'decisão comparada', 'decisões comparadas')}, desde`,
  cutOff: 'Há mais antigas: só as mais novas foram tentadas.',
  refusedOnes: 'Pessoas recusaram, e passariam:',
};

const en: typeof ptBr = {
  source: 'Where from',
  sources: { rules: 'rules of the operation', engine: 'configuration of the gateway', default: 'default' },
  engine: 'The gateway’s own thresholds',
  off: 'off',
  none: 'none',
  values: { wait: 'waits for the hours', review: 'goes to review' },
  parts: {
    autoSuspended: 'Automatic withdrawals stopped',
    autoHoursPolicy: 'Outside the automatic hours',
    dualApprovalReasons: 'Reasons that need two people',
    windows: 'Withdrawals',
    depositWindows: 'Deposits',
    day: 'in a day',
    d7: 'in 7 days',
    d30: 'in 30 days',
    reviewMinor: 'review above the amount',
    reviewCount: 'review above (times)',
    maxMinor: 'refused above the amount',
    maxCount: 'refused above (times)',
    velocity: 'Withdrawals in a row',
    windowMinutes: 'window (min)',
    reviewAbove: 'review above (times)',
    refuseAbove: 'refused above (times)',
    maxDestinations30d: 'Destination keys in 30 days',
    operationAutoCap: 'Automatic ceiling of the operation',
    perHourMinor: 'per hour',
    perDayMinor: 'per day',
    vipTiers: 'VIP tiers',
    maxPerWithdrawalMinor: 'per withdrawal',
    maxPerDayMinor: 'per day',
    structuring: 'Structuring',
    thresholdMinor: 'reporting threshold',
    marginPercent: 'margin (%)',
    minCount: 'from (times)',
    windowDays: 'window (days)',
    rapidTurnaround: 'In and out',
    withinMinutes: 'within (min)',
    similarityPercent: 'difference up to (%)',
    noPlayReview: 'Review of withdrawals without play',
    sharedPayerPlayers: 'Players with the same payer',
    maxPayers30d: 'Payers in 30 days',
    depositUnpaid: 'Unpaid charges',
  },
  editor: 'Try and propose',
  editorText:
    'Change values and see what would have happened in the last 30 days, against what people decided. Nothing changes: ' +
    'a proposal is in force once two people approve it.',
  empty: 'empty: no limit',
  from: 'from',
  to: 'to',
  try: 'Try on the last 30 days',
  trying: 'Computing…',
  propose: 'Propose the change',
  why: 'Why',
  nothing: 'Change a value first.',
  freed: (payments, amount) =>
    `${counted(payments, 'case that waited', 'cases that waited')} would pass without review (${amount}).`,
  judged: (approved, refused, undecided) =>
    `Of these, people had approved ${approved} and refused ${refused}; nobody decided ${undecided}.`,
  ways: {
    held: (payments, amount) =>
      `${counted(payments, 'payment that passed', 'payments that passed')} would wait for review (${amount}).`,
    newly_refused: (payments, amount) =>
      `${counted(payments, 'accepted payment', 'accepted payments')} would be refused (${amount}).`,
    no_longer_refused: (payments, amount) =>
      `${counted(payments, 'refused payment', 'refused payments')} would be accepted (${amount}).`,
    delayed: (payments, amount) =>
      `${counted(payments, 'withdrawal', 'withdrawals')} sent at once would wait to be sent (${amount}).`,
    hastened: (payments, amount) =>
      `${counted(payments, 'withdrawal that waited', 'withdrawals that waited')} would be sent at once (${amount}).`,
    to_two_people: (payments, amount) =>
      `${counted(payments, 'withdrawal', 'withdrawals')} would need a second person (${amount}).`,
    from_two_people: (payments, amount) =>
      `${counted(payments, 'withdrawal', 'withdrawals')} would not need a second person any more (${amount}).`,
  },
  moreThresholds: 'More thresholds: withdrawals in a row, windows, automatic ceilings, money laundering',
  notTried: 'Only which player has which VIP tier is not tried here: it names players. gateway rules set changes it.',
  eachAlone:
    'Each decision is made again alone, with what was known then: sums and counts do not change because another ' +
    'payment would have gone another way.',
  same: 'No payment would have gone another way.',
  compared: (n) => `${counted(n, 'decision compared', 'decisions compared')}, since`,
  cutOff: 'There are older ones: only the newest were tried.',
  refusedOnes: 'People refused, and these would pass:',
};

export const thresholdTexts = { 'pt-BR': ptBr, en };
