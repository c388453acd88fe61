import { useComputedColorScheme } from '@mantine/core'
import { useMergedRef, useResizeObserver } from '@mantine/hooks'
import { useCallback, useEffect } from 'react'
import classes from './speech-panel.module.css'
import type { Waveform } from './waveform.js'

/** Shows the waveform, and draws it again when its size or its colors change. */
export const WaveformCanvas = ({ waveform }: { readonly waveform: Waveform }) => {
  const scheme = useComputedColorScheme('light')
  const [measured, { width, height }] = useResizeObserver<HTMLCanvasElement>()
  const show = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      waveform.canvas = canvas
    },
    [waveform],
  )
  const ref = useMergedRef(measured, show)
  useEffect(() => void waveform.draw(), [waveform, scheme, width, height])
  return <canvas ref={ref} className={classes.waveform} role="img" aria-label="Waveform of the speech" />
}
