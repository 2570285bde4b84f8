// The definition of a route of the panel. The table in routes.ts feeds the server, its check of roles, the page's
// client and the tests. Nothing in this folder may need Node: the browser imports it.
import type { z } from 'zod';
import { PERMISSIONS, ROLES, type StaffActKind, type StaffRole } from '../../domain/staff.js';
import type { PanelErrorCode } from './errors.js';

/** Every path of the panel's interface begins with it; every other path is the page. */
export const PANEL_API = '/api';

/**
 * With the value `1`: the page asks by itself, and nobody may be there. The session is checked and not extended, so
 * that an open page does not keep somebody signed in.
 */
export const AUTOMATIC_HEADER = 'Panel-Automatic';

/** What a route with the answer `file` sends, as it is read. */
export interface FileAnswer {
  readonly name: string;
  readonly type: 'text/csv' | 'application/json';
  readonly text: AsyncIterable<string>;
}

export interface PanelRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `PANEL_API`, parameters as `:id`. */
  readonly path: `/${string}`;
  /**
   * `public`: before a session begins. `signed_in`: everyone with a session. Otherwise one of these roles is enough,
   * and only in the operations where it is held: what belongs to another one does not exist.
   */
  readonly who: 'public' | 'signed_in' | readonly [StaffRole, ...StaffRole[]];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Absent if the request has no body. */
  readonly body?: z.ZodType;
  /**
   * What a success answers. The server sends nothing that is not in it. `events`: a stream of server-sent events;
   * `file`: a file to keep.
   */
  readonly answer: z.ZodType | 'events' | 'file';
  /** The codes in addition to those that every route can answer. */
  readonly errors: readonly PanelErrorCode[];
}

/** People who may do one of these acts in some operation; the act itself is checked again. */
export function actors(...kinds: [StaffActKind, ...StaffActKind[]]): readonly [StaffRole, ...StaffRole[]] {
  const roles = ROLES.filter((role) => kinds.some((kind) => PERMISSIONS[kind].some((held) => held === role)));
  return roles as unknown as readonly [StaffRole, ...StaffRole[]];
}
