// Lint: rules that find mistakes, such as a forgotten `await`. Prettier owns the layout.
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { PRODUCT_FOLDERS } from './tools/layout/folders.mjs';

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'var/', 'coverage/', 'prisma/generated/', 'tools/**/*.cjs', '**/*.mjs'] },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: ['./tsconfig.json', './panel/web/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: false }],
      'no-debugger': 'error',
      'no-constant-binary-expression': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: PRODUCT_FOLDERS.map((folder) => `${folder}/**/*.ts`),
    ignores: ['**/main.ts', 'platform/config/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only main.ts files and platform/config read the environment; pass configuration as a value.',
        },
      ],
    },
  },
  {
    // The panel's page: hooks are called in order, and effects name what they depend on.
    files: ['panel/web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
    },
  },
);
