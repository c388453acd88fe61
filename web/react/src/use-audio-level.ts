import type { ParlanceClient } from '@parlance/client'
import { useEffect, useState } from 'react'

/**
 * How loud the user (`input`) or the Agent (`output`) is, from 0 to 1. Renders its component with each frame in which that changes:
 * use it in a small one.
 */
export const useAudioLevel = (client: ParlanceClient, of: 'input' | 'output'): number => {
  const [level, setLevel] = useState(0)

  useEffect(() => {
    let frame = 0
    const measure = (): void => {
      // A hundredth is finer than can be seen.
      setLevel(Math.round((of === 'input' ? client.getInputLevel() : client.getOutputLevel()) * 100) / 100)
      frame = requestAnimationFrame(measure)
    }
    measure()
    return () => cancelAnimationFrame(frame)
  }, [client, of])

  return level
}
