import type {
  AgentState,
  AudioDevice,
  AudioLevels,
  ConnectionState,
  HistoryItem,
  ParlanceClient,
  Session,
  TranscriptMessage,
} from '@parlance/client'
import {
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { type ConversationState, storeOf } from './conversation-state.js'

/** A ref to the value of the last render, for callbacks that outlive a render. */
export const useLatest = <Value>(value: Value): RefObject<Value> => {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}

export const ClientContext = createContext<ParlanceClient | undefined>(undefined)

/** The client of the `ParlanceProvider` around the component. */
export const useParlanceClient = (): ParlanceClient => {
  const client = useContext(ClientContext)
  if (client === undefined) throw new Error('The component needs a ParlanceProvider around it.')
  return client
}

/** Renders the component when this part of the state changes. */
export const useConversationState = <Name extends keyof ConversationState>(name: Name): ConversationState[Name] => {
  const { subscribe, current } = storeOf(useParlanceClient())
  const read = () => current()[name]
  return useSyncExternalStore(subscribe, read, read)
}

export const useConnectionState = (): ConnectionState => useConversationState('connectionState')
/** The live session, or null. */
export const useSession = (): Session | null => useConversationState('session')
/** `listening` without a session. */
export const useAgentState = (): AgentState => useConversationState('agentState')
export const useUserSpeaking = (): boolean => useConversationState('userSpeaking')
/** The messages of this session, or of the last one; each once, in its latest form. */
export const useMessages = (): readonly TranscriptMessage[] => useConversationState('transcript')
/** The messages, calls of tools and interruptions of this session, or of the last one. */
export const useHistory = (): readonly HistoryItem[] => useConversationState('history')
export const useMuted = (): boolean => useConversationState('muted')

const silence: AudioLevels = { input: 0, output: 0 }

/** Calls `onLevels` about 20 times a second during a session while the levels change, and with zeros after it. */
export const useOnLevels = (onLevels: (levels: AudioLevels) => void): void => {
  const client = useParlanceClient()
  const isLive = useSession() !== null
  useEffect(() => {
    if (!isLive) return
    const off = client.on('levels', onLevels)
    return () => {
      off()
      onLevels(silence)
    }
  }, [client, isLive, onLevels])
}

/**
 * How loud the user (`input`) and the Agent (`output`) are, from 0 to 1. It renders its component about 20 times a second, so
 * use it in a small one.
 */
export const useLevels = (): AudioLevels => {
  const [levels, setLevels] = useState(silence)
  useOnLevels(setLevels)
  return levels
}

export interface Devices {
  /** The microphones. Their labels are empty until the user has allowed the microphone. */
  readonly inputs: readonly AudioDevice[]
  readonly outputs: readonly AudioDevice[]
}

/** The microphones and loudspeakers of the browser, kept up to date. `setInputDevice` of the client chooses one. */
export const useDevices = (): Devices => {
  const client = useParlanceClient()
  const [devices, setDevices] = useState<readonly AudioDevice[]>([])
  useEffect(() => {
    let isGone = false
    const off = client.on('devicesChanged', setDevices)
    // The event comes only when the devices differ from those that the client knows.
    client.listDevices().then(
      (found) => !isGone && setDevices(found),
      () => {},
    )
    return () => {
      isGone = true
      off()
    }
  }, [client])
  return {
    inputs: devices.filter(({ kind }) => kind === 'input'),
    outputs: devices.filter(({ kind }) => kind === 'output'),
  }
}

/**
 * How loud the user (`input`) or the Agent (`output`) is, from 0 to 1. It renders its component in each frame in which the
 * level changes, so use it in a small one.
 */
export const useAudioLevel = (
  client: Pick<ParlanceClient, 'getInputLevel' | 'getOutputLevel'>,
  of: 'input' | 'output',
): number => {
  const [level, setLevel] = useState(0)

  useEffect(() => {
    let frame = 0
    const measure = (): void => {
      // Smaller changes are not visible.
      setLevel(Math.round((of === 'input' ? client.getInputLevel() : client.getOutputLevel()) * 100) / 100)
      frame = requestAnimationFrame(measure)
    }
    measure()
    return () => cancelAnimationFrame(frame)
  }, [client, of])

  return level
}
