// The sealing keys of each process of a stack: those of its purposes, as in production, and no others.
import { ALL_TASK_QUEUES } from '../../contract/temporal/workers.js';
import { DEVELOPMENT_KEY_MARK } from '../../platform/config/production.js';
import { wholeKeysSchema } from '../../platform/config/secrets.js';
import { type KeyPurpose, keyVariables, PURPOSES_OF, purposesOfQueues } from '../../store/sealing/keys.js';
import type { ProgramName } from '../servers/programs.js';

type Environment = Readonly<Record<string, string>>;

/** Empty where the keys come from a vault or a file. A program that seals nothing is given none. */
export function ownKeys(program: ProgramName, environment: Environment): Environment {
  const { GATEWAY_SEALING_KEYS: keys = '', GATEWAY_KEY_PROVIDER: provider = 'environment' } = environment;
  if (provider !== 'environment') return {};
  const none = { GATEWAY_SEALING_KEYS: '', GATEWAY_HASH_KEY: '' };
  const purposes = purposesOfProgram(program, environment);
  if (purposes.length === 0) return none;
  const { whole, hashKey } = wholeKeysSchema(provider).parse(environment);
  const mark = keys.startsWith(DEVELOPMENT_KEY_MARK) ? DEVELOPMENT_KEY_MARK : '';
  return { ...none, ...keyVariables(purposes, whole, hashKey, mark) };
}

function purposesOfProgram(program: ProgramName, { WORKER_TASK_QUEUES: queues }: Environment): readonly KeyPurpose[] {
  switch (program) {
    case 'api':
    case 'ingress':
    case 'panel':
      return PURPOSES_OF[program];
    case 'worker':
      return purposesOfQueues(queues?.split(',') ?? ALL_TASK_QUEUES);
    case 'sandbox/simulator':
    case 'sandbox/demo-operator':
    case 'lab/bench/baseline':
      return [];
  }
}
