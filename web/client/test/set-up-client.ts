import type { ParlanceEvents } from '../src/client-events.js'
import { createClient } from '../src/create-client.js'
import type { ParlanceClientOptions } from '../src/parlance-client.js'
import { createFakeBrowser } from './fake-browser.js'

export const agentId = '0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11'

/** A client in a fake browser, with the events that it emitted. */
export const setUp = (options: Pick<ParlanceClientOptions, 'traceparent'> = {}) => {
  const browser = createFakeBrowser()
  const minted: string[] = []
  const client = createClient(
    {
      agentId,
      apiOrigin: 'https://voice.example.com/',
      sessionToken: () => {
        minted.push(`awst_${minted.length}`)
        return minted.at(-1)!
      },
      ...options,
    },
    browser.parts,
  )
  const emitted: [keyof ParlanceEvents, unknown][] = []
  const names: (keyof ParlanceEvents)[] = [
    ...(['connectionState', 'session', 'transcript', 'agentSpeaking', 'error', 'disconnected', 'ending'] as const),
    ...(['interruption', 'toolCall', 'metrics', 'audioBlocked', 'alignment', 'userSpeaking', 'userSpeech'] as const),
  ]
  for (const name of names) client.on(name, (payload) => emitted.push([name, payload]))
  const payloadsOf = (name: keyof ParlanceEvents) =>
    emitted.filter(([own]) => own === name).map(([, payload]) => payload)
  return { ...browser, client, minted, emitted, payloadsOf }
}
