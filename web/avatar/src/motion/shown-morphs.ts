import type { AvatarRecord } from '../avatar-record.js'
import type { IdlePose } from './idle-motion.js'

/** The weight of each morph target, from the mouth and from the idle motion. */
export const shownMorphs = (
  avatar: Pick<AvatarRecord, 'viseme_morph_targets' | 'expression_morph_targets'>,
  mouth: ReadonlyMap<string, number>,
  { blink, browsUp, smile }: IdlePose,
): Map<string, number> => {
  const morphs = new Map<string, number>()
  const show = (target: string | undefined, weight: number) => {
    if (target !== undefined && weight > 0) morphs.set(target, Math.min(1, (morphs.get(target) ?? 0) + weight))
  }
  let busy = 0
  for (const [viseme, weight] of mouth) {
    show(avatar.viseme_morph_targets[viseme], weight)
    busy = Math.min(1, busy + weight)
  }
  const { blink_left, blink_right, smile: smiling, brows_up } = avatar.expression_morph_targets
  show(blink_left, blink)
  show(blink_right, blink)
  // Lips cannot smile while they are closed.
  show(smiling, smile * (1 - 0.8 * busy))
  show(brows_up, browsUp)
  return morphs
}
