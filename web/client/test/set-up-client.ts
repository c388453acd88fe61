import type { BrowserParts } from '../src/browser-parts.js'
import type { ParlanceEvents } from '../src/client-events.js'
import { createClient } from '../src/create-client.js'
import type { ParlanceClientOptions } from '../src/parlance-client.js'
import { createScriptedConnection, type Script } from '../src/testing.js'

export const agentId = '0b1cf5c4-6c39-4b3e-9f6c-2f4d5a0c7a11'

/** A client on a scripted connection, with the events that it emitted, and the calls to the browser in their order. */
export const setUp = (options: Pick<ParlanceClientOptions, 'traceparent'> = {}) => {
  const script: Script = {}
  const connection = createScriptedConnection(script)
  const calls: string[] = []
  const audioContext = {} as AudioContext
  let unlocked: AudioContext | undefined
  /** The audio context of each connection. */
  const audioContexts: (AudioContext | undefined)[] = []
  const { parts } = connection
  const observed: BrowserParts = {
    ...parts,
    openMicrophone: (microphone) => {
      calls.push('microphone opened')
      return parts.openMicrophone(microphone)
    },
    openConnection: {
      ...parts.openConnection,
      async webrtc(connectionOptions) {
        audioContexts.push(connectionOptions.audioContext())
        const opened = await parts.openConnection.webrtc(connectionOptions)
        return { ...opened, setMicrophone: async () => void calls.push('microphone replaced') }
      },
    },
    createAgentPlayer: (transport) => ({
      ...parts.createAgentPlayer(transport),
      unlock(textOnly) {
        calls.push(textOnly ? 'unlocked for text' : 'unlocked')
        unlocked = audioContext
      },
      context: () => unlocked,
    }),
    mediaDevices: () => media,
    keepAwake(onReturn) {
      calls.push('awake')
      returnToPage = onReturn
      return () => void calls.push('no longer awake')
    },
  }
  let returnToPage = () => {}
  let devices: { deviceId: string; kind: string; label: string }[] = []
  const deviceListeners = new Set<unknown>()
  const media = {
    enumerateDevices: async () => devices,
    addEventListener: (_: string, listener: unknown) => deviceListeners.add(listener),
    removeEventListener: (_: string, listener: unknown) => deviceListeners.delete(listener),
  } as unknown as MediaDevices
  const setDevices = (...next: typeof devices) => {
    devices = next
    for (const listener of deviceListeners) (listener as () => void)()
    return new Promise(setImmediate)
  }
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
    observed,
  )
  const emitted: [keyof ParlanceEvents, unknown][] = []
  const names: (keyof ParlanceEvents)[] = [
    ...(['connectionState', 'session', 'transcript', 'agentSpeaking', 'error', 'disconnected', 'ending'] as const),
    ...(['interruption', 'toolCall', 'metrics', 'audioBlocked', 'alignment', 'userSpeaking', 'userSpeech'] as const),
  ]
  for (const name of names) client.on(name, (payload) => emitted.push([name, payload]))
  return {
    ...connection,
    script,
    client,
    calls,
    audioContext,
    audioContexts,
    minted,
    emitted,
    microphonesOn: () => connection.microphones.filter(({ isOn }) => isOn).length,
    payloadsOf: (name: keyof ParlanceEvents) => emitted.filter(([own]) => own === name).map(([, payload]) => payload),
    returnToPage: () => returnToPage(),
    setDevices,
    deviceListeners,
  }
}
