// Applies the migrations of prisma/migrations to DATABASE_URL: `node dist/prisma/main.js`, before a new release starts.
import { join } from 'node:path';
import { z } from 'zod';
import { readEnvironment, sharedSchema } from '../config/environment.js';
import { projectRoot } from '../config/project-root.js';
import { deployMigrations } from './deploy.js';

const { DATABASE_URL } = readEnvironment(z.object({ DATABASE_URL: sharedSchema.shape.DATABASE_URL }), process.env);
const applied = await deployMigrations(DATABASE_URL, join(projectRoot(), 'prisma', 'migrations'));
process.stdout.write(`${JSON.stringify({ applied })}\n`);
