import type { StreamServerMessage, SynthesisRequest } from '@parlance/contracts'
import { voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { charactersPaid, chunksOf, spoken } from './spoken-words.js'
import { connectStream, type StreamClient } from './stream-client.js'

export let gateway: OpenGateway
const clients: StreamClient[] = []

/** Gives each test of a suite a gateway of its own, which speaks every request at once, in the variable above. */
export const useGateway = (): void => {
  beforeEach(async () => {
    gateway = await openGateway()
    gateway.fakes.synthesize = (request) => spoken(request)
  })
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.terminate()
    await gateway.close()
  })
}

export const open = (token = 'awtt_any', options?: Parameters<typeof connectStream>[2]) => {
  const client = connectStream(gateway.url, token, options)
  clients.push(client)
  return client
}
export const ready = async (token?: string, options?: Parameters<typeof connectStream>[2]) => {
  const client = open(token, options)
  await client.next('ready')
  return client
}
export const start = { event: 'start', voice_id: voiceId }
export const text = (words: string, context_id?: string) => ({
  event: 'text',
  text: words,
  ...(context_id && { context_id }),
})
export const end = { event: 'end' }

/** Speaks a segment when it is released. */
export const createGate = () => {
  const asked: string[] = []
  let wake = () => {}
  let open = 0
  return {
    asked,
    letGo(count = 1) {
      open += count
      wake()
    },
    async *synthesize(request: SynthesisRequest, { signal }: { signal: AbortSignal }) {
      asked.push(request.text)
      const [started, first, ...rest] = chunksOf(request)
      yield started!
      yield first!
      while (open === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
      open -= 1
      yield* rest
    },
  }
}

export const paidCharacters = () => charactersPaid(gateway.reserver)

export const errorOf = (message: StreamServerMessage) =>
  message.event === 'error' ? [message.code, message.context_id] : []
