// Refuses a Node that is too old, before any syntax or module that it could not read.
// Written in plain old JavaScript on purpose: it must load on every Node.

const MINIMUM_MAJOR = 20;
const MINIMUM_MINOR = 19;

/**
 * Whether `version` ("20.19.3") is new enough.
 * @param {string} version
 * @returns {boolean}
 */
function isSupportedNode(version) {
  const parts = version.split('.');
  const major = Number(parts[0]);
  const minor = Number(parts[1]);
  return major > MINIMUM_MAJOR || (major === MINIMUM_MAJOR && minor >= MINIMUM_MINOR);
}

/** Ends the process with one clear line when this Node is too old. */
export function requireSupportedNode() {
  if (isSupportedNode(process.versions.node)) return;
  process.stderr.write(
    `Node ${MINIMUM_MAJOR}.${MINIMUM_MINOR} or later is needed; this is ${process.versions.node} ` +
      `(${process.execPath}).\n`,
  );
  process.exit(1);
}
