// The people of the sandbox's panel, made by the `gateway` command.
import { z } from 'zod';

export const accountSchema = z.object({ handle: z.string(), roles: z.array(z.string()), link: z.string() });
export type PanelAccount = z.output<typeof accountSchema>;

const answerSchema = z.object({ accounts: z.array(accountSchema) });

/** The people, each with a new link; or what went wrong, for a person. */
export async function demoPeople(
  gateway: (args: string[]) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>,
): Promise<PanelAccount[] | string> {
  const { code, stdout, stderr } = await gateway(['staff', 'demo']);
  if (code !== 0) return stderr.trim();
  return answerSchema.parse(JSON.parse(stdout)).accounts;
}
