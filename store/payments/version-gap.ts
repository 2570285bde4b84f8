// A transition whose predecessor is not stored yet: a retry may find it.

export class VersionGapError extends Error {
  override readonly name = 'VersionGap';
  constructor(id: string, version: number, storedVersion: number) {
    super(`${id}: version ${version} does not follow version ${storedVersion}`);
  }
}
