import { createAuthEndpoint, sensitiveSessionMiddleware, setPassword } from 'better-auth/api'
import { z } from 'zod'

/**
 * `POST /set-password`: a signed-in person who has no password chooses one. The library can do this, and has no route for
 * it. A person who has a password changes it with the old one.
 */
export const firstPassword = () => ({
  id: 'first-password' as const,
  endpoints: {
    setFirstPassword: createAuthEndpoint(
      '/set-password',
      { method: 'POST', body: z.object({ newPassword: z.string() }), use: [sensitiveSessionMiddleware] },
      async ({ body, context, headers, json }) => json(await setPassword({ body, context, headers })),
    ),
  },
})
