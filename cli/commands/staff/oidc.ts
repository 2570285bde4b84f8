// `gateway staff oidc set|remove`: which account of the company's identity provider signs a person in.
import type { Command } from 'commander';
import { actorOf } from '../../actor.js';
import { answer, type CommandContext, type Registrar } from '../../context.js';
import { examples, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { noSuchPerson, notPermitted, withStaff } from './people.js';

interface Options {
  readonly as?: string;
}

export function registerOidc(staff: Command, run: Registrar): void {
  const oidc = staff.command('oidc').description('Say which account of the identity provider signs a person in');
  oidc
    .command('set')
    .summary('Let an account of the identity provider sign a person in')
    .description(
      'From now on this account of the identity provider (PANEL_OIDC_ISSUER) signs the person in to the panel, and no ' +
        'other. Sessions that another one began end. It is in the audit trail.\n\n' +
        'The subject is what the provider calls the person in the claim PANEL_OIDC_SUBJECT_CLAIM. Whoever signs in ' +
        'without being anybody here is shown theirs.',
    )
    .argument('<handle>', 'the person')
    .argument('<subject>', 'what the identity provider calls the person')
    .addOption(personOption('who says so'))
    .addHelpText('after', examples('staff oidc set ben.lima 248289761001 --as ana.souza'))
    .action(run(setAccount));
  oidc
    .command('remove')
    .summary('Let no account of the identity provider sign a person in')
    .description(
      'Unlink the account: nobody signs in by it any more, and the sessions that it began end. The audit trail has it.',
    )
    .argument('<handle>', 'the person')
    .addOption(personOption('who says so'))
    .addHelpText('after', examples('staff oidc remove ben.lima --as ana.souza'))
    .action(run(removeAccount));
}

async function setAccount(context: CommandContext, handle: string, subject: string, options: Options) {
  const [{ readIdentityProvider }, { isSubject }] = await Promise.all([
    import('../../../platform/config/cli.js'),
    import('../../../staff/acts/identity-provider.js'),
  ]);
  const { PANEL_OIDC_ISSUER: issuer } = readIdentityProvider(context.environment);
  if (issuer === undefined) throw badInput('PANEL_OIDC_ISSUER', 'must name the identity provider, as for the panel');
  if (!isSubject(subject)) throw badInput('SUBJECT', 'must be 1 to 255 characters on one line');
  const actor = await actorOf(context, options.as);
  const { giveOidcAccount } = await import('../../../staff/acts/people.js');
  const given = await withStaff(context, (services) => giveOidcAccount(services, actor, handle, { issuer, subject }));
  switch (given.kind) {
    case 'requested':
      return answer({ handle, issuer, subject, set: false, requests: [given.request] });
    case 'changed':
    case 'unchanged':
      return answer({ handle, issuer, subject, set: given.kind === 'changed' });
    case 'held':
      throw refused(`${given.by}: is signed in by this account`);
    case 'no_such_person':
      throw noSuchPerson(handle);
    case 'not_permitted':
      throw notPermitted();
  }
}

async function removeAccount(context: CommandContext, handle: string, options: Options) {
  const actor = await actorOf(context, options.as);
  const { takeOidcAccount } = await import('../../../staff/acts/people.js');
  const taken = await context.withDatabase((database) => takeOidcAccount(database, actor, handle));
  switch (taken.kind) {
    case 'changed':
    case 'unchanged':
      return answer({ handle, removed: taken.kind === 'changed' });
    case 'no_such_person':
      throw noSuchPerson(handle);
    case 'not_permitted':
      throw notPermitted();
  }
}
