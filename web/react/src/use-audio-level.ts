import type { ParlanceClient } from '@parlance/client'
import { useEffect, useState } from 'react'

/**
 * How loud the user (`input`) or the Agent (`output`) is, from 0 to 1. It renders its component in each frame in which the
 * level changes, so use it in a small one.
 */
export const useAudioLevel = (
  client: Pick<ParlanceClient, 'getInputLevel' | 'getOutputLevel'>,
  of: 'input' | 'output',
): number => {
  const [level, setLevel] = useState(0)

  useEffect(() => {
    let frame = 0
    const measure = (): void => {
      // Smaller changes are not visible.
      setLevel(Math.round((of === 'input' ? client.getInputLevel() : client.getOutputLevel()) * 100) / 100)
      frame = requestAnimationFrame(measure)
    }
    measure()
    return () => cancelAnimationFrame(frame)
  }, [client, of])

  return level
}
