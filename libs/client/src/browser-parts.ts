import type { Link } from './link.js'
import { type OpenMicrophone, openMicrophone } from './microphone.js'
import { createSpeaker, type Speaker } from './speaker.js'
import { openWebRtcLink, type WebRtcLinkOptions } from './webrtc-link.js'

/** What a client needs of the browser. */
export interface BrowserParts {
  readonly fetch: typeof fetch
  readonly openMicrophone: OpenMicrophone
  readonly openLink: (options: WebRtcLinkOptions) => Promise<Link>
  readonly createSpeaker: () => Speaker
  /** Calls when the page is about to go. Returns what unsubscribes. */
  readonly onPageGone: (leave: () => void) => () => void
}

export const browserParts: BrowserParts = {
  fetch: (...request) => fetch(...request),
  openMicrophone,
  openLink: openWebRtcLink,
  createSpeaker,
  onPageGone(leave) {
    window.addEventListener('pagehide', leave)
    return () => window.removeEventListener('pagehide', leave)
  },
}
