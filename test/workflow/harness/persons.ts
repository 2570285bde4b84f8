// The personal data that test payments carry, sealed. No history may show any of it.

export const PLANTED = {
  document: '52998224725',
  name: 'Maria Plantada da Silva',
  email: 'maria.plantada@example.test',
  ip: '203.0.113.77',
  pixKey: 'chave.plantada@example.test',
  otherDocument: '11144477735',
  otherName: 'Joao Outro Plantado',
} as const;

export const PLAYER = {
  external_ref: 'player-1',
  document: { type: 'CPF', number: PLANTED.document, country: 'BR' },
  name: PLANTED.name,
  email: PLANTED.email,
  ip: PLANTED.ip,
} as const;
