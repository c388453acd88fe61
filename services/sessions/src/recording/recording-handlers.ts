import type { Handlers } from '@parlance/bus'
import type { recordingsContract } from '@parlance/contracts'
import type { SessionRepository } from '../records/session-repository.js'
import type { RecordingRepository } from './recording-repository.js'
import type { RecordingSettingsRepository } from './settings-repository.js'
import { ObjectMissingError, type RecordingStorage, recordingKey } from './storage/recording-storage.js'

export type RecordingHandlers = Handlers<typeof recordingsContract>

export interface RecordingHandlersOptions {
  readonly sessions: Pick<SessionRepository, 'findHolder'>
  readonly recordings: Pick<RecordingRepository, 'find' | 'removeOfEndUser'>
  readonly settings: RecordingSettingsRepository
  readonly storage: Pick<RecordingStorage, 'read'> | undefined
  /** Recordings are due for deletion. */
  onDue(): void
}

/** The maximum size of audio in one message of the bus, besides its headers. */
const chunkBytes = 32 * 1024

const notFound = 'There is no such recording.'

export const createRecordingHandlers = (options: RecordingHandlersOptions): RecordingHandlers => {
  const { sessions, recordings, settings, storage, onDue } = options
  const available = storage !== undefined

  return {
    async getSettings({ workspace_id, agent_id }) {
      return { settings: await settings.find(workspace_id, agent_id), available }
    },

    async putSettings({ workspace_id, agent_id, settings: given, slug, actor }) {
      await settings.put(workspace_id, { agentId: agent_id, slug, actor, settings: given })
      return { settings: given, available }
    },

    async getRecording({ workspace_id, session_id }, { fail }) {
      const holder = await sessions.findHolder(workspace_id, session_id)
      if (holder === undefined) return fail('session_not_found', 'There is no such session.')
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
      onDue()
      return {}
    },
  }
}
