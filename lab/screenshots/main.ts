// Takes the pictures of docs/ from a running stack: `npm start -- --no-demo` in one terminal, then `npm run
// screenshots`. `npm run screenshots panel`, `temporal` or `conformance` takes only those; the last needs no stack.
// Chromium is found or fetched.
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { chromiumLaunch } from '../../tools/servers/chromium.js';

type Shoot = (browser: Browser) => Promise<void>;

/** Loaded when they are wanted: two of them read the running stack as they load. */
const PICTURES: Readonly<Record<string, () => Promise<Shoot>>> = {
  panel: async () => (await import('./panel.js')).shootPanel,
  temporal: async () => (await import('./temporal.js')).shootTemporal,
  conformance: async () => (await import('./conformance.js')).shootConformance,
};

const [only] = process.argv.slice(2);
const browser = await chromium.launch(await chromiumLaunch(process.env));
for (const [name, load] of Object.entries(PICTURES))
  if (only === undefined || only === name) await (await load())(browser);
await browser.close();
process.exit(0);
