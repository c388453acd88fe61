import { type AgentPlayer, createAgentPlayer } from './agent-audio.js'
import type { OpenConnection } from './connection.js'
import type { MediaDeviceList } from './devices.js'
import { type OpenMicrophone, openMicrophone } from './microphone.js'
import type { TransportKind } from './parlance-client.js'
import { pcmSampleRateHz } from './pcm-audio.js'
import { openWebRtcConnection } from './webrtc-connection.js'
import { openWebSocketConnection } from './websocket-connection.js'

/** The functions of the browser that a client uses. */
export interface BrowserParts {
  readonly fetch: typeof fetch
  readonly openMicrophone: OpenMicrophone
  readonly mediaDevices: () => MediaDeviceList | undefined
  readonly openConnection: Readonly<Record<TransportKind, OpenConnection>>
  readonly createAgentPlayer: (transport: TransportKind) => AgentPlayer
  /**
   * Keeps the screen on, and calls the listener when the user comes back to the page: iOS stops its audio meanwhile. Returns a
   * function that ends both.
   */
  readonly keepAwake: (onReturn: () => void) => () => void
  /** Calls the listener when the user leaves the page. Returns a function that removes it. */
  readonly onPageHide: (leave: () => void) => () => void
}

export const browserParts: BrowserParts = {
  fetch: (...request) => fetch(...request),
  openMicrophone,
  mediaDevices: () => navigator.mediaDevices as MediaDevices | undefined,
  openConnection: { webrtc: openWebRtcConnection, websocket: openWebSocketConnection },
  createAgentPlayer: (transport) =>
    createAgentPlayer(transport === 'websocket' ? { sampleRate: pcmSampleRateHz } : undefined),
  keepAwake(onReturn) {
    let lock: Promise<WakeLockSentinel | undefined> | undefined
    const begin = (): void => {
      // Browsers release it when the page is hidden. It is refused, for example, while the battery is low.
      lock = (navigator.wakeLock as WakeLock | undefined)?.request().catch(() => undefined)
    }
    const onChange = (): void => {
      if (document.hidden) return
      begin()
      onReturn()
    }
    begin()
    document.addEventListener('visibilitychange', onChange)
    return () => {
      document.removeEventListener('visibilitychange', onChange)
      void lock?.then((held) => held?.release())
    }
  },
  onPageHide(leave) {
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  },
}
