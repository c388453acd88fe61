import { type AgentPlayer, createAgentPlayer } from './agent-player.js'
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
  onPageHide(leave) {
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  },
}
