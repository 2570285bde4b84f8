// A generator of `prisma generate`: writes the models of prisma/schema.prisma as JSON, for tools/schema/compare.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import generatorHelper from '@prisma/generator-helper';

generatorHelper.generatorHandler({
  onManifest: () => ({ prettyName: 'datamodel', defaultOutput: './generated/datamodel.json' }),
  onGenerate: async ({ dmmf, datamodel: schema, generator }) => {
    const file = generator.output?.value;
    if (!file) throw new Error('the datamodel generator has no output');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ schema, datamodel: dmmf.datamodel }));
  },
});
