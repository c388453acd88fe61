import { ServiceError } from '@parlance/contracts'
import { voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { spoken } from './spoken-words.js'
import { connectStream, type StreamClient } from './stream-client.js'

let gateway: OpenGateway
let client: StreamClient
beforeEach(async () => {
  gateway = await openGateway()
  gateway.fakes.synthesize = (request) => spoken(request)
  client = connectStream(gateway.url, 'awtt_any')
  await client.next('ready')
})
afterEach(async () => {
  client.socket.terminate()
  await gateway.close()
})

const start = { event: 'start', voice_id: voiceId, context_id: 'a' }

/** Voices are found when this is called. */
const holdLookUps = () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  gateway.fakes.beforeFinding = () => held
  return () => letGo()
}

test.each([
  ['an unknown voice', { voice_id: '0'.repeat(32) }, 'voice_not_found'],
  ['a variant that the voice does not have', { tts_variant: 'fancy' }, 'voice_not_found'],
  ['a language that the voice does not speak', { language: 'sv' }, 'invalid_request'],
  ['a format that the variant does not offer', { output: { format: 'alaw' } }, 'unsupported_format'],
])('a start with %s is answered with an error at once, and no "started"', async (_what, fields, code) => {
  client.send({ ...start, ...fields })
  expect(await client.next('error')).toMatchObject({ code, retryable: false, context_id: 'a' })
  // The context id is free again, and the connection continues.
  client.send(start)
  expect(await client.next('started')).toMatchObject({ context_id: 'a', context_index: 1 })
  expect(client.of('started')).toHaveLength(1)
  expect(gateway.reserver.holds).toEqual([])
})

test('a start whose voice cannot be looked up gets a retryable error', async () => {
  gateway.fakes.beforeFinding = async () => {
    throw new ServiceError('unavailable', 'Not all speech engines have announced their voices yet.')
  }
  client.send(start)
  expect(await client.next('error')).toMatchObject({ code: 'unavailable', retryable: true, context_id: 'a' })
  expect(client.of('started')).toEqual([])
})

test('messages that follow a start at once wait for its voice, and are handled in order', async () => {
  const letGo = holdLookUps()
  client.send(start)
  for (const text of ['One two ', 'three. ', 'Four.']) client.send({ event: 'text', context_id: 'a', text })
  client.send({ event: 'flush', context_id: 'a', flush_id: 'f1' })
  client.send({ event: 'end', context_id: 'a' })
  client.send({ event: 'text', context_id: 'a', text: 'too late' })
  client.send(start)
  expect(await client.next('error')).toMatchObject({ code: 'context_exists' })
  expect(client.of('started')).toEqual([])
  letGo()
  expect(await client.next('done')).toMatchObject({ characters_billed: 'One two three. Four.'.length })
  expect(client.audioOf('a').toString()).toBe('One two three. Four. ')
  expect(client.messages.map(({ event }) => event).filter((event) => event !== 'audio')).toEqual([
    ...['ready', 'error', 'started', 'error', 'flushed', 'done'],
  ])
})

test('messages that wait for an unknown voice are dropped: only the start gets an error', async () => {
  const letGo = holdLookUps()
  client.send({ ...start, voice_id: '0'.repeat(32) })
  for (let n = 0; n < 5; n++) client.send({ event: 'text', context_id: 'a', text: 'Hello. ' })
  client.send({ event: 'cancel', context_id: 'a' })
  // This message is handled after all others on the connection.
  client.send({ event: 'end', context_id: 'unknown' })
  await client.next('error', 'unknown')
  letGo()
  await client.next('error', 'a')
  client.send({ event: 'end', context_id: 'unknown' })
  await client.next('error', 'unknown', 1)
  expect(client.of('error', 'a').map(({ code }) => code)).toEqual(['voice_not_found'])
})

test('a context whose voice is being looked up counts as one of the ten', async () => {
  const letGo = holdLookUps()
  for (let n = 0; n < 10; n++) client.send({ ...start, context_id: `c${n}` })
  client.send({ ...start, context_id: 'eleventh' })
  expect(await client.next('error')).toMatchObject({ code: 'too_many_contexts', context_id: 'eleventh' })
  letGo()
  await client.next('started', 'c9')
})

test('a client that disconnects while its voice is looked up leaves nothing behind', async () => {
  const letGo = holdLookUps()
  client.send(start)
  client.send({ event: 'text', context_id: 'a', text: 'Hello there. ' })
  client.send({ event: 'end', context_id: 'unknown' })
  await client.next('error')
  client.socket.terminate()
  await client.closed
  while (!gateway.lines.some(({ msg }) => msg === 'A stream closed')) await new Promise(setImmediate)
  letGo()
  for (let n = 0; n < 50; n++) await new Promise(setImmediate)
  expect(gateway.fakes.lastRequest).toBeUndefined()
  expect(gateway.reserver.holds).toEqual([])
})

test('a voice that was found a moment ago is not looked up again for the next start', async () => {
  for (const context_id of ['a', 'b', 'c']) {
    client.send({ ...start, context_id })
    client.send({ event: 'text', context_id, text: 'Hello there. ' })
    client.send({ event: 'end', context_id })
    await client.next('done', context_id)
  }
  expect(gateway.fakes.looked).toEqual([voiceId])
})
