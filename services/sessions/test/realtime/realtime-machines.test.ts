import { createRealtimeItems } from '../../src/realtime/realtime-events.js'
import { openResponse } from '../../src/realtime/realtime-response.js'
import { createUserSpeech } from '../../src/realtime/realtime-speech.js'
import { createRealtimeTurns } from '../../src/realtime/realtime-turns.js'

/** The events that are sent, in short. */
const recorder = () => {
  const sent: string[] = []
  const emit = (type: string, fields: object) => {
    const { delta, response, transcript } = fields as {
      readonly delta?: string
      readonly transcript?: string
      readonly response?: { readonly status: string }
    }
    sent.push([type, delta ?? transcript ?? response?.status].filter((part) => part !== undefined).join(' '))
  }
  return { emit, take: () => sent.splice(0) }
}

const openTurns = () => {
  const { emit, take } = recorder()
  const turns = createRealtimeTurns({
    openResponse: (metadata) =>
      openResponse({
        ...{ emit, items: { add() {}, done() {} }, metadata, hasTrack: false, modality: 'audio', voice: 'ada' },
        format: { type: 'audio/pcm', rate: 24_000 },
      }),
    onEnd() {},
  })
  /** The responses and what is said in them. */
  const outline = () =>
    take().filter((line) => /^response\.(created|done)|transcript\.delta|arguments\.done/.test(line))
  return { turns, outline, silence: (frames: number) => [...Array(frames)].map(() => turns.onFrame(undefined)) }
}

const call = (id: string) => ({ event: 'tool.call', tool_call_id: id, name: 'look', arguments: {} }) as const

describe('the turns of the agent', () => {
  test('a turn is sent in the response that was created before, or in one of its own', () => {
    const { turns, outline } = openTurns()
    turns.create(null)
    turns.onText('An earlier turn.', true)
    turns.onTurn('began')
    turns.onText('Hello', false)
    turns.onText('Hello you', false)
    turns.onTurn('finished')
    turns.onTurn('began')
    turns.onText('Again', false)
    turns.onTurn('interrupted')
    expect(outline()).toEqual([
      'response.created in_progress',
      'response.output_audio_transcript.delta Hello',
      'response.output_audio_transcript.delta  you',
      'response.done completed',
      'response.created in_progress',
      'response.output_audio_transcript.delta Again',
      'response.done cancelled',
    ])
  })

  test('a response that was created and gets no turn fails, or is cancelled', () => {
    const { turns, outline } = openTurns()
    turns.create(null)
    turns.fail('user_is_speaking')
    turns.create(null)
    expect(turns.cancel()).toBe('cancelled')
    expect(turns.cancel()).toBe('none')
    expect(outline()).toEqual([
      'response.created in_progress',
      'response.done failed',
      'response.created in_progress',
      'response.done cancelled',
    ])
  })

  test('calls end a response when the text before them was played, and the turn goes on in the next', () => {
    const { turns, outline, silence } = openTurns()
    turns.onTurn('began')
    turns.onText('Let me look.', false)
    turns.onFrame(() => new Uint8Array(960))
    turns.onCall(call('one'))
    silence(9)
    expect(turns.isAnswering()).toBe(true)
    silence(1)
    expect([...turns.results()!.keys()]).toEqual(['one'])
    turns.goOn(null)
    turns.onText('Let me look. It is sunny.', false)
    turns.onText('Let me look. It is', true)
    turns.onTurn('interrupted')
    expect(outline()).toEqual([
      'response.created in_progress',
      'response.output_audio_transcript.delta Let me look.',
      'response.function_call_arguments.done',
      'response.done completed',
      'response.created in_progress',
      'response.output_audio_transcript.delta It is sunny.',
      'response.done cancelled',
    ])
  })

  test('a turn that goes on before the client has answered its calls gets another response', () => {
    const { turns, outline } = openTurns()
    turns.onTurn('began')
    turns.onCall(call('one'))
    turns.flushCalls()
    turns.onText('I cannot see it.', false)
    turns.onTurn('finished')
    expect(turns.results()).toBeUndefined()
    expect(outline().slice(-3)).toEqual([
      'response.created in_progress',
      'response.output_audio_transcript.delta I cannot see it.',
      'response.done completed',
    ])
  })
})

describe("the user's speech", () => {
  const open = () => {
    const { emit, take } = recorder()
    return { speech: createUserSpeech({ emit, items: createRealtimeItems(emit), transcribes: () => true }), take }
  }
  const committed = [
    'input_audio_buffer.speech_stopped',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
  ]

  test('is held back while the agent speaks, until it interrupts or is answered', () => {
    for (const releases of ['release', 'complete'] as const) {
      const { speech, take } = open()
      speech.start(0, true)
      speech.end(500)
      expect(take()).toEqual([])
      if (releases === 'release') speech.release()
      speech.complete('Stop.')
      expect(take()).toEqual([
        'input_audio_buffer.speech_started',
        ...committed,
        'conversation.item.input_audio_transcription.delta Stop.',
        'conversation.item.input_audio_transcription.completed Stop.',
      ])
    }
  })

  test('is not reported where nothing was recognized, and has an empty transcript where it was reported', () => {
    const { speech, take } = open()
    speech.start(0, true)
    speech.end(500)
    speech.discard()
    speech.release()
    expect(take()).toEqual([])
    speech.start(0, false)
    speech.end(500)
    speech.discard()
    expect(take()).toEqual([
      'input_audio_buffer.speech_started',
      ...committed,
      'conversation.item.input_audio_transcription.completed ',
    ])
  })
})
