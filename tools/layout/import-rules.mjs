// The import rules as dependency-cruiser reads them, generated from the table of folders.
import { FOLDERS, PRODUCT_FOLDERS } from './folders.mjs';

/** @typedef {import('dependency-cruiser').IForbiddenRuleType & { name: string, comment: string }} Rule */

/** What is cruised: every top-level folder of the table. */
export const CRUISED = [...new Set(Object.keys(FOLDERS).map((folder) => folder.split('/')[0] ?? ''))];

/**
 * A pattern for the files of a folder without the nested folders that have their own entry.
 * @param {string} folder
 */
function filesOf(folder) {
  const nested = Object.keys(FOLDERS).filter((other) => other.startsWith(`${folder}/`));
  const inner = nested.map((other) => `${other.slice(folder.length + 1)}/`).join('|');
  return `^${folder}/${inner === '' ? '' : `(?!${inner})`}`;
}

const OURS = CRUISED.map((folder) => `^${folder}/`);
const PRODUCT_FILES = PRODUCT_FOLDERS.map(filesOf);

/**
 * One rule per folder.
 * @type {readonly Rule[]}
 */
export const FOLDER_RULES = Object.entries(FOLDERS).map(([folder, { mayImport, typesOf = [], because }]) => ({
  name: folder,
  comment: because,
  severity: 'error',
  from: { path: filesOf(folder) },
  to: { path: OURS, pathNot: [folder, ...mayImport, ...typesOf].map(filesOf) },
}));

/** @type {readonly Rule[]} */
const TYPE_RULES = Object.entries(FOLDERS).flatMap(([folder, { typesOf = [], because }]) =>
  typesOf.map((other) => ({
    name: `${folder}: only types of ${other}`,
    comment: because,
    severity: 'error',
    from: { path: filesOf(folder) },
    to: { path: filesOf(other), dependencyTypesNot: ['type-only'] },
  })),
);

/** Files of the store without which nobody acts: transactions, the audit trail, stored acts, and the rows of keys. */
const ACT_FILES = ['transactions', 'audit/audit', 'audit/sealing', 'staff/acts', 'sealing/data-keys'].map(
  (file) => `^store/${file}\\.ts$`,
);

/**
 * The rules that are not about one folder.
 * @type {readonly Rule[]}
 */
export const OTHER_RULES = [
  ...TYPE_RULES,
  {
    name: 'no circles',
    comment: 'files that import each other cannot be understood, tested or moved one at a time; types count too',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'workflows: no Node built-ins',
    comment: 'they do not exist where workflow code runs',
    severity: 'error',
    from: { path: filesOf('workflows') },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'cli: acts are in staff/',
    comment: 'what changes something asks for permission and leaves an audit entry, whichever front it is called from',
    severity: 'error',
    from: { path: filesOf('cli') },
    to: { path: ACT_FILES, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'product: no development packages',
    comment: 'a deployment installs "dependencies" only',
    severity: 'error',
    from: { path: PRODUCT_FILES },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'only packages of package.json',
    comment: 'a package that another one happens to install can disappear with its next version',
    severity: 'error',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'everything resolves',
    comment: 'an import of nothing fails at run time',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
];

/**
 * The whole configuration.
 * @type {import('dependency-cruiser').IConfiguration}
 */
export const CONFIGURATION = {
  forbidden: [...FOLDER_RULES, ...OTHER_RULES],
  options: {
    tsPreCompilationDeps: true,
    // The lab has packages of its own, and uses those of the whole.
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', '^prisma/generated/'] },
    exclude: { path: ['^(dist|var|coverage)/'] },
    moduleSystems: ['es6'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      // What is on the disk does not change meanwhile: by default it is asked again every four seconds.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
    // Who depends on a file is asked by no rule.
    skipAnalysisNotInRules: true,
  },
};
