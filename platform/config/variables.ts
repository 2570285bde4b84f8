// Which variables each process reads, taken from the schemas. docker-compose.yml must pass on all of them.
import { z } from 'zod';
import { alertTargetsVariables } from './alert-targets.js';
import { apiSchema } from './api.js';
import { auditSchema } from './audit.js';
import { commandServerSchema } from './command-server.js';
import { demoOperatorSchema, demoPlacesSchema } from './demo-operator.js';
import { ingressSchema } from './ingress.js';
import { panelSchema } from './panel.js';
import {
  accountDialectsSchema,
  accountLimitsSchema,
  callbacksSchema,
  providersSchema,
  steeringSchema,
} from './providers.js';
import { SOURCES } from './secrets.js';
import { SECRET_VARIABLES } from './secret-files.js';
import { simulatorSchema } from './simulator.js';
import { temporalSchema } from './temporal.js';
import { TRACING_VARIABLES } from './tracing.js';
import { workerSchema } from './worker.js';

/** The variables of a schema: of an object, or of the object that a transformation begins with. */
function variablesOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return variablesOf(schema.in as z.ZodType);
  throw new Error('a configuration schema begins with an object');
}

const keys = ['GATEWAY_KEY_PROVIDER', ...Object.values(SOURCES).flatMap(variablesOf)];
const temporal = variablesOf(temporalSchema);
const tracing = Object.keys(TRACING_VARIABLES);

/**
 * By the program that reads them. A secret X may be given as X_FILE instead, and the database's password beside its
 * URL.
 */
export const PROCESS_VARIABLES: Readonly<
  Record<
    | 'api'
    | 'ingress'
    | 'panel'
    | 'command'
    | 'worker'
    | 'sandbox/simulator'
    | 'sandbox/demo-operator'
    | 'sandbox/prepare',
    readonly string[]
  >
> = {
  api: [
    ...variablesOf(apiSchema),
    ...temporal,
    ...keys,
    ...variablesOf(steeringSchema),
    ...variablesOf(accountDialectsSchema),
    ...variablesOf(accountLimitsSchema),
    ...tracing,
  ],
  ingress: [...variablesOf(ingressSchema), ...temporal, ...keys, ...variablesOf(callbacksSchema), ...tracing],
  panel: [...variablesOf(panelSchema), ...temporal, ...keys, ...tracing],
  command: [...variablesOf(commandServerSchema), ...temporal, ...keys],
  worker: [
    ...variablesOf(workerSchema),
    ...temporal,
    ...keys,
    ...variablesOf(auditSchema),
    ...variablesOf(providersSchema),
    ...variablesOf(alertTargetsVariables),
    ...tracing,
  ],
  'sandbox/simulator': [...variablesOf(simulatorSchema), ...tracing],
  'sandbox/demo-operator': variablesOf(demoOperatorSchema),
  'sandbox/prepare': variablesOf(demoPlacesSchema),
};

/** The variable that names the file of a secret; the variable itself where it is none. */
export const fileVariable = (variable: string) => (SECRET_VARIABLES.test(variable) ? `${variable}_FILE` : variable);
