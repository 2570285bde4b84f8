// `gateway staff link|demo`: one-time links into the panel of a sandbox.
import type { Command } from 'commander';
import { actorOf } from '../../actor.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { examples, personOption } from '../../options.js';
import { refused } from '../../problem.js';
import { noSuchPerson, notPermitted, withStaff } from './people.js';

export function registerLinks(staff: Command, run: Registrar): void {
  staff
    .command('link')
    .summary('Print a one-time link into the panel (sandbox)')
    .description(
      'Print a link that signs a person in to the panel once, within a day. Links and codes that were given before ' +
        'are void. Only a sandbox accepts links.',
    )
    .argument('<handle>', 'the person')
    .addOption(personOption('who asks for it'))
    .addHelpText('after', examples('staff link rita.demo'))
    .action(run((context, handle: string, options: { as?: string }) => link(context, handle, options.as)));
  staff
    .command('demo')
    .summary('Make the sandbox’s three people and print a link for each (sandbox)')
    .description(
      'Make the three people of a sandbox and print a one-time link into the panel for each: one who reviews, manages ' +
        'risk and administers, one who reviews, manages risk and approves, and an auditor. Whoever is there already ' +
        'keeps their roles and gets a new link.',
    )
    .addHelpText('after', examples('staff demo'))
    .action(run(demo));
}

async function link(context: CommandContext, handle: string, name: string | undefined) {
  const panelUrl = await panelUrlOf(context);
  const actor = await actorOf(context, name);
  const [{ newSignInCode }, { SANDBOX_LINK_MINUTES }] = await Promise.all([
    import('../../../staff/acts/people.js'),
    import('../../../domain/staff.js'),
  ]);
  const issued = await withStaff(context, (services) => newSignInCode(services, actor, handle, SANDBOX_LINK_MINUTES));
  switch (issued.kind) {
    case 'issued':
      return answer({ handle, link: linkOf(panelUrl, issued.code), expires_at: issued.expiresAt });
    case 'requested':
    case 'has_passkey':
      throw refused('a link proves too little in production; use "staff code"');
    case 'no_such_person':
      throw noSuchPerson(handle);
    case 'not_permitted':
      throw notPermitted();
  }
}

async function demo(context: CommandContext) {
  const panelUrl = await panelUrlOf(context);
  const { ensureDemoPeople } = await import('../../../staff/acts/demo-people.js');
  const people = await context.withDatabase((database) => ensureDemoPeople(database, 'sandbox'));
  const accounts = people.map(({ handle, roles, code }) => ({ handle, roles, link: linkOf(panelUrl, code) }));
  return answer({ panel_url: panelUrl, accounts });
}

/** The code follows `#`: browsers do not send that part to servers. */
function linkOf(panelUrl: string, code: string): string {
  return `${panelUrl}/sign-in#${code}`;
}

async function panelUrlOf({ environment }: CommandContext): Promise<string> {
  const { readPanelPlace } = await import('../../../platform/config/cli.js');
  const { PANEL_URL, GATEWAY_ENVIRONMENT } = readPanelPlace(environment);
  if (GATEWAY_ENVIRONMENT === 'production') throw refused('a link proves too little in production; use "staff code"');
  return PANEL_URL;
}
