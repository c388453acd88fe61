import { sleep } from '@parlance/async'
import type { Recognizer } from '../../src/stt/recognizer.js'
import { startTalk } from '../conversation/scenario.js'

const pollMs = 5

/** Too quiet for a recognizer; the detector of the scenario takes it for voice. */
const wordlessFrame = () => Int16Array.from({ length: 320 }, (_, at) => (at === 0 ? 1 : 0))

/** A user presses the button, makes a sound without words, and releases it. Resolves when the client is sent that. */
export const talkWithoutWords = async (recognizer: Recognizer) => {
  const talk = startTalk({ inputMode: 'push-to-talk', recognizer })
  talk.open()
  talk.send({ event: 'client.ready' })
  talk.send({ event: 'ptt.start' })
  for (let frame = 0; frame < 50; frame++) talk.receive(wordlessFrame())
  talk.send({ event: 'ptt.commit' })
  const speech = () => talk.events('user.speech').map(({ event: _, atMs: __, ...fields }) => fields)
  while (speech().at(-1)?.recognized !== false) await sleep(pollMs)
  talk.conversation.end('api_ended', 0)
  return { speech: speech(), states: talk.states(), transcript: talk.transcript(), errors: talk.errors() }
}

/** What a client is sent when nothing was recognized. */
export const unrecognized = {
  speech: [{ started: true }, { started: false }, { started: false, recognized: false }],
  states: ['listening', 'thinking', 'listening'],
  transcript: [],
  errors: [],
}
