import { ServiceError } from '@parlance/contracts'
import { failure } from './fake-stages.js'
import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

const broke = new ServiceError('insufficient_credit', 'No credit is left.')

const announcedBeforeTheEnd = ({ sent }: Talk) =>
  sent.flatMap((event) => (event.event === 'session.ending' || event.event === 'session.ended' ? [event.event] : []))

test('a failure of recognition is sent to the client, and the conversation continues', async () => {
  const talk = await conversation()
    .ready()
    .recognizes(undefined)
    .voice(600)
    .pause(1500)
    .user('Hello.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.errors()).toEqual(['upstream_error'])
  expect(talk.transcript()).toEqual(['user: Hello.', 'agent: Fine.'])
  expect(talk.states().slice(0, 3)).toEqual(['listening', 'thinking', 'listening'])
})

test('recognition that fails three times in a row ends the conversation', async () => {
  const talk = await conversation()
    .ready()
    .recognizes(undefined, undefined, undefined)
    .voice(600)
    .pause(1500)
    .voice(600)
    .pause(1500)
    .voice(600)
    .pause(1500)
    .run()
  expect(talk.ended()).toEqual({
    reason: 'stt_error',
    error: { code: 'upstream_error', detail: 'The recognizer failed.' },
  })
})

test('recognition that fails now and then does not end the conversation', async () => {
  const talk = await conversation()
    .ready()
    .recognizes(undefined, undefined, 'Hello.', undefined, undefined)
    .voice(600)
    .pause(1500)
    .voice(600)
    .pause(1500)
    .voice(600)
    .agent()
    .agentIsDone()
    .voice(600)
    .pause(1500)
    .voice(600)
    .pause(1500)
    .run()
  expect(talk.errors()).toHaveLength(4)
  expect(talk.ended()!.reason).toBe('api_ended')
})

test('an agent that is paused resumes when recognition fails', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .recognizes(undefined)
    .voice(700)
    .pause(3000)
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two three four.'])
})

test('a failure of the model is sent to the client, and the next turn gets a reply', async () => {
  const talk = await conversation()
    .ready()
    .replies({ text: '', fails: failure('model') }, 'Here I am.')
    .types('Hello.')
    .pause(500)
    .types('Hello?')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.errors()).toEqual(['upstream_error'])
  expect(talk.transcript()).toEqual(['user: Hello.', 'user: Hello?', 'agent: Here I am.'])
})

