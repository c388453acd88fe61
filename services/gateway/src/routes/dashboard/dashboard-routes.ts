import { isOpenaiPath } from '../../http/error-response.js'
import { findNaturalVoice } from '../pages/find-natural-voice.js'
import { findRecognizer } from '../pages/find-recognizer.js'
import { installOfferedModel } from '../pages/install-offered-model.js'
import { type Authentication, member, type Route } from '../route.js'
import { routes } from '../routes.js'
import { addPhoneNumber } from './add-phone-number.js'
import { changeAccount } from './change-account.js'
import { createDraftSessionToken } from './create-draft-session-token.js'
import { createInvitedPerson } from './create-invited-person.js'
import { createKey } from './create-key.js'
import { createProvider } from './create-provider.js'
import { deletePhoneNumber } from './delete-phone-number.js'
import { deleteProvider } from './delete-provider.js'
import { endLiveSession } from './end-live-session.js'
import { getAnalysis } from './get-analysis.js'
import { getDashboardDocument } from './get-dashboard-document.js'
import { getEvaluation } from './get-evaluation.js'
import { getInvitation } from './get-invitation.js'
import { getOverview } from './get-overview.js'
import { getRecording } from './get-recording.js'
import { getRecordingAudio } from './get-recording-audio.js'
import { getRecordingSettings } from './get-recording-settings.js'
import { getSessionProgress } from './get-session-progress.js'
import { getSettings } from './get-settings.js'
import { getSignedIn } from './get-signed-in.js'
import { getStaticFile } from './get-static-file.js'
import { grantCredit } from './grant-credit.js'
import { installModel } from './install-model.js'
import { judgeSession } from './judge-session.js'
import { listAuditLog } from './list-audit-log.js'
import { listConversations } from './list-conversations.js'
import { listIdentityProviders } from './list-identity-providers.js'
import { listInstallableModels } from './list-installable-models.js'
import { listInstalledModels } from './list-installed-models.js'
import { listKeys } from './list-keys.js'
import { listModelServers } from './list-model-servers.js'
import { listPhoneNumbers } from './list-phone-numbers.js'
import { listProviderModels } from './list-provider-models.js'
import { listProviders } from './list-providers.js'
import { listToolCalls } from './list-tool-calls.js'
import { listTurns } from './list-turns.js'
import { listWorkspaces } from './list-workspaces.js'
import { listenToSession } from './listen-to-session.js'
import { putEvaluation } from './put-evaluation.js'
import { putRecordingSettings } from './put-recording-settings.js'
import { readAccount } from './read-account.js'
import { removeModel } from './remove-model.js'
import { renameWorkspace } from './rename-workspace.js'
import { revokeKey } from './revoke-key.js'
import { testProvider } from './test-provider.js'
import { testTool } from './test-tool.js'
import { updateWorkspace } from './update-workspace.js'

/** A route that pages of the gateway call with a key, for members. */
const forMembers = ({ isUndocumented: _, ...route }: Route, authentication: Authentication): Route => ({
  ...route,
  path: `/dashboard/api${route.path}`,
  authentication,
})

/**
 * The routes for models that the pages offer. Members see the command that installs a model; Owners and Admins may install
 * it.
 */
const offeredModels: readonly Route[] = [
  forMembers(findNaturalVoice, member('member', 'tts')),
  forMembers(findRecognizer, member('member', 'agents')),
  forMembers(installOfferedModel, member('admin')),
]

/** The routes that take a key, except those for OpenAI's clients and for other pages. */
const publicRoutes = routes.flatMap((route) =>
  route.authentication.kind === 'key' && !isOpenaiPath(route.path) && !route.isUndocumented
    ? [forMembers(route, member('member', route.authentication.capability))]
    : [],
)

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
  getSettings,
  renameWorkspace,
  listAuditLog,
  createDraftSessionToken,
  getOverview,
  listConversations,
  listTurns,
  listToolCalls,
  getSessionProgress,
  endLiveSession,
  judgeSession,
  listenToSession,
  listProviders,
  createProvider,
  testProvider,
  listProviderModels,
  listModelServers,
  deleteProvider,
  listPhoneNumbers,
  addPhoneNumber,
  deletePhoneNumber,
  listWorkspaces,
  updateWorkspace,
  grantCredit,
  ...offeredModels,
  getAnalysis,
  getEvaluation,
  putEvaluation,
  testTool,
  listInstalledModels,
  listInstallableModels,
  installModel,
  removeModel,
  getRecording,
  getRecordingAudio,
  getRecordingSettings,
  putRecordingSettings,
  getDashboardDocument,
  getStaticFile,
  ...publicRoutes,
]
