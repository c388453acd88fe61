import { createClientSecret, createRealtimeCall, hangUpRealtimeCall } from '../realtime/realtime-routes.js'
import { realtimeSocketRoute } from '../realtime/realtime-socket.js'
import { deleteSession } from './agent-sessions/delete-session.js'
import { getSession } from './agent-sessions/get-session.js'
import { giveFeedback } from './agent-sessions/give-feedback.js'
import { listMessages } from './agent-sessions/list-messages.js'
import { listSessions } from './agent-sessions/list-sessions.js'
import { createAgent } from './agents/create-agent.js'
import { deleteAgent } from './agents/delete-agent.js'
import { getAgent } from './agents/get-agent.js'
import { listAgents } from './agents/list-agents.js'
import { listPublications } from './agents/list-publications.js'
import { listRevisions } from './agents/list-revisions.js'
import { publishAgent } from './agents/publish-agent.js'
import { updateAgent } from './agents/update-agent.js'
import { getAvatarFile } from './catalog/get-avatar-file.js'
import { getModel } from './catalog/get-model.js'
import { getVoicePreview } from './catalog/get-voice-preview.js'
import { listAvatars } from './catalog/list-avatars.js'
import { listModels } from './catalog/list-models.js'
import { listVoices } from './catalog/list-voices.js'
import { getCredit } from './credit/get-credit.js'
import { getUsage } from './credit/get-usage.js'
import { deleteCalendar } from './end-users/delete-calendar.js'
import { deleteMemories } from './end-users/delete-memories.js'
import { getCalendar } from './end-users/get-calendar.js'
import { listMemories } from './end-users/list-memories.js'
import { readCalendarFeed } from './end-users/read-calendar-feed.js'
import { addKnowledgeFile } from './knowledge/add-knowledge-file.js'
import { deleteKnowledgeFile } from './knowledge/delete-knowledge-file.js'
import { getKnowledgeFile } from './knowledge/get-knowledge-file.js'
import { listKnowledgeFiles } from './knowledge/list-knowledge-files.js'
import { apiDocuments } from './pages/api-documents.js'
import { findNaturalVoice } from './pages/find-natural-voice.js'
import { findRecognizer } from './pages/find-recognizer.js'
import { installOfferedModel } from './pages/install-offered-model.js'
import { packages } from './pages/packages.js'
import { redirects } from './pages/redirects.js'
import { widget } from './pages/widget.js'
import type { Route } from './route.js'
import { connectSession } from './sessions/connect-session.js'
import { endSession } from './sessions/end-session.js'
import { getIceServers } from './sessions/get-ice-servers.js'
import { startSession } from './sessions/start-session.js'
import { updateSession } from './sessions/update-session.js'
import { listVoicesAsOpenWebui } from './speech/list-voices-as-open-webui.js'
import { listen } from './speech/listen.js'
import { streamSpeech } from './speech/stream-speech.js'
import { synthesize } from './speech/synthesize.js'
import { synthesizeAsOpenai } from './speech/synthesize-as-openai.js'
import { transcribe } from './speech/transcribe.js'
import { createListenToken } from './tokens/create-listen-token.js'
import { createPublicSessionToken } from './tokens/create-public-session-token.js'
import { createSessionToken } from './tokens/create-session-token.js'
import { createStreamToken } from './tokens/create-stream-token.js'
import { createWebhook } from './webhooks/create-webhook.js'
import { deleteWebhook } from './webhooks/delete-webhook.js'
import { getWebhook } from './webhooks/get-webhook.js'
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.js'
import { listWebhooks } from './webhooks/list-webhooks.js'
import { replayWebhookDelivery } from './webhooks/replay-webhook-delivery.js'
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.js'
import { updateWebhook } from './webhooks/update-webhook.js'

/** All routes, in the order in which Express tries their paths and the reference shows them. */
export const routes: readonly Route[] = [
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  publishAgent,
  listRevisions,
  listPublications,
  listKnowledgeFiles,
  addKnowledgeFile,
  getKnowledgeFile,
  deleteKnowledgeFile,
  createSessionToken,
  createPublicSessionToken,
  createStreamToken,
  streamSpeech,
  createListenToken,
  listen,
  startSession,
  updateSession,
  endSession,
  connectSession,
  createClientSecret,
  realtimeSocketRoute,
  createRealtimeCall,
  hangUpRealtimeCall,
  getIceServers,
  listSessions,
  getSession,
  listMessages,
  giveFeedback,
  deleteSession,
  getCalendar,
  deleteCalendar,
  readCalendarFeed,
  listMemories,
  deleteMemories,
  synthesize,
  synthesizeAsOpenai,
  transcribe,
  listVoicesAsOpenWebui,
  listVoices,
  getVoicePreview,
  listAvatars,
  listModels,
  getModel,
  getAvatarFile,
  getCredit,
  getUsage,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  replayWebhookDelivery,
  ...apiDocuments,
  ...packages,
  findNaturalVoice,
  findRecognizer,
  installOfferedModel,
  ...widget,
  ...redirects,
]
