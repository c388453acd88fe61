import { Mesh, type Object3D } from 'three'

/** Morph targets and joints of a model, by name. Those that a model lacks are ignored. */
export interface FaceControls {
  /** Weights from 0 to 1. All other targets are set to 0. */
  setMorphs(weights: ReadonlyMap<string, number>): void
  /** The weights that were set last. */
  morphs(): ReadonlyMap<string, number>
  readonly head: Object3D | undefined
  readonly body: Object3D | undefined
  readonly eyes: readonly Object3D[]
}

export const createFaceControls = (model: Object3D): FaceControls => {
  const places = new Map<string, { influences: number[]; index: number }[]>()
  model.traverse((object) => {
    if (!(object instanceof Mesh) || object.morphTargetDictionary === undefined) return
    for (const [name, index] of Object.entries(object.morphTargetDictionary as Record<string, number>)) {
      const known = places.get(name) ?? []
      places.set(name, [...known, { influences: object.morphTargetInfluences!, index }])
    }
  })
  const shown = new Map<string, number>()
  const named = (name: string) => model.getObjectByName(name)

  return {
    setMorphs(weights) {
      for (const [name, targets] of places) {
        const weight = weights.get(name) ?? 0
        shown.set(name, weight)
        for (const { influences, index } of targets) influences[index] = weight
      }
    },
    morphs: () => shown,
    head: named('Head'),
    body: named('Body'),
    eyes: ['EyeLeft', 'EyeRight'].flatMap((name) => named(name) ?? []),
  }
}
