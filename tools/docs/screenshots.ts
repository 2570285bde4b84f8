// Takes the pictures of docs/ from a running stack: `npm start -- --no-demo` in one terminal, then `npm run
// screenshots`. `npm run screenshots panel` or `temporal` takes only those. Chromium is found or fetched.
import { chromium } from 'playwright-core';
import { chromiumLaunch } from '../servers/chromium.js';
import { shootPanel } from './screenshots/panel.js';
import { shootTemporal } from './screenshots/temporal.js';

const PICTURES = { panel: shootPanel, temporal: shootTemporal } as const;

const [only] = process.argv.slice(2);
const browser = await chromium.launch(await chromiumLaunch(process.env));
for (const [name, shoot] of Object.entries(PICTURES)) if (only === undefined || only === name) await shoot(browser);
await browser.close();
process.exit(0);
