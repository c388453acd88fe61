/** The motion of a face besides its mouth, in radians and in weights from 0 to 1. */
export interface IdlePose {
  readonly blink: number
  readonly browsUp: number
  readonly smile: number
  readonly headTurn: number
  readonly headNod: number
  readonly headTilt: number
  readonly gazeTurn: number
  readonly gazeNod: number
  readonly breath: number
}

const blinkClosingMs = 70
const blinkOpeningMs = 150
const gazeMs = 900
/** The time over which a face becomes livelier when it begins to speak. */
const livelinessMs = 500

/**
 * Blinks, breath, small movements of head and eyes. While `still` returns true only the blinks remain, for users who
 * prefer reduced motion. `random` returns numbers from 0 to 1.
 */
export const createIdleMotion = ({ still, random }: { still: () => boolean; random: () => number }) => {
  let blinkAtMs = 1_200
  let gazeAtMs = 0
  let gaze = { turn: 0, nod: 0 }
  /** From 0 (listening) to 1 (speaking). */
  let liveliness = 0
  let lastMs = 0

  return (atMs: number, isSpeaking: boolean): IdlePose => {
    if (atMs > blinkAtMs + blinkClosingMs + blinkOpeningMs) {
      // Sometimes two blinks follow each other.
      blinkAtMs = atMs + (random() < 0.15 ? 120 : 1_800 + 3_400 * random())
    }
    const blink = blinkAt(atMs - blinkAtMs)
    if (still()) return { ...motionless, blink }

    if (atMs > gazeAtMs) {
      gazeAtMs = atMs + gazeMs + 2_200 * random()
      // Most of the time the eyes look at the viewer.
      gaze = random() < 0.6 ? { turn: 0, nod: 0 } : { turn: 0.18 * (random() - 0.5), nod: 0.1 * (random() - 0.5) }
    }
    liveliness += ((isSpeaking ? 1 : 0) - liveliness) * (1 - Math.exp((lastMs - atMs) / livelinessMs))
    lastMs = atMs
    const seconds = atMs / 1_000
    const size = 1 + 0.5 * liveliness
    return {
      blink,
      browsUp: 0.05 + 0.3 * liveliness * Math.max(0, drift(seconds, 0.45)),
      smile: 0.2 - 0.08 * liveliness + 0.05 * drift(seconds, 0.19),
      headTurn: 0.036 * size * drift(seconds, 0.11),
      headNod: 0.016 * size * drift(seconds + 40, 0.15) + 0.016 * liveliness * drift(seconds, 0.62),
      headTilt: 0.02 * size * drift(seconds + 90, 0.09),
      gazeTurn: gaze.turn,
      gazeNod: gaze.nod,
      breath: Math.sin(seconds * 2 * Math.PI * 0.22),
    }
  }
}

const motionless: IdlePose = {
  blink: 0,
  browsUp: 0,
  smile: 0.2,
  headTurn: 0,
  headNod: 0,
  headTilt: 0,
  gazeTurn: 0,
  gazeNod: 0,
  breath: 0,
}

const blinkAt = (sinceMs: number): number => {
  if (sinceMs < 0) return 0
  if (sinceMs < blinkClosingMs) return sinceMs / blinkClosingMs
  return Math.max(0, 1 - (sinceMs - blinkClosingMs) / blinkOpeningMs)
}

/** From about -1 to 1, without a short period: the sum of two waves with incommensurable frequencies. */
const drift = (seconds: number, perSecond: number): number => {
  const angle = seconds * perSecond * 2 * Math.PI
  return 0.6 * Math.sin(angle) + 0.4 * Math.sin(angle * 0.618 + 2)
}
