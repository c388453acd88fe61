import type { Metrics } from '@parlance/telemetry'
import type { AudioTap } from '../media/audio-tap.js'
import type { MemoryExtractor } from '../memory/memory-extractions.js'
import type { Recorder } from '../recording/recorder.js'
import type { SessionJournal } from '../records/session-journal.js'
import type { ConversationJournal } from './conversation.js'
import type { SessionAccount } from './session-account.js'

export interface CallJournalOptions {
  readonly journal: SessionJournal
  readonly recorder: Recorder | undefined
  readonly audioTap: AudioTap
  readonly account: Pick<SessionAccount, 'start' | 'used'>
  readonly memoryExtractor: Pick<MemoryExtractor, 'add'>
  readonly metrics: Pick<Metrics, 'sessionVoiceToVoice'>
}

/** The journal of a conversation, whose entries also reach its account, its recording, its memories and the metrics. */
export const createCallJournal = ({
  journal,
  recorder,
  audioTap,
  account,
  memoryExtractor,
  metrics,
}: CallJournalOptions): ConversationJournal => ({
  ...journal,
  started() {
    account.start()
    recorder?.start(audioTap)
    journal.started()
  },
  message(message, begunAgoMs) {
    memoryExtractor.add(message)
    recorder?.message(message, begunAgoMs)
    journal.message(message)
  },
  turn(turn) {
    if (turn.voice_to_voice_ms !== null) metrics.sessionVoiceToVoice(turn.voice_to_voice_ms / 1000)
    journal.turn(turn)
  },
  used(usage) {
    account.used(usage)
    journal.used(usage)
  },
})
