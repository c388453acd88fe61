import { isOpenaiPath } from '../../http/openai-error.js'
import { member, type Route } from '../route.js'
import { routes } from '../routes.js'
import { changeAccount } from './change-account.js'
import { createDraftSessionToken } from './create-draft-session-token.js'
import { createInvitedPerson } from './create-invited-person.js'
import { createKey } from './create-key.js'
import { getDashboardDocument } from './get-dashboard-document.js'
import { getInvitation } from './get-invitation.js'
import { getSignedIn } from './get-signed-in.js'
import { getStaticFile } from './get-static-file.js'
import { listAuditLog } from './list-audit-log.js'
import { listIdentityProviders } from './list-identity-providers.js'
import { listKeys } from './list-keys.js'
import { listTurns } from './list-turns.js'
import { readAccount } from './read-account.js'
import { revokeKey } from './revoke-key.js'

/**
 * A route that takes a key, for signed-in members of the workspace. Routes for the clients of OpenAI and for other pages have no use
 * there.
 */
const forMembers = (route: Route): Route[] =>
  route.authentication.kind === 'key' && !isOpenaiPath(route.path) && !route.isUndocumented
    ? [
        {
          ...route,
          path: `/dashboard/api${route.path}`,
          authentication: member('member', route.authentication.capability),
        },
      ]
    : []

/** The routes of the dashboard. They are not part of the public API, and change with the dashboard. */
export const dashboardRoutes: readonly Route[] = [
  readAccount,
  changeAccount,
  listIdentityProviders,
  getSignedIn,
  getInvitation,
  createInvitedPerson,
  listKeys,
  createKey,
  revokeKey,
  listAuditLog,
  createDraftSessionToken,
  listTurns,
  getDashboardDocument,
  getStaticFile,
  ...routes.flatMap(forMembers),
]
