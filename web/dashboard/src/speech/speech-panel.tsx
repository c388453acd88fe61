import { ActionIcon, Button, NativeSelect, Paper, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useHotkeys, useMergedRef, useResizeObserver } from '@mantine/hooks'
import { Play, Square } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Api } from '../api/api.js'
import { isUnauthorized } from '../api/problem.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { formatCount } from '../shared/quantities.js'
import { usePreview } from '../voices/use-preview.js'
import { nearestVoice, type VoiceChoice, voiceGroups } from '../voices/voice-choice.js'
import type { Voice } from '../voices/voice-queries.js'
import { NaturalVoiceDialog, offerLabel, useNaturalVoice } from './natural-voice.js'
import { SaveSpeech } from './save-speech.js'
import { maxCharacters, SpeechControls } from './speech-controls.js'
import classes from './speech-panel.module.css'
import { isBusy, type SpeechPhase, type SpeechState, secondsOf } from './speech-state.js'
import { TextPaper } from './text-paper.js'
import { useSpeech } from './use-speech.js'
import type { Waveform } from './waveform.js'

/** What the page offers to speak, in the languages of the built-in voices. */
const samples: Readonly<Record<string, string>> = {
  en: 'Hello! You have just made me speak. Every word lights up as you hear it. Write your own, and listen again.',
  de: 'Hallo! Du hast mich gerade zum Sprechen gebracht. Jedes Wort leuchtet auf, wenn du es hörst. Schreib etwas Eigenes und hör noch einmal zu.',
  es: '¡Hola! Acabas de hacerme hablar. Cada palabra se ilumina cuando la oyes. Escribe la tuya y vuelve a escuchar.',
  fr: 'Bonjour ! Vous venez de me faire parler. Chaque mot s’allume quand vous l’entendez. Écrivez le vôtre et écoutez encore.',
  it: 'Ciao! Mi hai appena fatto parlare. Ogni parola si illumina quando la senti. Scrivi la tua e ascolta di nuovo.',
  nl: 'Hallo! Je hebt me net laten spreken. Elk woord licht op terwijl je het hoort. Schrijf iets van jezelf en luister opnieuw.',
  pl: 'Cześć! Tak brzmi mój głos. Każde słowo podświetla się, gdy je słychać. Napisz coś od siebie i posłuchaj jeszcze raz.',
  pt: 'Olá! Você acabou de me fazer falar. Cada palavra se ilumina quando você a ouve. Escreva a sua e ouça de novo.',
  sv: 'Hej! Du fick mig just att tala. Varje ord lyser upp när du hör det. Skriv något eget och lyssna igen.',
}

/** The text to begin with. */
const firstSample = samples.en!

/** The sample in the language of a tag, in place of a text that is a sample itself; any other text stays as it is. */
const sampleFor = (tag: string, text: string): string =>
  Object.values(samples).includes(text) ? (samples[new Intl.Locale(tag).language] ?? text) : text

interface VoiceFieldsProps {
  readonly voices: readonly Voice[]
  readonly choice: VoiceChoice
  readonly preview: ReturnType<typeof usePreview>
  /** Beside the label of the voice. */
  readonly offer?: ReactNode
  onChange(voice: Voice, variant: string): void
}

/** The choice of a voice and one of its variants, its price, and a preview. */
const VoiceFields = ({ voices, choice, preview, offer, onChange }: VoiceFieldsProps) => {
  const voice = voices.find(({ id }) => id === choice.voiceId)!
  const variant = voice.variants.find(({ id }) => id === choice.variant)
  const isPlaying = preview.isPlaying(choice)
  return (
    <div className={classes.choices}>
      <div className={classes.voice}>
        <NativeSelect
          id="voice"
          label="Voice"
          value={choice.voiceId}
          data={voiceGroups(voices)}
          onChange={({ currentTarget }) => {
            const chosen = voices.find(({ id }) => id === currentTarget.value)!
            onChange(chosen, chosen.variants[0]!.id)
          }}
        />
        {offer}
        <ActionIcon
          size={36}
          aria-label={isPlaying ? 'Stop the preview' : 'Play a preview'}
          title="A preview costs no credit."
          loading={preview.isLoading(choice)}
          onClick={() => preview.toggle(choice)}
        >
          {isPlaying ? <Square /> : <Play />}
        </ActionIcon>
      </div>
      <NativeSelect
        id="variant"
        label="Variant"
        description={variant && `${variant.credit_per_1k_characters} credit per 1,000 characters`}
        inputWrapperOrder={['label', 'input', 'description']}
        value={choice.variant}
        data={voice.variants.map(({ id, display_name }) => ({ value: id, label: display_name }))}
        onChange={({ currentTarget }) => onChange(voice, currentTarget.value)}
      />
    </div>
  )
}

const milliseconds = (ms: number): string => `${formatCount(Math.round(ms))} ms`

const shown = <Value,>(value: Value | null, format: (value: Value) => string): string =>
  value === null ? '–' : format(value)

const playedAsides: Readonly<Partial<Record<SpeechPhase, string>>> = {
  done: 'of speech',
  stopped: 'played before it was stopped',
}

interface FigureProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly aside: string
}

const Figure = ({ id, label, value, aside }: FigureProps) => (
  <div>
    <Text component="dt" c="dimmed">
      {label}
    </Text>
    <dd>
      <output id={id}>{value}</output>
    </dd>
    <Text component="dd" size="xs" c="dimmed">
      {aside}
    </Text>
  </div>
)

/** How soon the speech began, how long it is, and what it costs. */
const SpeechFigures = ({ state }: { readonly state: SpeechState }) => {
  const { phase, firstAudioMs, serverMs, playedTenths, billedCharacters } = state
  const firstAudioAside =
    serverMs === null
      ? 'from your click to the first sound'
      : `from your click; the server took ${milliseconds(serverMs)}`
  return (
    <dl className={classes.figures}>
      <Figure id="ttfa" label="Time to first audio" value={shown(firstAudioMs, milliseconds)} aside={firstAudioAside} />
      <Figure
        id="duration"
        label="Audio"
        value={shown(playedTenths, secondsOf)}
        aside={playedAsides[phase] ?? 'played so far'}
      />
      <Figure id="billed" label="Billed" value={shown(billedCharacters, formatCount)} aside="characters of your text" />
    </dl>
  )
}

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
