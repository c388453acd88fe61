import { type RealtimeServerEvent, realtimeServerEventSchema } from '@parlance/contracts'
import { createRealtimeTranscription } from '../src/realtime/realtime-transcription.js'
import type { ListenDialect } from '../src/stream/listen-connection.js'

const created = '2026-01-31T09:45:00.000Z'
const audio = { type: 'input_audio_buffer.append', audio: Buffer.alloc(24_000).toString('base64') }
const withInput = (input: object) => ({ type: 'session.update', session: { type: 'transcription', audio: { input } } })

const open = (input: object = {}) => {
  const dialect = createRealtimeTranscription({ type: 'transcription', audio: { input } })
  const events: RealtimeServerEvent[] = []
  const write = (message: object) => {
    const written = dialect.write(message as Parameters<ListenDialect['write']>[0])
    events.push(...written.map((event) => realtimeServerEventSchema.parse(event)))
  }
  write({ event: 'ready', expires_at: created })
  return {
    events,
    write,
    types: () => events.map(({ type }) => type),
    /** Returns what reaches the recognizer. */
    read(message: object) {
      const actions = dialect.read(message)
      for (const action of actions) {
        if (action.event === 'answer') events.push(realtimeServerEventSchema.parse(action.message))
      }
      return actions.filter(({ event }) => event !== 'answer')
    },
  }
}

const recognized = (text: string) => ({ event: 'transcript', text, final: true, start_ms: 100, end_ms: 1_100 })

test('the recognition begins with the first audio, with the format, model and language that were set until then', () => {
  const { events, read } = open()
  const format = { type: 'audio/pcmu' }
  expect(
    read(withInput({ format, transcription: { language: 'de', model: 'gpt-4o-transcribe', prompt: 'x' } })),
  ).toEqual([])
  expect(events.at(-1)).toMatchObject({
    type: 'session.updated',
    session: { type: 'transcription', audio: { input: { format, transcription: { language: 'de' } } } },
    x_parlance_ignored: ['audio.input.transcription.prompt'],
  })
  expect(read(audio)).toMatchObject([
    { event: 'start', encoding: 'ulaw', sample_rate: 8_000, language: 'de' },
    { event: 'audio' },
  ])
  expect(read(audio)).toMatchObject([{ event: 'audio' }])
  expect(read({ ...withInput({ transcription: { language: 'fr' } }), event_id: 'mine' })).toEqual([])
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'invalid_request', event_id: 'mine' } })
})

test('each utterance is an item, whose text may come after the next has begun', () => {
  const { events, types, read, write } = open()
  read(audio)
  write({ event: 'speech', started: true, at_ms: 100 })
  write({ event: 'speech', started: false, at_ms: 1_100 })
  write({ event: 'speech', started: true, at_ms: 1_500 })
  write(recognized('One.'))
  write({ event: 'speech', started: false, at_ms: 2_500 })
  write(recognized(''))
  expect(types().slice(1)).toEqual([
    'input_audio_buffer.speech_started',
    'input_audio_buffer.speech_stopped',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
    'input_audio_buffer.speech_started',
    'conversation.item.input_audio_transcription.delta',
    'conversation.item.input_audio_transcription.completed',
    'input_audio_buffer.speech_stopped',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
    'conversation.item.input_audio_transcription.completed',
  ])
  const [first, second] = events.flatMap((event) => (event.type === 'input_audio_buffer.speech_started' ? [event] : []))
  expect(events.at(8)).toMatchObject({ item_id: first!.item_id, transcript: 'One.', usage: { seconds: 1 } })
  expect(events.at(-1)).toMatchObject({ item_id: second!.item_id, transcript: '' })
  expect(events.at(-4)).toMatchObject({ previous_item_id: first!.item_id })
})

test('without turn detection an item has what was recognized since the last commit, and a cleared buffer has none', () => {
  const { events, types, read, write } = open({ turn_detection: null })
  read({ type: 'input_audio_buffer.commit', event_id: 'mine' })
  expect(events.at(-1)).toMatchObject({ error: { code: 'input_audio_buffer_commit_empty', event_id: 'mine' } })
  read(audio)
  write({ event: 'speech', started: true, at_ms: 100 })
  write({ event: 'speech', started: false, at_ms: 1_100 })
  write(recognized('One.'))
  expect(read({ type: 'input_audio_buffer.commit' })).toEqual([{ event: 'finalize' }])
  read(audio)
  expect(read({ type: 'input_audio_buffer.clear' })).toEqual([{ event: 'finalize' }])
  write(recognized('Two.'))
  write({ event: 'finalized' })
  write(recognized('Three.'))
  write({ event: 'finalized' })
  expect(types().slice(2)).toEqual([
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
    'input_audio_buffer.cleared',
    'conversation.item.input_audio_transcription.delta',
    'conversation.item.input_audio_transcription.completed',
  ])
  expect(events.at(-1)).toMatchObject({ transcript: 'One. Two.', usage: { seconds: 0.5 } })
})

test('what belongs to a conversation is refused with the id of the event', () => {
  const { events, read } = open()
  for (const event of [{ type: 'response.create' }, { type: 'session.update', session: { type: 'realtime' } }]) {
    expect(read({ ...event, event_id: 'mine' })).toEqual([])
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'invalid_request', event_id: 'mine' } })
  }
})
