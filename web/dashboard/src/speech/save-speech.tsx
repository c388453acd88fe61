import { Button, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Api } from '../api/api.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { saveFile } from '../shared/save-file.js'
import type { VoiceChoice } from '../voices/voice-choice.js'
import classes from './speech-panel.module.css'

/** The formats of `POST /v1/tts`, with the ending of a file's name. */
const formats = {
  mp3: { label: 'MP3', ending: 'mp3' },
  wav: { label: 'WAV', ending: 'wav' },
  opus: { label: 'Opus in Ogg', ending: 'ogg' },
  flac: { label: 'FLAC', ending: 'flac' },
  pcm_s16le: { label: 'PCM, 16 bit', ending: 'pcm' },
  ulaw: { label: 'µ-law', ending: 'ulaw' },
  alaw: { label: 'A-law', ending: 'alaw' },
} as const

type Format = keyof typeof formats

interface SaveSpeechProps {
  readonly api: Api
  readonly text: string
  readonly choice: VoiceChoice
  readonly canSpeak: boolean
}

/** Saves the text as speech, in a file of a chosen format. It costs what speaking the text costs. */
export const SaveSpeech = ({ api, text, choice, canSpeak }: SaveSpeechProps) => {
  const [format, setFormat] = useState<Format>('mp3')
  const save = useMutation({
    mutationFn: async () => {
      const { data } = await api.POST('/dashboard/api/v1/tts', {
        params: {},
        body: { text, voice_id: choice.voiceId, tts_variant: choice.variant, output: { format } },
        parseAs: 'blob',
      })
      saveFile(data as unknown as Blob, `speech.${formats[format].ending}`)
    },
  })
  return (
    <>
      <div className={classes.save}>
        <NativeSelect
          id="format"
          label="Format of a file"
          value={format}
          data={Object.entries(formats).map(([value, { label }]) => ({ value, label }))}
          onChange={({ currentTarget }) => setFormat(currentTarget.value as Format)}
        />
        <Button
          id="save"
          variant="default"
          leftSection={<Download />}
          loading={save.isPending}
          disabled={!canSpeak}
          onClick={() => save.mutate()}
        >
          Save the speech
        </Button>
      </div>
      <ProblemAlert error={save.error} />
    </>
  )
}
