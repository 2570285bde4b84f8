// The security headers of every answer: only the panel's own files run or load, no site may frame it, and it sends no
// referrer to other sites.
import { randomBytes } from 'node:crypto';
import type { Middleware } from '../request.js';

/** `nonce`: of the styles that the page's own code adds; null: there are none. */
export function contentSecurityPolicy(nonce: string | null): string {
  const styles = nonce === null ? "'self'" : `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

const HEADERS = {
  'Content-Security-Policy': contentSecurityPolicy(null),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-read=()',
  'X-Robots-Tag': 'noindex',
} as const;

const HTTPS_ONLY = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } as const;

export function securityHeaders(panelUrl: string): Middleware {
  const headers = panelUrl.startsWith('https:') ? { ...HEADERS, ...HTTPS_ONLY } : HEADERS;
  return async (context, next) => {
    context.set(headers);
    await next();
  };
}
