import { Button, Paper, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useHotkeys, useMergedRef, useResizeObserver } from '@mantine/hooks'
import { useCallback, useEffect, useState } from 'react'
import type { Api } from '../api/api.js'
import { isUnauthorized } from '../api/problem.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { usePreview } from '../voices/use-preview.js'
import { nearestVoice, type VoiceChoice } from '../voices/voice-choice.js'
import type { Voice } from '../voices/voice-queries.js'
import { NaturalVoiceDialog, offerLabel, useNaturalVoice } from './natural-voice.js'
import { firstSample, sampleFor } from './samples.js'
import { SaveSpeech } from './save-speech.js'
import { maxCharacters, SpeechControls } from './speech-controls.js'
import { SpeechFigures } from './speech-figures.js'
import classes from './speech-panel.module.css'
import { isBusy } from './speech-state.js'
import { TextPaper } from './text-paper.js'
import { useSpeech } from './use-speech.js'
import { VoiceFields } from './voice-fields.js'
import type { Waveform } from './waveform.js'

/** Shows the waveform, and draws it again when its size or its colors change. */
const WaveformCanvas = ({ waveform }: { readonly waveform: Waveform }) => {
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

const choiceOf = ({ id, variants }: Voice): VoiceChoice => ({ voiceId: id, variant: variants[0]!.id })

interface SpeechPanelProps {
  readonly api: Api
  /** One of them is available. */
  readonly voices: readonly Voice[]
  /** The credential of `api` is not valid any more. */
  onUnauthorized?(): void
}

/** A text that is spoken in a chosen voice: its words are highlighted as they play, and its latency is shown. */
export const SpeechPanel = ({ api, voices: listed, onUnauthorized }: SpeechPanelProps) => {
  const [voices, setVoices] = useState(listed)
  const [first] = useState(() => nearestVoice(listed)!)
  const [choice, setChoice] = useState(() => choiceOf(first))
  const [text, setText] = useState(() => sampleFor(first.languages[0]!, firstSample))
  const [isOfferOpened, setOfferOpened] = useState(false)
  const preview = usePreview(api)
  const { state, waveform, speak, stop, edit, report } = useSpeech(api)
  const busy = isBusy(state)

  const showText = (changed: string) => {
    setText(changed)
    edit()
  }
  const chooseVoice = (voice: Voice, variant = voice.variants[0]!.id) => {
    setChoice({ voiceId: voice.id, variant })
    const sample = sampleFor(voice.languages[0]!, text)
    if (sample !== text && !busy) showText(sample)
  }
  const offered = useNaturalVoice(api, voices, (all, added) => {
    setVoices(all)
    setOfferOpened(false)
    chooseVoice(added)
    report({ type: 'installed', voiceName: added.display_name })
  })

  const characters = [...text].length
  const canSpeak = text.trim() !== '' && characters <= maxCharacters
  const speakText = () => {
    if (!busy && canSpeak) speak(text, choice)
  }
  useHotkeys([['mod+Enter', speakText], ...(busy ? [['Escape', stop] as [string, () => void]] : [])], [])

  const isRefused = isUnauthorized(state.problem) || isUnauthorized(preview.error)
  useEffect(() => {
    if (isRefused) onUnauthorized?.()
  }, [isRefused, onUnauthorized])

  return (
    <Stack gap="md" id="speech" data-state={state.phase}>
      <Paper component="section" withBorder aria-label="Speech" className={classes.panel}>
        <VoiceFields
          voices={voices}
          choice={choice}
          preview={preview}
          onChange={chooseVoice}
          offer={
            offered && (
              <Button
                id="get-voice"
                className={classes.offer}
                size="compact-xs"
                variant="subtle"
                onClick={() => setOfferOpened(true)}
              >
                {offerLabel(offered)}
              </Button>
            )
          }
        />
        <TextPaper
          text={text}
          word={state.text === text ? state.word : { from: 0, to: 0 }}
          isReadOnly={busy}
          isTooLong={characters > maxCharacters}
          onChange={showText}
        />
        <WaveformCanvas waveform={waveform} />
        <SpeechControls state={state} characters={characters} canSpeak={canSpeak} onSpeak={speakText} onStop={stop} />
      </Paper>
      <ProblemAlert error={preview.error} />
      <div role="status">
        <Text id="status" c="dimmed">
          {state.status}
        </Text>
        {state.remaining !== '' && (
          <Text id="remaining" dir="auto" mt="xs" className={classes.remaining}>
            {state.remaining}
          </Text>
        )}
      </div>
      <SpeechFigures state={state} />
      <SaveSpeech api={api} text={text} choice={choice} canSpeak={canSpeak} />
      {offered && isOfferOpened && <NaturalVoiceDialog offered={offered} onClose={() => setOfferOpened(false)} />}
    </Stack>
  )
}
