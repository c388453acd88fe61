import { createClient, serve } from '@parlance/bus'
import { liveSessionsContract, modelProvidersContract, recordingsContract, sessionsContract } from '@parlance/contracts'
import type { Platform } from '@parlance/runtime'
import type { Database } from '@parlance/store'
import { createAnalysisRepository } from './analysis/analysis-repository.js'
import { startAnalysisRunner } from './analysis/analysis-runner.js'
import { createFindAgentModel } from './llm/find-agent-model.js'
import type { Recordings } from './recording/recordings.js'
import { createRecordHandlers, type RecordHandlersOptions } from './records/record-handlers.js'
import type { SessionRepository } from './records/session-repository.js'
import { createTranscriptRepository } from './records/transcript-repository.js'
import type { ConversationParts } from './start/conversation-parts.js'
import type { SessionStarter } from './start/session-starter.js'

export interface ServeRecordsOptions extends Pick<RecordHandlersOptions, 'audit' | 'iceServersFor'> {
  readonly database: Database
  readonly sessions: SessionRepository
  readonly recordings: Pick<Recordings, 'handlers' | 'wake'>
  readonly starter: Pick<SessionStarter, 'tryTool' | 'settleLateUsage'>
  readonly parts: Pick<ConversationParts, 'findLanguageModel' | 'openProviderModel'>
}

export interface ServedRecords {
  /** Stops the analyses that are under way. To be called before `stop`. */
  stopAnalyses(): Promise<void>
  stop(): Promise<void>
}

/** Serves the records of conversations and their recordings, and analyses the conversations that have ended. */
export const serveRecords = async (
  platform: Pick<Platform, 'bus' | 'logger' | 'metrics' | 'tracing' | 'instanceId'>,
  { database, sessions, recordings, starter, parts, audit, iceServersFor }: ServeRecordsOptions,
): Promise<ServedRecords> => {
  const { bus, logger } = platform
  const transcripts = createTranscriptRepository(database)
  const analyses = createAnalysisRepository(database)
  const handlers = createRecordHandlers({
    sessions,
    transcripts,
    analyses,
    tryTool: starter.tryTool,
    live: createClient(bus, liveSessionsContract),
    audit,
    iceServersFor,
    onRemoved: recordings.wake,
  })
  const records = await serve(bus, sessionsContract, handlers, platform)
  const recordingsServed = await serve(bus, recordingsContract, recordings.handlers, platform)
  const analysisRunner = startAnalysisRunner({
    analyses,
    transcripts,
    logger,
    findAgentModel: createFindAgentModel({ ...parts, modelProviders: createClient(bus, modelProvidersContract) }),
    countUsage: (due, usage) => starter.settleLateUsage({ ...due, usage }),
  })

  return {
    stopAnalyses: () => analysisRunner.stop(),
    async stop() {
      await Promise.all([records.stop(), recordingsServed.stop()])
    },
  }
}
