/** What a face does by itself, in radians and shares from 0 to 1. */
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

/**
 * Blinks, breath, small movements of head and eyes. `still` leaves only the blinks, for those who asked their system for
 * less motion. `random` gives numbers from 0 to 1.
 */
export const createIdleMotion = ({ still, random }: { still: () => boolean; random: () => number }) => {
  let blinkAtMs = 1_200
  let gazeAtMs = 0
  let gaze = { turn: 0, nod: 0 }

  return (atMs: number, isSpeaking: boolean): IdlePose => {
    if (atMs > blinkAtMs + blinkClosingMs + blinkOpeningMs) {
      // Now and then twice in a row.
      blinkAtMs = atMs + (random() < 0.15 ? 120 : 1_800 + 3_400 * random())
    }
    const blink = blinkAt(atMs - blinkAtMs)
    if (still()) return { ...motionless, blink }

    if (atMs > gazeAtMs) {
      gazeAtMs = atMs + gazeMs + 2_200 * random()
      // Mostly they look at whom they talk with.
      gaze = random() < 0.6 ? { turn: 0, nod: 0 } : { turn: 0.18 * (random() - 0.5), nod: 0.1 * (random() - 0.5) }
    }
    const seconds = atMs / 1_000
    const liveliness = isSpeaking ? 1.6 : 1
    return {
      blink,
      browsUp: isSpeaking ? 0.35 * Math.max(0, drift(seconds, 1.9)) : 0.06,
      smile: isSpeaking ? 0.1 : 0.2 + 0.06 * drift(seconds, 0.23),
      headTurn: 0.035 * liveliness * drift(seconds, 0.31),
      headNod: 0.02 * liveliness * drift(seconds + 40, isSpeaking ? 1.1 : 0.37),
      headTilt: 0.018 * liveliness * drift(seconds + 90, 0.27),
      gazeTurn: gaze.turn,
      gazeNod: gaze.nod,
      breath: Math.sin(seconds * 2 * Math.PI * 0.22),
    }
  }
}

const motionless: IdlePose = {
  ...{ blink: 0, browsUp: 0, smile: 0.2, headTurn: 0, headNod: 0, headTilt: 0, gazeTurn: 0, gazeNod: 0, breath: 0 },
}

const blinkAt = (sinceMs: number): number => {
  if (sinceMs < 0) return 0
  if (sinceMs < blinkClosingMs) return sinceMs / blinkClosingMs
  return Math.max(0, 1 - (sinceMs - blinkClosingMs) / blinkOpeningMs)
}

/** From about -1 to 1 and never the same again soon: two waves whose lengths have no common measure. */
const drift = (seconds: number, perSecond: number): number => {
  const angle = seconds * perSecond * 2 * Math.PI
  return 0.6 * Math.sin(angle) + 0.4 * Math.sin(angle * 0.618 + 2)
}
