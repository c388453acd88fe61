import { nextSpeechState, notSpoken, type SpeechEvent } from '../../src/speech/speech-state.js'

const after = (...events: SpeechEvent[]) => events.reduce(nextSpeechState, notSpoken)
const begun = [{ type: 'connecting', text: 'One two.' }, { type: 'speaking' }] as const
const stopped = { type: 'stopped', spokenLength: 3, playedMs: 480 } as const

test('a stop shows the unspoken text, and the billed amount when the server reports it', () => {
  const here = after(...begun, { ...stopped, billedCharacters: undefined })
  expect(here).toMatchObject({
    ...{ phase: 'stopped', remaining: 'two.', playedTenths: 5, billedCharacters: null },
    status: 'Stopped after 0.5 s. 5 characters not spoken:',
  })
  const reported = nextSpeechState(here, { ...stopped, spokenLength: 4, billedCharacters: 4 })
  expect(reported).toMatchObject({ remaining: 'two.', billedCharacters: 4, word: { from: 4, to: 4 } })
})

test('a position in the same word and tenth of a second does not change the state, so that nothing is redrawn', () => {
  const word = { from: 0, to: 3 }
  const playing = after(...begun, { type: 'played', positionMs: 210, word })
  expect(nextSpeechState(playing, { type: 'played', positionMs: 240, word: { ...word } })).toBe(playing)
  expect(nextSpeechState(playing, { type: 'played', positionMs: 260, word })).not.toBe(playing)
})

test('another text clears the display of the speech, but not its figures', () => {
  const edited = after(...begun, { ...stopped, billedCharacters: 3 }, { type: 'edited' })
  expect(edited).toMatchObject({ phase: 'idle', remaining: '', status: '', billedCharacters: 3, word: { to: 0 } })
})

test('an installed voice is not reported while a text is spoken', () => {
  const installed: SpeechEvent = { type: 'installed', voiceName: 'Joe' }
  expect(after(installed).status).toBe('Joe is installed and chosen.')
  expect(after(...begun, installed).status).toBe('Speaking.')
})
