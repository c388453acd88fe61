import type { Handlers } from '@parlance/bus'
import type { recordingsContract, SessionGrant, SessionRequest } from '@parlance/contracts'
import type { Database, Sweep } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import type { SessionRepository } from '../records/session-repository.js'
import { createRecorder, createSkippedRecorder, type Recorder } from './recorder.js'
import { createRecordingRepository } from './recording-repository.js'
import { createDueRecordings, startRecordingSweeper } from './recording-sweeper.js'
import { createRecordingSettingsRepository } from './settings-repository.js'
import { ObjectMissingError, type RecordingStorage, recordingKey } from './storage/recording-storage.js'

/** The maximum size of audio in one message of the bus, besides its headers. */
const chunkBytes = 32 * 1024

const notFound = 'There is no such recording.'

/** A conversation that may be recorded. */
interface RecordableCall {
  readonly workspaceId: string
  readonly sessionId: string
  readonly agentId: string
  readonly endUserId: string | null
  readonly grant: Pick<SessionGrant, 'metadata'>
  readonly request: Pick<SessionRequest, 'metadata' | 'modalities'>
}

interface RecordingsOptions {
  readonly database: Database
  readonly sessions: Pick<SessionRepository, 'findLiveInstance'>
  /** Undefined when the installation has none: nothing is recorded. */
  readonly storage: RecordingStorage | undefined
  readonly logger: Logger
}

const hasConsent = ({ grant, request }: RecordableCall): boolean =>
  grant.metadata.recording_consent === true || request.metadata.recording_consent === true

/** Why this conversation of a recorded Agent is not recorded; undefined if it is. */
const reasonAgainst = (call: RecordableCall, consentRequired: boolean): string | undefined => {
  if (consentRequired && !hasConsent(call)) {
    return 'The Agent is recorded only with consent, and the metadata did not have recording_consent: true.'
  }
  return call.request.modalities.includes('audio') ? undefined : 'The conversation had no audio.'
}

export type Recordings = ReturnType<typeof startRecordings>

/** The recordings of this process. */
export const startRecordings = ({ database, sessions, storage, logger }: RecordingsOptions) => {
  const recordings = createRecordingRepository(database)
  const settings = createRecordingSettingsRepository(database)
  const sweeper: Sweep | undefined =
    storage && startRecordingSweeper({ due: createDueRecordings(database), storage, logger })
  const wake = () => sweeper?.wake()
  const available = storage !== undefined

  const handlers: Handlers<typeof recordingsContract> = {
    async getSettings({ workspace_id, agent_id }) {
      return { settings: await settings.find(workspace_id, agent_id), available }
    },

    async putSettings({ workspace_id, agent_id, settings: given, slug, actor }) {
      await settings.put(workspace_id, { agentId: agent_id, slug, actor, settings: given })
      return { settings: given, available }
    },

    async getRecording({ workspace_id, session_id }, { fail }) {
      const session = await sessions.findLiveInstance(workspace_id, session_id)
      if (session === undefined) return fail('session_not_found', 'There is no such session.')
      return { recording: (await recordings.find(workspace_id, session_id)) ?? null }
    },

    async *readRecording({ workspace_id, session_id, start, end }, { fail, signal }) {
      const recording = await recordings.find(workspace_id, session_id)
      if (recording?.state !== 'stored' || storage === undefined) return fail('not_found', notFound)
      try {
        for await (const bytes of storage.read(recordingKey(workspace_id, session_id), { start, end }, signal)) {
          for (let at = 0; at < bytes.length; at += chunkBytes) yield { data: bytes.subarray(at, at + chunkBytes) }
        }
      } catch (error) {
        if (error instanceof ObjectMissingError) return fail('not_found', notFound)
        throw error
      }
    },

    async deleteOfEndUser({ workspace_id, end_user_id, agent_id, actor }) {
      await recordings.removeOfEndUser(workspace_id, { endUserId: end_user_id, agentId: agent_id, actor })
      wake()
      return {}
    },
  }

  return {
    handlers,
    /**
     * Undefined when the Agent is not recorded. For a conversation without audio or consent, the recorder stores only that
     * reason. Rejects with `unavailable` while Postgres cannot be reached.
     */
    async open(call: RecordableCall): Promise<Recorder | undefined> {
      if (storage === undefined) return undefined
      const { workspaceId, sessionId, agentId, endUserId } = call
      const { enabled, consent_required, retention_days: retentionDays } = await settings.find(workspaceId, agentId)
      if (!enabled) return undefined
      const recording = { workspaceId, sessionId, agentId, endUserId, retentionDays }
      const reason = reasonAgainst(call, consent_required)
      return reason === undefined
        ? createRecorder({ recording, recordings, storage, logger })
        : createSkippedRecorder({ recording, recordings, reason, logger })
    },
    /** Deletes soon what is due for deletion. */
    wake,
    stop: async () => sweeper?.stop(),
  }
}
