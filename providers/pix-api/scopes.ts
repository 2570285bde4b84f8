// The standard's scopes of what the gateway calls.

export const STANDARD_SCOPES = [
  'cob.write',
  'cob.read',
  'pix.write',
  'pix.read',
  'webhook.write',
  'webhook.read',
] as const;
