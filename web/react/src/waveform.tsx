import { useEffect, useRef } from 'react'
import { useParlanceClient, useSession } from './client-hooks.js'
import type { PartProps } from './provider.js'

export interface WaveformProps extends PartProps {
  /** Whose voice: the user's (`input`) or the Agent's (`output`, default). */
  readonly of?: 'input' | 'output'
}

const bars = Array.from({ length: 31 }, (_, index) => index)
const middle = 15
/** Voices have little above a third of the frequencies that the client measures, which end at 22 or 24 kHz. */
const shownShare = 1 / 3

/** The frequencies of a voice as bars, the low ones in the middle. Dots while it is silent. Decoration, as `Orb`. */
export const Waveform = ({ of = 'output', className = '', style }: WaveformProps) => {
  const client = useParlanceClient()
  const isLive = useSession() !== null
  const element = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!isLive) return
    const elements = [...element.current!.children] as HTMLElement[]
    const show = (frequencies: Uint8Array) => {
      for (const [index, { style }] of elements.entries()) {
        const bin = Math.floor((Math.abs(index - middle) / (middle + 1)) * frequencies.length * shownShare)
        style.height = `${Math.round(((frequencies[bin] ?? 0) / 255) * 100)}%`
      }
    }
    let frame = 0
    const showNow = () => {
      show(of === 'input' ? client.getInputFrequencyData() : client.getOutputFrequencyData())
      frame = requestAnimationFrame(showNow)
    }
    showNow()
    return () => {
      cancelAnimationFrame(frame)
      show(new Uint8Array())
    }
  }, [client, isLive, of])

  return (
    <div ref={element} className={`parlance parlance-waveform ${className}`} style={style} aria-hidden="true">
      {bars.map((bar) => (
        <span key={bar} />
      ))}
    </div>
  )
}
