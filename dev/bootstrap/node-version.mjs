// Refuses a Node that is too old, before any syntax or module that it could not read.
// Written in plain old JavaScript on purpose: it must load on every Node.

const MINIMUM = [20, 19];

/**
 * Whether `version` ("20.19.3") is new enough.
 * @param {string} version
 * @returns {boolean}
 */
export function isSupportedNode(version) {
  const parts = version.split('.').map(Number);
  return parts[0] > MINIMUM[0] || (parts[0] === MINIMUM[0] && parts[1] >= MINIMUM[1]);
}

/** Ends the process with one clear line when this Node is too old. */
export function requireSupportedNode() {
  if (isSupportedNode(process.versions.node)) return;
  process.stderr.write(`Node ${MINIMUM.join('.')} or later is needed; this is ${process.versions.node} (${process.execPath}).\n`);
  process.exit(1);
}
