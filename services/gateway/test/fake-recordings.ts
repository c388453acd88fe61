import { type Bus, serve } from '@parlance/bus'
import { defaultRecordingSettings, type Recording, recordingsContract } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

/** The conversation that was recorded. */
export const recordedSessionId = '7a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
/** The audio of the recording. */
export const recordedBytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251)

export const recording: Recording = {
  state: 'stored',
  started_at: '2026-01-31T09:30:00.000Z',
  duration_ms: 20_000,
  size_bytes: recordedBytes.length,
  expires_at: '2026-03-02T09:30:00.000Z',
  failure: null,
  positions: [{ message_id: '6a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', start_ms: 1_200 }],
}

/**
 * Has the recording of one conversation. `settings` are those of every Agent; deletions are in `deletions`, the last
 * change in `change`.
 */
export const serveFakeRecordings = async (bus: Bus) => {
  const state = {
    settings: defaultRecordingSettings,
    recording: recording as Recording | null,
    deletions: [] as object[],
    change: undefined as object | undefined,
  }
  const handlers = fakeHandlers(recordingsContract, {
    getSettings: () => ({ settings: state.settings, available: true }),
    putSettings({ settings, ...change }) {
      state.settings = settings
      state.change = change
      return { settings, available: true }
    },
    getRecording: ({ session_id }, { fail }) =>
      session_id === recordedSessionId
        ? { recording: state.recording }
        : fail('session_not_found', 'There is no such session.'),
    async *readRecording({ start, end }) {
      for (let at = start; at < end; at += 30_000)
        yield { data: recordedBytes.subarray(at, Math.min(at + 30_000, end)) }
    },
    deleteOfEndUser(request) {
      state.deletions.push(request)
      return {}
    },
  })
  const served = await serve(bus, recordingsContract, handlers, { instanceId: 'recordings' })
  return { served, state }
}
