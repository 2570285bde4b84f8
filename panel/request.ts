// What the panel's middleware shares about a request (`context.state`), and what a handler gets.
import type Koa from 'koa';
import type { Answering, Asked, PanelRouteName } from '../contract/panel/routes.js';
import type { PANEL_ROUTES } from '../contract/panel/routes.js';
import type { PanelErrorCode } from '../contract/panel/errors.js';
import type { LANGUAGES } from '../contract/panel/schemas/session.js';
import type { Viewer } from '../staff/viewer.js';
import type { StaffSession } from '../store/staff/sessions.js';
import type { Refusal } from './refusal.js';

export interface RequestState {
  /** 32 hex characters; sent as `Svc-Trace-Id` with every response. */
  traceId: string;
  /** The client's, in plain form. */
  address: string;
  /** Set by the matcher. */
  route: PanelRouteName | undefined;
  params: Readonly<Record<string, string>>;
  /** Set by the session step; undefined on public routes. */
  session: StaffSession | undefined;
  refused: PanelErrorCode | undefined;
}

export type RequestContext = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;

/** Every route that a handler answers. */
export type HandledRouteName = {
  [Name in PanelRouteName]: (typeof PANEL_ROUTES)[Name]['answer'] extends 'events' ? never : Name;
}[PanelRouteName];

/** A handler's request: signed in, permitted, parsed. */
export interface HandlerRequest<Name extends PanelRouteName> extends Asked<Name> {
  /** The person, with the operations in which one of their roles is enough for this route. */
  readonly viewer: Viewer;
  readonly session: StaffSession;
  readonly language: (typeof LANGUAGES)[number];
  readonly now: Date;
  /** Where the request came from, in plain form. */
  readonly address: string;
  /** Sets the cookie of a session, or (null) removes it. */
  setCookie(token: string | null): void;
  /** The values that the browser kept while it was at the identity provider. */
  readonly ticket: string | undefined;
  setTicket(ticket: string | null): void;
}

export type Handler<Name extends PanelRouteName> = (
  request: HandlerRequest<Name>,
) => Promise<Answering<Name> | Refusal>;

export type Handlers<Names extends HandledRouteName = HandledRouteName> = { readonly [Name in Names]: Handler<Name> };
