/**
 * What a mouth does. Lengths on the face are in radians as seen from the head's middle, which at the mouth are nearly
 * the unit; depths are in the unit.
 */
export interface MouthShape {
  /** From the middle to a corner. */
  readonly width: number
  /** How far the edge of the upper lip is above the line between the lips, and that of the lower below it. */
  readonly upperOpening: number
  readonly lowerOpening: number
  /** In degrees. Beyond 12 the neck shows that it is not skin that stretches. */
  readonly jaw: number
  /** How far the lips are pushed forward. */
  readonly pout: number
  readonly cornerLift: number
  /** How much of the lips is rolled in between the teeth, from 0 to 1. */
  readonly roll: number
  /** How much of the lower lip goes under the upper teeth, from 0 to 1. */
  readonly tuck: number
  /** How much the cheeks rise, from 0 to 1. */
  readonly cheeks: number
  readonly tongueUp: number
  readonly tongueForward: number
  /** How round the corners of the opening are: 0.5 for an ellipse, 1 for two arcs that meet in a point. */
  readonly pointed: number
}

const rest: MouthShape = {
  width: 0.235,
  upperOpening: 0,
  lowerOpening: 0,
  jaw: 0,
  pout: 0,
  cornerLift: 0.034,
  roll: 0,
  tuck: 0,
  cheeks: 0,
  tongueUp: 0,
  tongueForward: 0,
  pointed: 0.75,
}

const changes: Readonly<Record<string, Partial<MouthShape>>> = {
  viseme_sil: {},
  viseme_PP: { width: 0.2, roll: 1, pout: 0.02, cornerLift: 0.012 },
  viseme_FF: { width: 0.225, upperOpening: 0.068, lowerOpening: -0.022, jaw: 1.5, tuck: 1, cornerLift: 0.022 },
  viseme_TH: { upperOpening: 0.036, lowerOpening: 0.026, jaw: 5, tongueForward: 0.18, tongueUp: 0.085 },
  viseme_DD: { upperOpening: 0.036, lowerOpening: 0.026, jaw: 4.5, tongueUp: 0.09, tongueForward: 0.06 },
  viseme_kk: { upperOpening: 0.032, lowerOpening: 0.032, jaw: 6.5, tongueUp: 0.03, tongueForward: -0.05 },
  viseme_CH: {
    width: 0.175,
    upperOpening: 0.058,
    lowerOpening: 0.055,
    jaw: 2.5,
    pout: 0.07,
    cornerLift: 0.008,
    pointed: 0.6,
  },
  viseme_SS: { width: 0.25, upperOpening: 0.04, lowerOpening: 0.036, jaw: 1.5, cornerLift: 0.036 },
  viseme_nn: { width: 0.23, upperOpening: 0.03, lowerOpening: 0.022, jaw: 3.5, tongueUp: 0.095, tongueForward: 0.05 },
  viseme_RR: {
    width: 0.185,
    upperOpening: 0.038,
    lowerOpening: 0.036,
    jaw: 3.5,
    pout: 0.05,
    cornerLift: 0.012,
    tongueUp: 0.05,
    pointed: 0.65,
  },
  viseme_aa: {
    width: 0.235,
    upperOpening: 0.046,
    lowerOpening: 0.036,
    jaw: 11.5,
    cornerLift: 0.014,
    tongueUp: 0.02,
    tongueForward: 0.02,
    pointed: 0.6,
  },
  viseme_E: { width: 0.26, upperOpening: 0.04, lowerOpening: 0.036, jaw: 7, cornerLift: 0.034, pointed: 0.68 },
  viseme_I: { width: 0.275, upperOpening: 0.036, lowerOpening: 0.032, jaw: 3.5, cornerLift: 0.05, cheeks: 0.3 },
  viseme_O: {
    width: 0.15,
    upperOpening: 0.066,
    lowerOpening: 0.056,
    jaw: 7.5,
    pout: 0.07,
    cornerLift: -0.004,
    pointed: 0.5,
  },
  viseme_U: {
    width: 0.105,
    upperOpening: 0.04,
    lowerOpening: 0.04,
    jaw: 3,
    pout: 0.1,
    cornerLift: -0.008,
    pointed: 0.5,
  },
  mouthSmile: {
    width: 0.295,
    upperOpening: 0.022,
    lowerOpening: 0.026,
    jaw: 1.5,
    cornerLift: 0.095,
    cheeks: 1,
    pointed: 0.85,
  },
}

export const restingMouth = 'viseme_sil'

/** The mouth of each morph target; those of `restingMouth` are how the face is modeled. */
export const mouthShapes: Readonly<Record<string, MouthShape>> = Object.fromEntries(
  Object.entries(changes).map(([target, change]) => [target, { ...rest, ...change }]),
)
