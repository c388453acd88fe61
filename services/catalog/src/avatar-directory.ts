import { type Avatar, visemeIds } from '@parlance/contracts'
import { readAvatarModels } from '@parlance/models/avatars'

/** The built-in avatars. They are the same on every instance, and do not change while it runs. */
export const createAvatarDirectory = () => {
  const avatars = readAvatarModels().map(
    ({ id, display_name, license, model, thumbnail, morph_targets }): Avatar => ({
      id,
      display_name,
      status: 'available',
      license,
      thumbnail_url: `/assets/avatars/${thumbnail.sha256}.webp`,
      asset: {
        url: `/assets/avatars/${model.sha256}.glb`,
        format: 'glb',
        content_type: 'model/gltf-binary',
        size_bytes: model.size_bytes,
        sha256: model.sha256,
      },
      viseme_set: 'oculus15',
      viseme_morph_targets: Object.fromEntries(visemeIds.map((viseme) => [viseme, `viseme_${viseme}`])),
      expression_morph_targets: Object.fromEntries(
        Object.entries(expressions).filter(([, target]) => morph_targets.includes(target)),
      ),
    }),
  )
  const byId = new Map(avatars.map((avatar) => [avatar.id, avatar]))
  return {
    /** All avatars, by name. */
    sorted: avatars
      .map((item) => ({ sortKey: `${item.display_name}\u0000${item.id}`, item }))
      .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)),
    find: (id: string): Avatar | undefined => byId.get(id.toLowerCase()),
  }
}

export type AvatarDirectory = ReturnType<typeof createAvatarDirectory>

const expressions = {
  blink_left: 'eyeBlinkLeft',
  blink_right: 'eyeBlinkRight',
  smile: 'mouthSmile',
  brows_up: 'browInnerUp',
}
