import { type Accessor, Document, Logger, type Material, type Mesh, NodeIO, Verbosity } from '@gltf-transform/core'
import { type Finish, headPivot, type Part } from '../avatar.js'
import { clamp } from '../geometry/interpolation.js'
import { normalsOf, type Surface } from '../geometry/surface.js'
import { length, scale, subtract, type Vec3 } from '../geometry/vector.js'
import { withJson } from './glb-json.js'

/** Positions are stored as 16-bit integers that stand for -1 to 1; a node's scale makes them lengths again. */
const extent = 4
const metersPerUnit = 0.115
/** Morph targets move thousands of vertices by almost nothing: invisible differences are not stored. */
const leastMove = 8e-4
const leastTurn = 0.04

const finishes: Readonly<Record<Finish, { roughness: number; metallic?: number; glows?: true; hollow?: true }>> = {
  skin: { roughness: 0.58 },
  eye: { roughness: 0.14 },
  glint: { roughness: 1, glows: true },
  hair: { roughness: 0.6 },
  teeth: { roughness: 0.32 },
  tongue: { roughness: 0.45 },
  // One sees into a collar.
  cloth: { roughness: 0.92, hollow: true },
  frame: { roughness: 0.35 },
  metal: { roughness: 0.3, metallic: 0.6 },
}

/** A binary glTF file of the parts; the same bytes for the same parts. */
export const writeGlb = async (parts: readonly Part[], title: string): Promise<Uint8Array> => {
  const document = new Document()
  document.getRoot().getAsset().generator = '@parlance/models/avatars'
  document.createBuffer()
  const root = document.createNode(title).setScale([metersPerUnit, metersPerUnit, metersPerUnit])
  const groups = {
    Head: document.createNode('Head').setTranslation([...headPivot]),
    Body: document.createNode('Body'),
  }
  root.addChild(groups.Head).addChild(groups.Body)
  document.createScene(title).addChild(root)

  for (const part of parts) {
    const origin = part.of === 'Body' ? ([0, 0, 0] as const) : part.at === undefined ? headPivot : ([0, 0, 0] as const)
    const node = document
      .createNode(part.name)
      .setMesh(createMesh(document, part, origin))
      .setScale([extent, extent, extent])
    if (part.at !== undefined) node.setTranslation([...subtract(part.at, headPivot)])
    groups[part.of].addChild(node)
  }

  const glb = await new NodeIO().setLogger(silent).writeBinary(document)
  return withJson(glb, (json) => {
    json.extensionsUsed = ['KHR_mesh_quantization']
    json.extensionsRequired = ['KHR_mesh_quantization']
    // The library stores zeros for accessors that are both sparse and normalized, so it gets them as not normalized.
    for (const { primitives } of json.meshes) {
      for (const target of primitives.flatMap(({ targets = [] }) => targets)) {
        for (const accessor of Object.values(target)) json.accessors[accessor]!.normalized = true
      }
    }
  })
}

/** Colors are stored as shares of the part's brightest channel: in eight bits dark hair would have a handful of shades. */
const brightestOf = ({ colors }: Surface): number => Math.max(...colors.flat())

/** It warns of sparse accessors that are no smaller for it, which here a few are. */
const silent = new Logger(Verbosity.SILENT)

const createMaterial = (document: Document, { name, finish, surface }: Part): Material => {
  const { roughness, metallic = 0, glows, hollow = false } = finishes[finish]
  const material = document
    .createMaterial(name)
    .setRoughnessFactor(roughness)
    .setMetallicFactor(metallic)
    .setDoubleSided(hollow)
  const base = brightestOf(surface)
  return glows
    ? material.setBaseColorFactor([0, 0, 0, 1]).setEmissiveFactor([1, 1, 1])
    : material.setBaseColorFactor([base, base, base, 1])
}

const createMesh = (document: Document, part: Part, origin: Vec3): Mesh => {
  const vec3 = (array: Int16Array | Int8Array | Uint8Array | Uint16Array): Accessor =>
    document.createAccessor().setType('VEC3').setArray(array).setBuffer(document.getRoot().listBuffers()[0]!)
  const { positions, triangles, colors, morphs } = part.surface
  const brightest = brightestOf(part.surface)
  const normals = normalsOf(positions, triangles)
  const primitive = document
    .createPrimitive()
    .setMaterial(createMaterial(document, part))
    .setIndices(vec3(new Uint16Array(triangles)).setType('SCALAR'))
    .setAttribute(
      'POSITION',
      vec3(
        integers(
          positions.map((at) => subtract(at, origin)),
          Int16Array,
          extent,
        ),
      ).setNormalized(true),
    )
    .setAttribute('NORMAL', vec3(integers(normals, Int8Array)).setNormalized(true))
    .setAttribute('COLOR_0', vec3(integers(colors, Uint8Array, brightest)).setNormalized(true))
  for (const [target, moved] of Object.entries(morphs)) {
    const movedNormals = normalsOf(moved, triangles)
    const moves = moved.map((at, vertex) => unlessLess(subtract(at, positions[vertex]!), leastMove))
    const turns = movedNormals.map((at, vertex) => unlessLess(subtract(at, normals[vertex]!), leastTurn))
    primitive.addTarget(
      document
        .createPrimitiveTarget(target)
        .setAttribute('POSITION', vec3(integers(moves, Int16Array, extent)).setSparse(true))
        .setAttribute('NORMAL', vec3(integers(turns, Int8Array)).setSparse(true)),
    )
  }
  const mesh = document.createMesh(part.name).addPrimitive(primitive)
  const targetNames = Object.keys(morphs)
  return targetNames.length === 0 ? mesh : mesh.setExtras({ targetNames }).setWeights(targetNames.map(() => 0))
}

const unlessLess = (vector: Vec3, than: number): Vec3 => (length(vector) < than ? [0, 0, 0] : vector)

/** Vectors as normalized integers, `extent` being the greatest that there can be. */
const integers = <Integers extends Int16Array | Int8Array | Uint8Array>(
  vectors: readonly Vec3[],
  type: new (length: number) => Integers,
  extent = 1,
): Integers => {
  const array = new type(vectors.length * 3)
  const greatest = array instanceof Int16Array ? 32767 : array instanceof Int8Array ? 127 : 255
  for (const [vertex, vector] of vectors.entries()) {
    for (const [axis, value] of scale(vector, 1 / extent).entries()) {
      array[vertex * 3 + axis] = Math.round(clamp(value, -1, 1) * greatest)
    }
  }
  return array
}
