// The options that name the folders of an authority.
export const AUTHORITY_OPTION = ['--authority <folder>', 'the folder of the certificate authority'] as const;
export const PUBLISH_OPTION = [
  '--publish <folder>',
  "also write the authority's certificate and the revocation list here, where the TLS edge reads them",
] as const;
