import { Color, type Material, Mesh, MeshLambertMaterial, MeshStandardMaterial, type Object3D } from 'three'

/** Replaces the materials of the model by cheaper ones, which look a little flatter. */
export const useSimplerMaterials = (model: Object3D): void => {
  const simple = new Map<Material, Material>()
  model.traverse((object) => {
    if (!(object instanceof Mesh) || !(object.material instanceof MeshStandardMaterial)) return
    const { material } = object
    const known = simple.get(material) ?? simplified(material)
    simple.set(material, known)
    object.material = known
  })
  for (const material of simple.keys()) material.dispose()
}

const simplified = (from: MeshStandardMaterial): Material => {
  const { color, emissive, map, transparent, opacity, side, vertexColors, alphaTest } = from
  return new MeshLambertMaterial({
    color: new Color(color),
    emissive: new Color(emissive),
    map,
    transparent,
    opacity,
    side,
    vertexColors,
    alphaTest,
  })
}