test('text that the model returned before it failed is spoken', async () => {
  const talk = await conversation()
    .ready()
    .replies({ text: 'One two. Three', fails: failure('model') })
    .types('Count.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.errors()).toEqual(['upstream_error'])
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two. Three'])
})

test('a reply without done has failed', async () => {
  const talk = await conversation()
    .ready()
    .look(({ llm }) => {
      llm.cutOff = true
    })
    .types('Count.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.errors()).toEqual(['upstream_error'])
})

test('an empty reply of the model returns the turn to the user', async () => {
  const talk = await conversation().ready().replies('').types('Hello.').pause(1000).run()
  expect(talk.transcript()).toEqual(['user: Hello.'])
  expect(talk.states()).toEqual(['listening', 'thinking', 'listening'])
})

test('a model that fails three times in a row ends the conversation', async () => {
  const fails = { text: '', fails: failure('model') }
  const talk = await conversation()
    .ready()
    .replies(fails, fails, fails)
    .types('One.')
    .pause(500)
    .types('Two.')
    .pause(500)
    .types('Three.')
    .isOver()
    .run()
  expect(talk.ended()).toEqual({ reason: 'llm_error', error: { code: 'upstream_error', detail: 'The model failed.' } })
  expect(announcedBeforeTheEnd(talk)).toEqual(['session.ending', 'session.ended'])
})

test('a model that fails now and then does not end the conversation', async () => {
  const fails = { text: '', fails: failure('model') }
  const talk = await conversation()
    .ready()
    .replies(fails, fails, 'Fine.', fails, fails)
    .types('One.')
    .pause(500)
    .types('Two.')
    .pause(500)
    .types('Three.')
    .agent()
    .agentIsDone()
    .types('Four.')
    .pause(500)
    .types('Five.')
    .pause(500)
    .run()
  expect(talk.errors()).toHaveLength(4)
  expect(talk.ended()!.reason).toBe('api_ended')
})

test('an unexpected error is sent without its internal detail', async () => {
  const talk = await conversation()
    .ready()
    .replies({ text: '', fails: new TypeError('secret') })
    .types('Hello.')
    .pause(500)
    .run()
  expect(talk.errors()).toEqual(['internal_error'])
  expect(JSON.stringify(talk.sent)).not.toContain('secret')
})

test('the text is sent although speech fails', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two. Three four.')
    .speechFails(failure('speech'))
    .types('Count.')
    .pause(2000)
    .types('Again.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.errors()).toEqual(['upstream_error'])
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two. Three four.', 'user: Again.', 'agent: Fine.'])
})

test('speech that fails later is played up to the failure, and its whole text is sent', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two. Three four.')
    .speechFails(undefined, failure('speech'))
    .types('Count.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.errors()).toEqual(['upstream_error'])
  expect(talk.played.frames).toHaveLength(('One two.'.length * 50) / 20)
  expect(talk.transcript()[1]).toBe('agent: One two. Three four.')
})

test('speech that fails three times in a row ends the conversation, after the text was sent', async () => {
  const talk = await conversation()
    .ready()
    .speechFails(failure('speech'), failure('speech'), failure('speech'))
    .types('One.')
    .pause(500)
    .types('Two.')
    .pause(500)
    .types('Three.')
    .isOver()
    .run()
  expect(talk.ended()!.reason).toBe('tts_error')
  expect(talk.transcript().at(-1)).toBe('agent: Fine.')
})

test('speech that succeeds resets the count of failures', async () => {
  const talk = await conversation()
    .ready()
    .speechFails(failure('speech'), failure('speech'), undefined, failure('speech'), failure('speech'))
    .types('One.')
    .pause(500)
    .types('Two.')
    .pause(500)
    .types('Three.')
    .agent()
    .agentIsDone()
    .types('Four.')
    .pause(500)
    .types('Five.')
    .pause(500)
    .run()
  expect(talk.ended()!.reason).toBe('api_ended')
})

test('a conversation whose credit runs out ends after the present speech was played', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three. Four five six.')
    .speechFails(undefined, broke)
    .types('Count.')
    .isOver()
    .run()
  expect(talk.ended()).toEqual({ reason: 'insufficient_credit', error: null })
  expect(talk.played.frames).toHaveLength(('One two three.'.length * 50) / 20)
  expect(announcedBeforeTheEnd(talk)).toEqual(['session.ending', 'session.ended'])
})

test('credit that runs out before any speech ends the conversation after the text was sent', async () => {
  const talk = await conversation().ready().speechFails(broke).types('Hello.').isOver().run()
  expect(talk.ended()!.reason).toBe('insufficient_credit')
  expect(talk.transcript()).toEqual(['user: Hello.', 'agent: Fine.'])
})

test('an internal error in a callback ends the conversation too', async () => {
  const talk = await conversation()
    .ready()
    .look(({ journal }) => {
      journal.used = () => {
        throw new Error('broken')
      }
    })
    .user('Hello.')
    .isOver()
    .run()
  expect(talk.ended()!.reason).toBe('internal_error')
})

test('a part that cannot be closed does not keep the others open', async () => {
  const talk = await conversation()
    .ready()
    .look(({ playback, transport }) => {
      for (const part of [playback, transport]) {
        const close = part.close
        part.close = async () => {
          await close()
          throw new Error('broken')
        }
      }
    })
    .run()
  expect(talk.ended()!.reason).toBe('api_ended')
})

test('an internal error ends the conversation', async () => {
  const talk = await conversation()
    .ready()
    .look(({ detector }) => {
      detector.detect = () => {
        throw new Error('broken')
      }
    })
    .pause(100)
    .run()
  expect(talk.ended()).toMatchObject({ reason: 'internal_error', error: { code: 'internal_error' } })
})
