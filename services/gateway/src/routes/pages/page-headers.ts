import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

/**
 * Middleware that sets the security headers of a page: it may load files from the gateway and call the gateway, and nothing
 * else. `styleSource` names style elements of the page that are permitted too.
 */
export const pageHeaders = (styleSource: (res: Response) => string = () => ''): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", (_req, res) => styleSource(res as Response)],
        // The style sheet contains its icons.
        'img-src': ["'self'", 'data:'],
        // Audio from the API is played from memory.
        'font-src': ["'self'"],
        'media-src': ['blob:'],
        // This includes WebSockets to the same host.
        'connect-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    // The gateway does not terminate TLS, so it does not know whether TLS is used.
    strictTransportSecurity: false,
  })
