import type { TransportKind } from './client-options.js'
import type { OpenLink } from './link.js'
import { type OpenMicrophone, openMicrophone } from './microphone.js'
import { createSpeaker, type Speaker } from './speaker.js'
import { openWebRtcLink } from './webrtc-link.js'
import { openWebSocketLink } from './websocket-link.js'

/** What a client needs of the browser. */
export interface BrowserParts {
  readonly fetch: typeof fetch
  readonly openMicrophone: OpenMicrophone
  readonly openLink: Readonly<Record<TransportKind, OpenLink>>
  readonly createSpeaker: () => Speaker
  /** Calls when the page is about to go. Returns what unsubscribes. */
  readonly onPageGone: (leave: () => void) => () => void
}

export const browserParts: BrowserParts = {
  fetch: (...request) => fetch(...request),
  openMicrophone,
  openLink: { webrtc: openWebRtcLink, websocket: openWebSocketLink },
  createSpeaker,
  onPageGone(leave) {
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  },
}
