import { Anchor, Button, Checkbox, Code, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Api } from '../api/api.js'
import { type Problem, problemOf } from '../api/problem.js'
import type { paths } from '../api/schema.js'
import { InstallProgress, receivedShare, useInstallModel } from '../models/install-model.js'
import { megabytes } from '../models/model-words.js'
import { Dialog } from '../shared/dialog.js'
import { languageName } from '../shared/languages.js'
import { isAvailable, listVoices, type Voice } from '../voices/voice-queries.js'
import classes from './natural-voice.module.css'

/** The voice is null where only the command can install it. */
type NaturalVoiceOffer =
  paths['/dashboard/api/try/natural-voice']['get']['responses'][200]['content']['application/json']
type NaturalVoice = NonNullable<NaturalVoiceOffer['voice']>

/** Models are loaded one after the other, and a busy machine takes a while for one. */
const announceWithinMs = 120_000
const askEveryMs = 500

const notAnnounced: Problem = {
  code: 'unavailable',
  detail: 'The voice is installed, but does not speak yet. The command npx parlance models verify shows why.',
  retryable: true,
}

/** Resolves to the voice to install for this person; undefined where a natural voice is installed already. */
export const findNaturalVoice = async (api: Api): Promise<NaturalVoiceOffer | undefined> => {
  const query = { languages: navigator.languages.join(',') }
  const { data } = await api.GET('/dashboard/api/try/natural-voice', { params: { query } })
  return data
}

/** Resolves to all voices, and the one that is not among `known`, as soon as a voice is natural. */
const awaitNewVoice = async (api: Api, known: readonly Voice[], signal: AbortSignal) => {
  const deadlineMs = performance.now() + announceWithinMs
  while (performance.now() < deadlineMs) {
    const isNatural = (await findNaturalVoice(api)) === undefined
    signal.throwIfAborted()
    const voices = isNatural ? await listVoices(api) : []
    const added = voices.find((voice) => isAvailable(voice) && !known.some(({ id }) => id === voice.id))
    if (added !== undefined) return { voices, added }
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
    signal.throwIfAborted()
  }
  throw notAnnounced
}

/**
 * The offer of a natural voice, where no voice is natural; undefined elsewhere. `voices` are those that there are. `onInstalled`
 * gets all voices and the new one.
 */
export const useNaturalVoice = (
  api: Api,
  voices: readonly Voice[],
  onInstalled: (voices: Voice[], added: Voice) => void,
) => {
  const client = useQueryClient()
  const queryKey = ['natural-voice']
  // The page works without an offer, so a failure is not shown.
  const { data: offer } = useQuery({
    queryKey,
    queryFn: async () => (await findNaturalVoice(api)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const install = useInstallModel({
    path: '/dashboard/api/try/models',
    api,
    async onInstalled(signal) {
      const { voices: all, added } = await awaitNewVoice(api, voices, signal)
      client.setQueryData(queryKey, null)
      onInstalled(all, added)
    },
  })
  return offer ? { offer, install } : undefined
}

type OfferedVoice = NonNullable<ReturnType<typeof useNaturalVoice>>

const phaseOf = ({ offer, install: { isPending, isError, event } }: OfferedVoice) => {
  if (isPending) return event?.event === 'installed' ? 'loading' : 'downloading'
  if (isError) return 'failed'
  return offer.voice === null ? 'elsewhere' : 'offered'
}

/** On the button that opens the dialog. */
export const offerLabel = ({ offer, install }: OfferedVoice): string => {
  if (!install.isPending) return 'Get a natural voice'
  const share = receivedShare(install, offer.voice?.size_bytes ?? null)
  return share === undefined ? 'Installing a natural voice' : `Downloading, ${Math.floor(share * 100)} %`
}

type License = NaturalVoice['licenses'][number]

/** The license as a link to the page that states it; with what has it, where there are several. */
const LicenseItem = ({ license, isOnly }: { readonly license: License; readonly isOnly: boolean }) => (
  <li>
    <Anchor href={license.source} target="_blank" rel="noopener" underline="always" inherit>
      {license.license ?? 'not known to the catalog: read it here'}
    </Anchor>
    {!isOnly && ` (${license.of})`}
    {license.lineage !== null && ` · ${license.lineage}`}
  </li>
)

const VoiceFacts = ({ voice }: { readonly voice: NaturalVoice }) => (
  <dl className={classes.facts}>
    <dt>Voice</dt>
    <dd id="offered-voice">{voice.display_name}</dd>
    <dt>Language</dt>
    <dd id="offered-language">{languageName(voice.language)}</dd>
    <dt>Size</dt>
    <dd id="offered-size">{megabytes(voice.size_bytes)}</dd>
    <dt>License</dt>
    <dd>
      <ul id="offered-licenses">
        {voice.licenses.map((license) => (
          <LicenseItem key={license.of} license={license} isOnly={voice.licenses.length === 1} />
        ))}
      </ul>
    </dd>
  </dl>
)

/** A download fails without a network; files from elsewhere help then. */
const isOfNetwork = (code: string): boolean => code === 'upstream_error' || code === 'upstream_timeout'

const Failure = ({ problem }: { readonly problem: Problem }) => (
  <>
    <Text id="install-problem" role="alert" c="var(--mantine-color-error)" className={classes.problem}>
      {problem.detail}
    </Text>
    {isOfNetwork(problem.code) && (
      <Text id="install-offline">
        Without a network, copy the voice’s files to this machine and run <Code>npx parlance models import PATH</Code>.
      </Text>
    )}
  </>
)

interface NaturalVoiceDialogProps {
  readonly offered: OfferedVoice
  onClose(): void
}

/** Offers a natural voice with its license, and shows how far its installation is. */
export const NaturalVoiceDialog = ({ offered, onClose }: NaturalVoiceDialogProps) => {
  const [isAccepted, setAccepted] = useState(false)
  const phase = phaseOf(offered)
  const { voice, command } = offered.offer
  const { install } = offered
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAccepted && voice !== null) install.mutate(voice.name)
  }
  return (
    <Dialog onClose={onClose} title="Get a natural voice">
      <Stack id="natural-voice" data-state={phase} gap="md">
        <Text c="dimmed">The voices here sound like robots. A neural voice sounds like a person.</Text>
        {(phase === 'offered' || phase === 'failed') && voice !== null && (
          <form onSubmit={submit}>
            <Stack gap="sm">
              <VoiceFacts voice={voice} />
              <Checkbox
                id="accept-license"
                label="I accept the license."
                checked={isAccepted}
                onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
              />
              <Button id="install-voice" type="submit" disabled={!isAccepted}>
                Download {megabytes(voice.size_bytes)}
              </Button>
            </Stack>
          </form>
        )}
        {phase === 'failed' && <Failure problem={problemOf(install.error)} />}
        {phase === 'elsewhere' && (
          <Text>
            This page installs voices only for an Owner or an Admin, in a browser on the machine of{' '}
            <Code>npm start</Code>. Elsewhere the operator runs <Code id="install-command">{command}</Code>
          </Text>
        )}
        {install.isPending && voice !== null && <InstallProgress installation={install} model={voice} />}
        {install.isPending && phase !== 'loading' && (
          <Button id="cancel-install" variant="default" onClick={install.stop}>
            Cancel
          </Button>
        )}
      </Stack>
    </Dialog>
  )
}
