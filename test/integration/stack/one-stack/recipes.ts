// The recipes (docs/recipes.md), run against the whole gateway: each block is a program, after the introduction of its
// language.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { projectRoot } from '../../../../platform/config/project-root.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';

const TIMEOUT_MS = 90_000;
const CLIENT = pathToFileURL(join(projectRoot(), 'dist', 'client', 'index.js')).href;
const sections = readFileSync(join(projectRoot(), 'docs', 'recipes.md'), 'utf8').split(/^## /m);
const blocksOf = (section: string, language: string) =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);

export const recipeTests = (openStack: OpenStack) =>
  describe('the recipes, run against the whole gateway', function () {
    this.timeout(TIMEOUT_MS);
    let stack: Stack;
    before(async () => {
      stack = await openStack();
    });
    after(() => stack?.close());

    const run = async (program: string, file: string, code: string) => {
      const path = join(stack.folder, file);
      writeFileSync(path, code);
      const { key_id: keyId, secret, webhook_secret: webhookSecret } = stack.operation;
      await promisify(execFile)(program, [path], {
        timeout: TIMEOUT_MS,
        env: {
          ...process.env,
          BASE_URL: stack.baseUrl,
          KEY_ID: keyId,
          SECRET: secret,
          WEBHOOK_SECRET: webhookSecret,
          PYTHONPATH: join(projectRoot(), 'client', 'python'),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      });
    };
    const [introduction = '', ...recipes] = sections;

    it('begin in both languages, and there are at least ten', () => {
      for (const language of ['python', 'ts']) assert.equal(blocksOf(introduction, language).length, 1);
      assert.ok(recipes.length >= 10);
    });

    for (const recipe of recipes) {
      const title = recipe.split('\n', 1)[0] ?? '';

      it(`${title}: Python`, async function () {
        if (spawnSync('python3', ['--version']).status !== 0) {
          process.stderr.write('skipped: there is no python3 on this machine\n');
          this.skip();
        }
        const blocks = blocksOf(recipe, 'python');
        assert.equal(blocks.length, 1);
        await run('python3', 'recipe.py', [...blocksOf(introduction, 'python'), ...blocks].join('\n'));
      });

      it(`${title}: TypeScript`, async () => {
        const blocks = blocksOf(recipe, 'ts');
        assert.equal(blocks.length, 1);
        const program = [...blocksOf(introduction, 'ts'), ...blocks, 'await gateway.close();'].join('\n');
        const { code } = await transform(program.replace('../client/index.js', CLIENT), {
          loader: 'ts',
          format: 'esm',
        });
        await run(process.execPath, 'recipe.mjs', code);
      });
    }
  });
