// Plays the demo against a sandbox in containers: a deposit and a withdrawal, from signed request to delivered webhook.
import { readFileSync } from 'node:fs';
import { readDemoPlaces } from '../../platform/config/demo-operator.js';
import { type DemoOptions, runDemo } from '../demo.js';
import { gatewayInProcess } from '../gateway-in-process.js';

const { DEMO_OPERATOR_SANDBOX_FILE, DEMO_OPERATOR_URL } = readDemoPlaces(process.env);
const sandbox = JSON.parse(readFileSync(DEMO_OPERATOR_SANDBOX_FILE, 'utf8')) as DemoOptions['sandbox'];
const { ok } = await runDemo({
  sandbox,
  demoOperatorUrl: DEMO_OPERATOR_URL,
  gateway: gatewayInProcess(process.env),
  print: (line) => process.stdout.write(`${line}\n`),
});
process.stdout.write(ok ? '\n✓ The demo ended as it should\n' : '\n✗ The demo did not end as it should\n');
process.exitCode = ok ? 0 : 1;
