import type { Color } from './geometry/color.js'
import type { Vec3 } from './geometry/vector.js'

/** Everything in which heads differ. Lengths are in units of about half a head's height; 1 is usual for a factor. */
export interface Person {
  /** The name of the files. */
  readonly name: string
  /** A UUID that never changes: Agents refer to it. */
  readonly id: string
  readonly displayName: string
  readonly face: FaceShape
  readonly skin: SkinColors
  readonly eyes: EyeLook
  readonly brows: BrowLook
  readonly hair: HairLook
  readonly beard?: BeardLook
  readonly clothes: ClothesLook
  readonly glasses?: GlassesLook
  readonly earrings?: Color
}

/** Factors; a greater one is wider, fuller or longer. */
export interface FaceShape {
  readonly skull: number
  readonly cheekbones: number
  readonly jaw: number
  readonly chin: number
  readonly faceLength: number
  readonly noseWidth: number
  readonly noseLength: number
  readonly browRidge: number
  readonly lips: number
  readonly mouth: number
  readonly ears: number
  readonly neck: number
}

export interface SkinColors {
  readonly base: Color
  readonly blush: Color
  /** From 0 to 1. */
  readonly blushStrength: number
  readonly lips: Color
}

export interface EyeLook {
  readonly iris: Color
  readonly irisEdge: Color
  /** Degrees above the middle at which the upper lid rests. */
  readonly opening: number
  /** Degrees by which the outer corner is higher. */
  readonly slant: number
  readonly size: number
  /** How far the lashes stand out, in eye radii. */
  readonly lashes: number
}

export interface BrowLook {
  readonly color: Color
  readonly thickness: number
  readonly arch: number
}

export interface HairLook {
  readonly color: Color
  readonly highlight: Color
  /**
   * The hairline from the forehead to the nape as azimuth and elevation in degrees; both sides are alike, but for
   * `sweep`.
   */
  readonly line: readonly (readonly [azimuth: number, elevation: number])[]
  /** By how many degrees the hairline is higher on the left of the forehead and lower on its right. */
  readonly sweep: number
  /** How far the hair stands off the skull. */
  readonly thickness: number
  /** What there is beside: locks, curtains and buns. */
  readonly volumes: readonly HairVolume[]
  readonly strands: { readonly across: Vec3; readonly count: number; readonly depth: number }
  /** How deep the gaps between curls are; 0 for straight hair. */
  readonly curls: number
}

export interface HairVolume {
  readonly centre: Vec3
  readonly radii: Vec3
  /** Over how much it runs into the rest. */
  readonly softness: number
  readonly bothSides?: boolean
}

export interface BeardLook {
  readonly color: Color
  /** From 0, a shadow, to 1. */
  readonly density: number
  readonly length: number
}

export interface ClothesLook {
  readonly kind: 'crew' | 'turtleneck' | 'shirt'
  readonly color: Color
  readonly trim: Color
  readonly shoulders: number
}

export interface GlassesLook {
  readonly color: Color
  /** 2 is an ellipse; greater numbers come nearer to a rectangle. */
  readonly squareness: number
  readonly width: number
  readonly height: number
}
